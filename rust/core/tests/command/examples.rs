//! The worked examples that their notation tells whole, one test each.

use super::notation::example;
use super::play::check;

macro_rules! examples {
    ($($name:ident = $number:literal,)*) => {
        $(
            #[test]
            fn $name() {
                check(&example($number));
            }
        )*
    };
}

examples! {
    ex_40_1 = 1,
    ex_40_2 = 2,
    ex_40_3 = 3,
    ex_40_4 = 4,
    ex_40_5 = 5,
    ex_40_6 = 6,
    ex_40_7 = 7,
    ex_40_8 = 8,
    ex_40_9 = 9,
    ex_40_10 = 10,
    ex_40_11 = 11,
    ex_40_12 = 12,
    ex_40_13 = 13,
    ex_40_14 = 14,
    ex_40_15 = 15,
    ex_40_16 = 16,
    ex_40_17 = 17,
    ex_40_18 = 18,
    ex_40_19 = 19,
    ex_40_20 = 20,
    ex_40_21 = 21,
    ex_40_22 = 22,
    ex_40_23 = 23,
    ex_40_24 = 24,
    ex_40_25 = 25,
    ex_40_26 = 26,
    ex_40_27 = 27,
    ex_40_28 = 28,
    ex_40_29 = 29,
    ex_40_30 = 30,
    ex_40_31 = 31,
    ex_40_32 = 32,
    ex_40_33 = 33,
    ex_40_34 = 34,
    ex_40_35 = 35,
    ex_40_36 = 36,
    ex_40_37 = 37,
    ex_40_38 = 38,
    ex_40_39 = 39,
    ex_40_40 = 40,
    ex_40_41 = 41,
    ex_40_42 = 42,
    ex_40_43 = 43,
    ex_40_44 = 44,
    ex_40_45 = 45,
    ex_40_46 = 46,
    ex_40_47 = 47,
    ex_40_48 = 48,
    ex_40_49 = 49,
    ex_40_50 = 50,
    ex_40_51 = 51,
    ex_40_52 = 52,
    ex_40_53 = 53,
    ex_40_54 = 54,
    ex_40_55 = 55,
    ex_40_56 = 56,
    ex_40_57 = 57,
    ex_40_58 = 58,
    ex_40_59 = 59,
    ex_40_62 = 62,
    ex_40_63 = 63,
    ex_40_64 = 64,
    ex_40_70 = 70,
}
