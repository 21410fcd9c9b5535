//! The class of a set, of actions or of reactions, written once.

/// Writes the class. What only one of the two has stands in its sections: `properties` come after the list, `items` are
/// registered. It has to have a method `fallback`.
macro_rules! set_class {
    (
        $(#[$($head:tt)*])*
        class $name:ident of $spec:ident, $kind:literal;
        $(#[$($list_help:tt)*])*
        list $list:ident, $get:ident, $set:ident;
        properties { $($properties:tt)* }
        $(#[$($find_help:tt)*])*
        find $find:ident;
        $(#[$($validate_help:tt)*])*
        validate;
        items { $($items:tt)* }
    ) => {
        $(#[$($head)*])*
        #[derive(GodotClass)]
        #[class(init, tool, base = Resource)]
        pub struct $name {
            $(#[$($list_help)*])*
            #[export]
            #[var(get = $get, set = $set)]
            $list: ClassArray<$spec>,
            $($properties)*
            /// Version of the file format. Written into every file, so that later versions of the library can read it.
            #[export(storage)]
            #[var(get = get_format_version, set = set_format_version)]
            #[init(val = FORMAT_VERSION)]
            format_version: i64,
            cache: Cache,
            base: Base<Resource>,
        }

        #[godot_api]
        impl $name {
            $(#[$($find_help)*])*
            #[func]
            pub fn $find(&self, id: StringName) -> Option<Gd<$spec>> {
                set_parts::find(self.$list.members(), &id)
            }

            $($items)*

            $(#[$($validate_help)*])*
            #[func(gd_self)]
            pub fn validate(this: Gd<Self>) -> Array<VarDictionary> {
                set_parts::rows(&Self::problems(&this), $kind)
            }

            #[func]
            fn $get(&self) -> ArrayOf<$spec> {
                self.$list.stored()
            }

            #[func]
            fn $set(&mut self, value: ArrayOf<$spec>) {
                let this = self.to_gd();
                if self.$list.assign_watched(&this, stringify!($list), &value, "_part_changed") {
                    set_parts::settle(&this, self.$list.members());
                    self.part_changed();
                }
            }

            #[func]
            fn get_format_version(&self) -> i64 {
                set_parts::stored_version(self.format_version)
            }

            #[func]
            fn set_format_version(&mut self, value: i64) {
                set_parts::check_version(&self.to_gd(), value);
            }

            /// Says that the file is of an older format, when it is loaded and has its path.
            #[func(rename = _tell_migration, gd_self)]
            fn tell_migration(this: Gd<Self>) {
                set_parts::tell_migration(&this);
            }

            /// An element, or something below it, was edited.
            #[func(rename = _part_changed)]
            fn part_changed(&mut self) {
                self.cache.spoil();
                self.base_mut().emit_changed();
            }
        }

        impl SetResource for $name {
            type Spec = $spec;

            fn specs(&self) -> &[Gd<$spec>] {
                self.$list.members()
            }

            fn compiled(this: &Gd<Self>) -> Arc<CompiledSet> {
                let (specs, fallback, revision) = {
                    let own = this.bind();
                    if let Some(compiled) = &own.cache.compiled {
                        return compiled.clone();
                    }
                    (own.specs().to_vec(), own.fallback(), own.cache.revision)
                };
                let compiled = Arc::new(compile_set(&specs, &fallback));
                this.clone().bind_mut().cache.keep(&compiled, revision);
                compiled
            }

            fn problems(this: &Gd<Self>) -> Vec<Problem> {
                let (specs, nulls, fallback) = {
                    let own = this.bind();
                    (own.specs().to_vec(), own.$list.null_count(), own.fallback())
                };
                problems::find(&specs, nulls, &fallback)
            }
        }
    };
}

pub(super) use set_class;
