//! The body of a node class with its properties as a table: what each of them is is said once, and its setter follows.

/// Writes a class of a node that hands its settings to the server whenever one changes.
///
/// A line of the table is `attributes name: type = default => setter(check, arguments);`. The setter passes the value
/// through a method of [`Checks`](super::checks::Checks) and calls `push`. Without the arrow the property has an accessor of
/// its own among the items. Types and defaults are one token or in brackets: a token is what the binding's attributes can
/// read; what a macro has parsed already they cannot.
macro_rules! node_class {
    (
        $(#[$($head:tt)*])*
        class $name:ident: $base:ident;
        properties { $(
            $(#[$($attribute:tt)*])*
            $field:ident: $type:tt = $default:tt $(=> $setter:ident($check:ident $($arguments:tt)*))?;
        )* }
        fields { $($fields:tt)* }
        items { $($items:tt)* }
    ) => {
        $(#[$($head)*])*
        #[derive(GodotClass)]
        #[class(init, tool, base = $base)]
        pub struct $name {
            $(
                $(#[$($attribute)*])*
                $(#[var(set = $setter)])?
                #[init(val = $default)]
                $field: $type,
            )*
            $($fields)*
            #[init(val = Hooked::new::<Self>(&base))]
            #[expect(dead_code, reason = "its construction connects the lifecycle")]
            hooked: Hooked,
            base: Base<$base>,
        }

        #[godot_api]
        impl $name {
            $($items)*

            $($(
                #[func]
                fn $setter(&mut self, value: $type) {
                    let old = self.$field.clone();
                    self.$field = self.$check(stringify!($field), value, old $($arguments)*);
                    self.push();
                }
            )?)*
        }
    };
}

pub(super) use node_class;
