//! The accessors of a profile: what is written is checked and told to those who use it.

/// The block with the written items, and a checked setter for each named property.
macro_rules! accessors {
    (
        { $($written:tt)* }
        numbers { $($set:ident $number:ident $low:literal $high:expr;)* }
        integers { $($set_int:ident $int:ident $least:literal $most:literal;)* }
        switches { $($set_bool:ident $bool:ident;)* }
        tags { $($get_tags:ident $set_tags:ident $tags:ident;)* }
        policies { $($get_policy:ident $set_policy:ident $policy:ident $changed:ident $rename:ident $slot:literal;)* }
    ) => {
        #[godot_api]
        impl AwarenessProfile {
            $($written)*

            $(#[func]
            fn $set(&mut self, value: f64) {
                self.$number = self.clamped(stringify!($number), value, self.$number, $low, $high);
                self.base_mut().emit_changed();
            })*

            $(#[func]
            fn $set_int(&mut self, value: i64) {
                self.$int = self.clamped_int(stringify!($int), value, $least, $most);
                self.base_mut().emit_changed();
            })*

            $(#[func]
            fn $set_bool(&mut self, value: bool) {
                self.$bool = value;
                self.base_mut().emit_changed();
            })*

            $(#[func]
            fn $get_tags(&self) -> PackedStringArray {
                self.$tags.typed()
            }

            #[func]
            fn $set_tags(&mut self, value: PackedStringArray) {
                let this = self.to_gd();
                self.$tags.assign(&this, stringify!($tags), value);
                self.base_mut().emit_changed();
            })*

            $(#[func]
            fn $get_policy(&self) -> Option<Gd<Resource>> {
                self.$policy.stored()
            }

            #[func]
            fn $set_policy(&mut self, value: Option<Gd<Resource>>) {
                let this = self.to_gd();
                let method = concat!("_", stringify!($changed));
                if self.$policy.assign_watched(&this, stringify!($policy), value, method) {
                    self.$changed();
                }
            }

            #[func(rename = $rename)]
            fn $changed(&mut self) {
                self.slots[$slot] += 1;
                self.base_mut().emit_changed();
            })*
        }
    };
}

pub(super) use accessors;
