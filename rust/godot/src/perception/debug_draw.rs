//! Debug drawing while a game runs: items of the rendering server, none in the user's tree. Off, it costs nothing.

use std::collections::BTreeMap;

use glam::DVec3;
use godot::builtin::{
    AnyArray, Array, Color, PackedColorArray, PackedVector2Array, PackedVector3Array, Rid, VarDictionary,
    Variant, Vector2,
};
use godot::classes::base_material_3d::{CullMode, Flags, ShadingMode, Transparency};
use godot::classes::mesh::ArrayType;
use godot::classes::rendering_server::{PrimitiveType, ShadowCastingSetting};
use godot::classes::{Os, RenderingServer, StandardMaterial3D};
use godot::meta::ToGodot;
use godot::obj::{EngineEnum as _, Gd, InstanceId, NewGd as _, Singleton as _};
use riposte_core::perception::{NodeId, PerceiverKey};

use super::debug_shapes::{self, Colors, Segment};
use super::dimension::{Axes as _, AxesList, Placed};
use super::nodes::Nodes;
use super::perception_server::PerceptionServer;
use super::rays::Trace;
use super::state;

/// Everything that is drawn.
#[derive(Default)]
pub(crate) struct Drawings {
    /// All perceivers are drawn.
    everybody: bool,
    /// Perceivers that ask to be drawn.
    wishes: usize,
    /// Perceivers that are drawn, and what of them.
    drawn: BTreeMap<PerceiverKey, Drawing>,
    material: Option<Gd<StandardMaterial3D>>,
}

/// One perceiver's drawing.
#[derive(Default)]
struct Drawing {
    rays: BTreeMap<NodeId, Checked>,
    items: Option<Items>,
}

/// The rays of the last check of a target.
struct Checked {
    /// The perceiver's time at the check.
    time: f64,
    traces: Vec<Trace>,
}

/// Scans after which the rays of a target that is not checked any more are gone.
const SCANS_SHOWN: f64 = 1.5;
/// The same in seconds, for scans in every tick.
const SHOWN: f64 = 0.1;

impl Drawings {
    /// Draws all perceivers, or only those that ask for it themselves.
    pub(crate) fn set_everybody(&mut self, on: bool) {
        self.everybody = on;
    }

    /// True if all perceivers are drawn.
    pub(crate) fn everybody(&self) -> bool {
        self.everybody
    }

    /// A perceiver that asked to be drawn, or did not, does so now.
    pub(super) fn count(&mut self, before: bool, now: bool) {
        self.wishes = self.wishes + usize::from(now) - usize::from(before);
    }

    fn is_idle(&self) -> bool {
        !self.everybody && self.wishes == 0 && self.drawn.is_empty()
    }

    /// Where the rays to a target go, if the perceiver is drawn.
    pub(super) fn traces(&mut self, key: PerceiverKey, target: NodeId) -> Option<&mut Vec<Trace>> {
        if self.drawn.is_empty() {
            return None;
        }
        let drawing = self.drawn.get_mut(&key)?;
        let time = state::with(|state| state.world.time(key));
        let checked = drawing.rays.entry(target).or_insert_with(|| Checked { time, traces: Vec::new() });
        checked.time = time;
        checked.traces.clear();
        Some(&mut checked.traces)
    }

    fn material(&mut self) -> Rid {
        let material = self.material.get_or_insert_with(|| {
            let mut material = StandardMaterial3D::new_gd();
            material.set_shading_mode(ShadingMode::UNSHADED);
            material.set_flag(Flags::ALBEDO_FROM_VERTEX_COLOR, true);
            material.set_transparency(Transparency::ALPHA);
            material.set_cull_mode(CullMode::DISABLED);
            material
        });
        material.get_rid()
    }
}

/// Takes everything off the screen.
pub(super) fn clear() {
    let mut server = PerceptionServer::singleton();
    let drawings = &mut server.bind_mut().nodes.drawings;
    drawings.drawn.clear();
    drawings.material = None;
}

