//! Reproducible randomness: hashes of seed, purpose, name and number. No generator state, no draw order.

/// SplitMix64's step and finaliser (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators").
pub fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// FNV-1a, 64 bits, over the UTF-8 bytes.
pub fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

/// The upper 53 bits as a number in [0, 1).
pub fn unit(z: u64) -> f64 {
    (z >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// Draw number `n` for a purpose and a name, in [0, 1).
pub fn draw(seed: u64, what: &str, id: &str, n: u64) -> f64 {
    unit(mix(mix(mix(seed ^ hash(what)) ^ hash(id)) ^ n))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that the specification prints (30 A37, A41, A75), seed 12345.
    #[test]
    fn draws_of_the_specification() {
        let stamp = |n| 10.0 * (1.0 + 0.2 * (2.0 * draw(12345, "cooldown", "Heavy", n) - 1.0));
        for (n, want) in [10.619101, 10.745613, 10.908933].into_iter().enumerate() {
            assert!((stamp(n as u64) - want).abs() < 1e-6, "stamp {n}: {}", stamp(n as u64));
        }
        assert!((draw(12345, "spawn", "Jab", 0) - 0.092545).abs() < 1e-6);
        assert!((0.1 * draw(12345, "phase", "", 0) - 0.045245).abs() < 1e-6);
    }
}
