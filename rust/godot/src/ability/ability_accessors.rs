//! The accessors of an ability: what is written is checked and told to those who use it.

/// The block with the written items, and accessors for each named property.
macro_rules! accessors {
    (
        { $($written:tt)* }
        tags { $($get_tags:ident $set_tags:ident $tags:ident;)* }
        numbers { $($set_number:ident $number:ident;)* }
        switches { $($set_switch:ident $switch:ident;)* }
    ) => {
        #[godot_api]
        impl GameplayAbility {
            $($written)*

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
            fn $set_number(&mut self, value: f64) {
                self.$number = self.not_negative(stringify!($number), value, self.$number);
                self.base_mut().emit_changed();
            })*

            $(#[func]
            fn $set_switch(&mut self, value: bool) {
                self.$switch = value;
                self.base_mut().emit_changed();
            })*

            #[func]
            fn set_warp_target_name(&mut self, value: StringName) {
                self.warp_target_name = value;
                self.base_mut().emit_changed();
            }
        }
    };
}

pub(super) use accessors;
