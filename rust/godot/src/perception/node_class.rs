//! The body of a node class with its properties as a table: what each of them is is said once, and its setter follows.

/// Writes a class of a node that hands its settings to the server whenever one changes.
///
/// A line of the table is `attributes name: type = default => setter(check, arguments);`. The setter passes the value
/// through a method of [`Checks`](super::checks::Checks) and calls `push`. A [`Listed`](super::checks::Listed) property
/// has `list getter, setter(type that scripts give), push` instead. Without either it has accessors among the items. Types and defaults are one token or in brackets: a token is what the binding's attributes can
/// read; what a macro has parsed already they cannot.
macro_rules! node_class {
    (
        $(#[$($head:tt)*])*
        class $name:ident: $base:ident;
        properties { $(
            $(#[$($attribute:tt)*])*
            $field:ident: $type:tt = $default:tt
                $(=> $setter:ident($check:ident $($arguments:tt)*))?
                $(list $get:ident, $set:ident($given:ident), $push:ident)?;
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
                $(#[var(get = $get, set = $set)])?
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
            )?
            $(
                #[func]
                fn $get(&self) -> $given {
                    self.$field.given()
                }

                #[func]
                fn $set(&mut self, value: $given) {
                    let this = self.to_gd();
                    self.$field.put(&this.upcast(), stringify!($field), value);
                    self.$push();
                }
            )?)*
        }
    };
}

pub(super) use node_class;