/// Draws anew what is to be drawn. To be called once per physics frame.
pub(super) fn update() {
    let mut server = PerceptionServer::singleton();
    let mut server = server.bind_mut();
    let nodes = &mut server.nodes;
    if nodes.drawings.is_idle() {
        return;
    }
    let keys = match Os::singleton().is_debug_build() {
        true => state::with(|state| state.perceiver_keys()),
        false => Vec::new(),
    };
    let keys: Vec<_> = keys.into_iter().filter(|key| nodes.is_drawn(*key)).collect();
    nodes.drawings.drawn.retain(|key, _| keys.binary_search(key).is_ok());
    let colors = Colors::read();
    let material = nodes.drawings.material();
    for key in keys {
        let segments = segments_of(nodes, key, &colors);
        let Some(node) = nodes.perceiver(key).filter(|node| node.is_in_tree()).cloned() else {
            nodes.drawings.drawn.remove(&key);
            continue;
        };
        let drawing = nodes.drawings.drawn.entry(key).or_default();
        let fits = drawing.items.as_ref().is_some_and(|items| items.planar() == node.is_planar());
        if !fits {
            drawing.items = Some(Items::new(node.is_planar()));
        }
        if let Some(items) = &mut drawing.items {
            items.draw(&node, &segments, material);
        }
    }
}

fn segments_of(nodes: &mut Nodes, key: PerceiverKey, colors: &Colors) -> Vec<Segment> {
    let (time, interval) = state::with(|state| {
        let settings = state.world.perceiver_settings(key);
        (state.world.time(key), settings.map_or(0.0, |settings| settings.update_interval))
    });
    let mut traces = Vec::new();
    if let Some(drawing) = nodes.drawings.drawn.get_mut(&key) {
        let oldest = time - interval * SCANS_SHOWN - SHOWN;
        drawing.rays.retain(|_, checked| checked.time >= oldest);
        for (target, checked) in &drawing.rays {
            traces.extend(checked.traces.iter().map(|trace| (*target, *trace)));
        }
    }
    let Some(node) = nodes.perceiver(key) else { return Vec::new() };
    debug_shapes::of_perceiver(key, node, &traces, colors)
}

/// What is drawn of a Perception, or would be, as lines: `{points, colors}`, two points and one colour each.
pub(super) fn segments<P: AxesList + ToGodot>(perception: InstanceId) -> VarDictionary {
    let key = state::with(|state| state.perceiver(perception));
    let segments = key.map(|key| {
        let colors = Colors::read();
        segments_of(&mut PerceptionServer::singleton().bind_mut().nodes, key, &colors)
    });
    let segments = segments.unwrap_or_default();
    let points: Vec<DVec3> = segments.iter().flat_map(|segment| [segment.from, segment.to]).collect();
    let colors: PackedColorArray = segments.iter().map(|segment| segment.color).collect();
    let mut dictionary = VarDictionary::new();
    dictionary.set("points", &P::narrowed(&points).to_variant());
    dictionary.set("colors", &colors.to_variant());
    dictionary
}

/// What the rendering server has of one drawing.
enum Items {
    Three { mesh: Rid, instance: Rid, scenario: Rid },
    Two { item: Rid, canvas: Rid },
}

impl Items {
    fn new(planar: bool) -> Self {
        let mut server = RenderingServer::singleton();
        if planar {
            let item = server.canvas_item_create();
            // Above everything of the game.
            server.canvas_item_set_z_index(item, 4096);
            return Self::Two { item, canvas: Rid::Invalid };
        }
        let mesh = server.mesh_create();
        let instance = server.instance_create();
        server.instance_set_base(instance, mesh);
        server.instance_geometry_set_cast_shadows_setting(instance, ShadowCastingSetting::OFF);
        Self::Three { mesh, instance, scenario: Rid::Invalid }
    }

    fn planar(&self) -> bool {
        matches!(self, Self::Two { .. })
    }

