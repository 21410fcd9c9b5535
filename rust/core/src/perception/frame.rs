//! Snapshots: where a node is, as read once per tick.

use glam::{DMat3, DVec3};

use super::settings::PerceiverSettings;

/// A global transform as the engine gives it: may be scaled, sheared or broken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Global position.
    pub origin: DVec3,
    /// Global basis, columns X, Y, Z.
    pub basis: DMat3,
}

impl Frame {
    /// Unturned, at a place.
    pub fn at(origin: DVec3) -> Self {
        Self { origin, basis: DMat3::IDENTITY }
    }

    /// True if all numbers are finite.
    pub(super) fn is_finite(&self) -> bool {
        self.origin.is_finite() && self.basis.is_finite()
    }

    /// Where the node is without scale and shear; `None` when a number is not finite.
    pub fn pose(&self) -> Option<Pose> {
        if !self.is_finite() {
            return None;
        }
        Some(Pose { origin: self.origin, axes: orthonormalized(&self.basis) })
    }
}

/// A place with orthonormal axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Global position.
    pub origin: DVec3,
    /// Unit axes, columns X, Y, Z.
    pub axes: DMat3,
}

impl Pose {
    /// A point that is given in these axes.
    pub fn point(&self, offset: DVec3) -> DVec3 {
        self.origin + self.axes * offset
    }
}

/// A perceiver's snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) origin: DVec3,
    pub(super) eye: DVec3,
    pub(super) forward: DVec3,
}

/// Eye and forward of a perceiver. `planar`: forward is the X axis turned by the facing offset, in the node's own
/// axes, so that a mirrored node looks the other way.
pub fn eye_and_forward(pose: &Pose, settings: &PerceiverSettings, planar: bool) -> (DVec3, DVec3) {
    let forward = forward(pose, settings.facing_offset_degrees, settings.use_model_front, planar);
    (pose.point(settings.eye_offset), forward)
}

/// Which way a perceiver looks.
pub(super) fn forward(pose: &Pose, facing_offset_degrees: f64, model_front: bool, planar: bool) -> DVec3 {
    match (planar, model_front) {
        (true, _) if facing_offset_degrees == 0.0 => pose.axes.x_axis,
        (true, _) => {
            let turn = facing_offset_degrees.to_radians();
            pose.axes * DVec3::new(libm::cos(turn), libm::sin(turn), 0.0)
        }
        (false, true) => pose.axes.z_axis,
        (false, false) => -pose.axes.z_axis,
    }
}

/// Axes that are off by less count as orthonormal: a millionth of a metre at a metre.
const SLACK: f64 = 1e-6;

/// Gram-Schmidt from X to Z, as the engine does it; identity where an axis has no length.
fn orthonormalized(basis: &DMat3) -> DMat3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = *basis;
    let is_unit = |v: DVec3| (v.length_squared() - 1.0).abs() < SLACK;
    let is_right = |a: DVec3, b: DVec3| a.dot(b).abs() < SLACK;
    if is_unit(x) && is_unit(y) && is_unit(z) && is_right(x, y) && is_right(x, z) && is_right(y, z) {
        return *basis;
    }
    let axis = |v: DVec3| {
        let length = v.length();
        (length > 1e-12).then(|| v / length)
    };
    let axes = || {
        let x = axis(basis.x_axis)?;
        let y = axis(basis.y_axis - x * x.dot(basis.y_axis))?;
        let z = axis(basis.z_axis - x * x.dot(basis.z_axis) - y * y.dot(basis.z_axis))?;
        Some(DMat3::from_cols(x, y, z))
    };
    axes().unwrap_or(DMat3::IDENTITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_is_dropped_and_broken_numbers_are_refused() {
        let turned = DMat3::from_rotation_y(1.0);
        let scaled = Frame { origin: DVec3::ONE, basis: turned * 3.0 };
        let pose = scaled.pose().unwrap();
        assert!(pose.axes.abs_diff_eq(turned, 1e-12));
        assert!((pose.point(DVec3::Y) - DVec3::new(1.0, 2.0, 1.0)).length() < 1e-12);
        let flat = Frame { origin: DVec3::ZERO, basis: DMat3::ZERO };
        assert_eq!(flat.pose().unwrap().axes, DMat3::IDENTITY);
        let broken = Frame::at(DVec3::new(f64::NAN, 0.0, 0.0));
        assert_eq!(broken.pose(), None);
    }

    #[test]
    fn forward_is_minus_z_plus_z_or_plus_x() {
        let pose = Frame::at(DVec3::ZERO).pose().unwrap();
        let mut settings = PerceiverSettings::default();
        assert_eq!(eye_and_forward(&pose, &settings, false).1, DVec3::NEG_Z);
        settings.use_model_front = true;
        assert_eq!(eye_and_forward(&pose, &settings, false).1, DVec3::Z);
        assert_eq!(eye_and_forward(&pose, &settings, true).1, DVec3::X);
    }

    #[test]
    fn a_mirrored_node_looks_back_and_its_offset_is_mirrored_too() {
        let mirrored = DMat3::from_diagonal(DVec3::new(-2.0, 2.0, 1.0));
        let pose = Frame { origin: DVec3::ZERO, basis: mirrored }.pose().unwrap();
        let mut settings = PerceiverSettings::default();
        assert_eq!(eye_and_forward(&pose, &settings, true).1, DVec3::NEG_X);
        settings.facing_offset_degrees = 30.0;
        let forward = eye_and_forward(&pose, &settings, true).1;
        assert!((forward - DVec3::new(-0.866_025_403_784, 0.5, 0.0)).length() < 1e-9);
        let upright = Frame::at(DVec3::ZERO).pose().unwrap();
        settings.facing_offset_degrees = 90.0;
        assert!((eye_and_forward(&upright, &settings, true).1 - DVec3::Y).length() < 1e-12);
    }
}
