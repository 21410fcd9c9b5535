//! A label above the agent that says what its player is at.

use godot::classes::base_material_3d::BillboardMode;
use godot::classes::node::InternalMode;
use godot::classes::{Engine, Label, Label3D, Node3D};
use godot::obj::Singleton as _;
use godot::prelude::*;

use super::{debugging, view};
use crate::base::engine_reads::{Reader, Stand};
use crate::base::lookup;

/// Metres above the agent's origin.
const HEIGHT: f32 = 2.2;
/// Pixels above it.
const RISE: f32 = 90.0;

/// Writes the label of its parent, an ActionGraphPlayer.
#[derive(GodotClass)]
#[class(init, internal, base = Node)]
struct RiposteActionOverlay {
    label: Option<InstanceId>,
    base: Base<Node>,
}

#[godot_api]
impl INode for RiposteActionOverlay {
    #[func(gd_self)]
    fn process(this: Gd<Self>, _delta: f64) {
        let Some(player) = this.get_parent().map(|player| player.instance_id()) else { return };
        Self::update(this, player);
    }
}

impl RiposteActionOverlay {
    fn update(mut this: Gd<Self>, player: InstanceId) {
        let shown = debugging::is_shown(player);
        let stand = lookup::agent_of(player).and_then(|agent| Reader::of(agent)?.live()?.stand());
        let known = this.bind().label.and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
        let Some(stand) = stand.filter(|_| shown) else {
            if let Some(mut label) = known {
                this.bind_mut().label = None;
                label.queue_free();
            }
            return;
        };
        let text = view::text(player);
        let label = known.unwrap_or_else(|| {
            let label = new_label(stand);
            this.add_child(&label);
            this.bind_mut().label = Some(label.instance_id());
            label
        });
        place(label, stand, &text);
    }
}

fn new_label(stand: Stand) -> Gd<Node> {
    match stand {
        Stand::Space(_) => {
            let mut label = Label3D::new_alloc();
            label.set_billboard_mode(BillboardMode::ENABLED);
            label.set_draw_flag(godot::classes::label_3d::DrawFlags::DISABLE_DEPTH_TEST, true);
            label.set_font_size(24);
            label.set_outline_size(8);
            label.upcast()
        }
        Stand::Plane(_) => {
            let mut label = Label::new_alloc();
            label.set_z_index(4096);
            label.upcast()
        }
    }
}

fn place(label: Gd<Node>, stand: Stand, text: &str) {
    match stand {
        Stand::Space(place) => {
            if let Ok(mut label) = label.try_cast::<Label3D>() {
                label.set_text(text);
                let mut node: Gd<Node3D> = label.upcast();
                node.set_global_position(place.origin + Vector3::new(0.0, HEIGHT, 0.0));
            }
        }
        Stand::Plane(place) => {
            if let Ok(mut label) = label.try_cast::<Label>() {
                label.set_text(text);
                label.set_position(place.origin - Vector2::new(0.0, RISE));
            }
        }
    }
}

/// Gives a player its overlay, or takes it away.
pub(super) fn want(player: InstanceId, wanted: bool) {
    let Ok(mut node) = Gd::<Node>::try_from_instance_id(player) else { return };
    let children = node.get_children_ex().include_internal(true).done();
    let known = children.iter_shared().find_map(|child| child.try_cast::<RiposteActionOverlay>().ok());
    match known {
        None if wanted && !Engine::singleton().is_editor_hint() => {
            let overlay = RiposteActionOverlay::new_alloc();
            node.add_child_ex(&overlay).internal(InternalMode::BACK).done();
        }
        Some(mut overlay) if !wanted => overlay.queue_free(),
        _ => {}
    }
}