    /// Shows these lines in the world that the node is in.
    fn draw(&mut self, node: &Placed, segments: &[Segment], material: Rid) {
        match (self, node) {
            (Self::Three { mesh, instance, scenario }, Placed::Three(node)) => {
                let now = node.get_world_3d().map_or(Rid::Invalid, |world| world.get_scenario());
                if now != *scenario {
                    RenderingServer::singleton().instance_set_scenario(*instance, now);
                    *scenario = now;
                }
                fill_mesh(*mesh, segments, material);
            }
            (Self::Two { item, canvas }, Placed::Two(node)) => {
                let now = node.get_canvas();
                if now != *canvas {
                    RenderingServer::singleton().canvas_item_set_parent(*item, now);
                    *canvas = now;
                }
                fill_item(*item, segments);
            }
            _ => {}
        }
    }
}

impl Drop for Items {
    fn drop(&mut self) {
        let mut server = RenderingServer::singleton();
        match *self {
            Self::Three { mesh, instance, .. } => {
                server.free_rid(instance);
                server.free_rid(mesh);
            }
            Self::Two { item, .. } => server.free_rid(item),
        }
    }
}

/// Half the width of the thickest line, in metres.
const THICK: f64 = 0.06;
/// The width of the thickest line, in pixels.
const THICK_2D: f32 = 6.0;

fn fill_mesh(mesh: Rid, segments: &[Segment], material: Rid) {
    let mut server = RenderingServer::singleton();
    server.mesh_clear(mesh);
    let (mut lines, mut bands) = (Surface::default(), Surface::default());
    for segment in segments {
        lines.add(segment.color, &[segment.from, segment.to]);
        if segment.weight > 0.0 {
            bands.add_band(segment);
        }
    }
    let surfaces = [(PrimitiveType::LINES, lines), (PrimitiveType::TRIANGLES, bands)];
    let filled = surfaces.into_iter().filter(|(_, surface)| !surface.points.is_empty());
    for (at, (primitive, surface)) in filled.enumerate() {
        server.mesh_add_surface_from_arrays(mesh, primitive, &surface.arrays());
        server.mesh_surface_set_material(mesh, at as i32, material);
    }
}

#[derive(Default)]
struct Surface {
    points: Vec<DVec3>,
    colors: Vec<Color>,
}

impl Surface {
    fn add(&mut self, color: Color, points: &[DVec3]) {
        self.points.extend_from_slice(points);
        self.colors.extend(points.iter().map(|_| color));
    }

    /// A thick line: two bands that cross, so that it is seen from everywhere.
    fn add_band(&mut self, segment: &Segment) {
        let along = (segment.to - segment.from).normalize_or_zero();
        if along == DVec3::ZERO {
            return;
        }
        let (side, up) = along.any_orthonormal_pair();
        for across in [side, up] {
            let edge = across * (THICK * segment.weight);
            let [a, b] = [segment.from - edge, segment.from + edge];
            let [c, d] = [segment.to - edge, segment.to + edge];
            self.add(segment.color, &[a, b, c, c, b, d]);
        }
    }

    fn arrays(self) -> AnyArray {
        let mut arrays: Array<Variant> = Array::new();
        arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
        let colors: PackedColorArray = self.colors.into_iter().collect();
        arrays
            .set(ArrayType::VERTEX.ord() as usize, &PackedVector3Array::narrowed(&self.points).to_variant());
        arrays.set(ArrayType::COLOR.ord() as usize, &colors.to_variant());
        arrays.upcast_any_array()
    }
}

fn fill_item(item: Rid, segments: &[Segment]) {
    let mut server = RenderingServer::singleton();
    server.canvas_item_clear(item);
    let thin = segments.iter().filter(|segment| segment.weight == 0.0);
    let points: Vec<DVec3> = thin.clone().flat_map(|segment| [segment.from, segment.to]).collect();
    let colors: PackedColorArray = thin.map(|segment| segment.color).collect();
    if !points.is_empty() {
        server.canvas_item_add_multiline(item, &PackedVector2Array::narrowed(&points), &colors);
    }
    for segment in segments.iter().filter(|segment| segment.weight > 0.0) {
        let [from, to] = [segment.from, segment.to].map(Vector2::narrowed);
        let width = 1.0 + (THICK_2D - 1.0) * segment.weight as f32;
        server.canvas_item_add_line_ex(item, from, to, segment.color).width(width).done();
    }
}
