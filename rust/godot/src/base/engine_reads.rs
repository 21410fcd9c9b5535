//! The few things that are read of every node in every step, asked of the engine without the ways of the binding.
//!
//! A read through the binding makes a description of the call, asks the engine whether the object lives, and checks the class
//! again, under a lock that all classes share: several times the read itself. Here the object is looked up once, and then
//! asked.

#![allow(
    unsafe_code,
    reason = "the interface functions have no safe face that leaves out what the binding adds"
)]

use std::marker::PhantomData;
use std::ptr;
use std::sync::OnceLock;

use godot::classes::{AnimationPlayer, Node, Node2D, Node3D};
use godot::obj::{Gd, GodotClass, InstanceId};
use godot::prelude::{StringName, Transform2D, Transform3D};
use godot::sys;

/// What kind of place a node has. An id is never given to another object, so this stays right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Nowhere,
    Space,
    Plane,
}

/// A node that is read again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    id: InstanceId,
    kind: Kind,
}

/// A node that lives, until anything is called that may free it.
pub(crate) struct Live<'a> {
    object: sys::GDExtensionObjectPtr,
    kind: Kind,
    reader: PhantomData<&'a Reader>,
}

/// Where a node stands.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stand {
    /// In space.
    Space(Transform3D),
    /// On the plane.
    Plane(Transform2D),
}

/// True if the object was not freed.
pub(crate) fn lives(id: InstanceId) -> bool {
    !object_of(id).is_null()
}

/// The global transform of a node in the tree; none of one that is freed.
pub(crate) fn global_transform_3d(node: &Gd<Node3D>) -> Option<Transform3D> {
    node.is_instance_valid().then(|| getter(node.obj_sys(), binds().transform_3d, Transform3D::IDENTITY))
}

/// The global transform of a node in the tree; none of one that is freed.
pub(crate) fn global_transform_2d(node: &Gd<Node2D>) -> Option<Transform2D> {
    node.is_instance_valid().then(|| getter(node.obj_sys(), binds().transform_2d, Transform2D::IDENTITY))
}

/// A node that lives and is not about to be freed.
pub(crate) fn is_there(node: &Gd<Node>) -> bool {
    lives(node.instance_id_unchecked()) && getter(node.obj_sys(), binds().is_queued_for_deletion, 0_u8) == 0
}

/// True for a node that lives and is in the tree.
pub(crate) fn is_inside_tree(node: &Gd<Node>) -> bool {
    lives(node.instance_id_unchecked()) && getter(node.obj_sys(), binds().is_inside_tree, 0_u8) != 0
}

/// Where an animation player is in what it plays; `None`: it plays nothing, or was freed.
pub(crate) fn animation_place(player: &Gd<AnimationPlayer>) -> Option<f64> {
    let plays =
        lives(player.instance_id_unchecked()) && getter(player.obj_sys(), binds().is_playing, 0_u8) != 0;
    plays.then(|| getter(player.obj_sys(), binds().animation_place, 0.0))
}

/// True for a node in space that lives.
pub(crate) fn is_in_space(node: &Gd<Node>) -> bool {
    is_of_class(node, classes().space)
}

/// True for a node on the plane that lives, also one of the interface.
pub(crate) fn is_in_plane(node: &Gd<Node>) -> bool {
    is_of_class(node, classes().plane) || is_of_class(node, classes().control)
}

fn is_of_class(node: &Gd<Node>, class: Class) -> bool {
    let object = object_of(node.instance_id_unchecked());
    // SAFETY: the object lives, and the tag is one that the engine gave for a class.
    let cast = |object: sys::GDExtensionObjectPtr| unsafe {
        sys::interface_fn!(object_cast_to)(object.cast_const(), class.0)
    };
    !object.is_null() && !cast(object).is_null()
}

/// True if somebody is connected to a signal of an object that lives.
pub(crate) fn has_connections(id: InstanceId, signal: &StringName) -> bool {
    let object = object_of(id);
    if object.is_null() {
        return false;
    }
    let (arguments, mut heard) = ([signal.string_sys().cast()], 0_u8);
    // SAFETY: the object lives, all objects have the method, and it takes one StringName, which outlives the call, and
    // writes a bool.
    unsafe {
        sys::interface_fn!(object_method_bind_ptrcall)(
            binds().has_connections.0,
            object,
            arguments.as_ptr(),
            ptr::from_mut(&mut heard).cast(),
        );
    }
    heard != 0
}

fn object_of(id: InstanceId) -> sys::GDExtensionObjectPtr {
    // SAFETY: the interface function takes any number and answers null for what does not live.
    unsafe { sys::interface_fn!(object_get_instance_from_id)(id.to_i64().cast_unsigned()) }
}

impl Reader {
    /// `None` if there is no such node.
    pub(crate) fn of(id: InstanceId) -> Option<Self> {
        let kind = if Gd::<Node3D>::try_from_instance_id(id).is_ok() {
            Kind::Space
        } else if Gd::<Node2D>::try_from_instance_id(id).is_ok() {
            Kind::Plane
        } else {
            Gd::<Node>::try_from_instance_id(id).ok()?;
            Kind::Nowhere
        };
        Some(Self { id, kind })
    }

    /// Of a node whose place is not asked for.
    pub(crate) fn placeless(node: &Gd<Node>) -> Self {
        Self { id: node.instance_id(), kind: Kind::Nowhere }
    }

    pub(crate) fn id(&self) -> InstanceId {
        self.id
    }

    pub(crate) fn is_flat(&self) -> bool {
        self.kind == Kind::Plane
    }

    /// The node, if it was not freed. Main thread only.
    pub(crate) fn live(&self) -> Option<Live<'_>> {
        let object = object_of(self.id);
        (!object.is_null()).then_some(Live { object, kind: self.kind, reader: PhantomData })
    }
}

/// A node will be asked soon whether it steps: the processor may fetch it meanwhile. A hint, whatever lies there.
pub(crate) fn expect_node(address: usize) {
    expect_all(address, &[0x1b8, 0x210, 0x268]);
}

/// The same of a node that will be asked where it stands.
pub(crate) fn expect_place(address: usize) {
    expect_all(address, &[0x40, 0x1b8, 0x348, 0x370, 0x3f8]);
}

/// As [`expect_place`], of a node that is held.
pub(crate) fn expect_place_of<T: GodotClass>(node: &Gd<T>) {
    expect_place(node.obj_sys().addr());
}

/// A script of a counted object will be called soon: its head, where its script is found, and its count.
pub(crate) fn expect_object(address: usize) {
    expect_all(address, &[0, 0x40, 0x100]);
}

/// What is read of a node, in bytes from its start, as Godot 4.6 keeps it: in the tree and the tree, who says whether it is
/// processed, its mode; the global transform and whether that is out of date. Being wrong here costs time and nothing else.
/// Nodes do not begin where a line of the caches begins, so the fields themselves are named.
fn expect_all(address: usize, fields: &[usize]) {
    if address != 0 {
        fields.iter().for_each(|field| expect(address + field));
    }
}

/// What lies here will be read soon. A hint, whatever lies there.
#[cfg(target_arch = "x86_64")]
pub(crate) fn expect(address: usize) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing that can be observed and faults at no address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(ptr::without_provenance(address)) };
}

/// What lies here will be read soon. A hint, whatever lies there.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn expect(_address: usize) {}

impl Live<'_> {
    /// Where the engine keeps it, for hints.
    pub(crate) fn address(&self) -> usize {
        self.object.addr()
    }

    pub(crate) fn is_inside_tree(&self) -> bool {
        self.flag(binds().is_inside_tree)
    }

    pub(crate) fn is_queued_for_deletion(&self) -> bool {
        self.flag(binds().is_queued_for_deletion)
    }

    /// It stands behind the other one in the tree. Both are in it.
    pub(crate) fn is_behind(&self, other: &Live) -> bool {
        let (arguments, mut behind) = ([ptr::from_ref(&other.object).cast()], 0_u8);
        // SAFETY: both objects live, as in `getter`, and are nodes; the method takes a node, which is given by a pointer to
        // its pointer, and writes a bool.
        unsafe {
            sys::interface_fn!(object_method_bind_ptrcall)(
                binds().is_greater_than.0,
                self.object,
                arguments.as_ptr(),
                ptr::from_mut(&mut behind).cast(),
            );
        }
        behind != 0
    }

    /// It steps now: not paused, not disabled. Only of a node in the tree.
    pub(crate) fn can_process(&self) -> bool {
        self.flag(binds().can_process)
    }

    /// The engine's callback for physics steps is on.
    pub(crate) fn is_physics_processing(&self) -> bool {
        self.flag(binds().is_physics_processing)
    }

    /// The engine's callback for idle frames is on.
    pub(crate) fn is_processing(&self) -> bool {
        self.flag(binds().is_processing)
    }

    /// Its place in the order of physics steps.
    pub(crate) fn physics_priority(&self) -> i64 {
        self.read(binds().physics_priority, 0)
    }

    /// Its place in the order of idle frames.
    pub(crate) fn idle_priority(&self) -> i64 {
        self.read(binds().idle_priority, 0)
    }

    /// Where it stands; only of a node in the tree. `None` for a node without a place.
    pub(crate) fn stand(&self) -> Option<Stand> {
        match self.kind {
            Kind::Nowhere => None,
            Kind::Space => Some(Stand::Space(self.read(binds().transform_3d, Transform3D::IDENTITY))),
            Kind::Plane => Some(Stand::Plane(self.read(binds().transform_2d, Transform2D::IDENTITY))),
        }
    }

    fn flag(&self, bind: Bind) -> bool {
        self.read(bind, 0_u8) != 0
    }

    /// Calls a getter; `blank` has the type that the engine writes.
    fn read<T>(&self, bind: Bind, blank: T) -> T {
        getter(self.object, bind, blank)
    }
}

/// Calls a getter of an object that lives; `blank` has the type that the engine writes.
fn getter<T>(object: sys::GDExtensionObjectPtr, bind: Bind, mut blank: T) -> T {
    // SAFETY: the object was found to live, and nothing that runs code of the game came between. It is of the class of the
    // method (by its type, or `Reader::of` made sure), the methods of `binds` take no arguments and only read, and each
    // caller passes a value of the type that its method returns.
    unsafe {
        sys::interface_fn!(object_method_bind_ptrcall)(
            bind.0,
            object,
            ptr::null(),
            ptr::from_mut(&mut blank).cast(),
        );
    }
    blank
}

/// A method of an engine class.
#[derive(Clone, Copy)]
pub(super) struct Bind(sys::GDExtensionMethodBindPtr);

impl Bind {
    pub(super) fn sys(self) -> sys::GDExtensionMethodBindPtr {
        self.0
    }
}

// SAFETY: the engine makes methods at its start and never changes them.
unsafe impl Send for Bind {}
// SAFETY: as above.
unsafe impl Sync for Bind {}

/// The engine's own name of a class.
#[derive(Clone, Copy)]
struct Class(*mut std::ffi::c_void);

// SAFETY: the engine makes them at its start and never changes them.
unsafe impl Send for Class {}
// SAFETY: as above.
unsafe impl Sync for Class {}

struct Classes {
    space: Class,
    plane: Class,
    control: Class,
}

fn classes() -> &'static Classes {
    static CLASSES: OnceLock<Classes> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let class = |name: &str| {
            let name = StringName::from(name);
            // SAFETY: the name lives during the call; the engine answers null for what it does not know.
            Class(unsafe { sys::interface_fn!(classdb_get_class_tag)(name.string_sys()) })
        };
        Classes { space: class("Node3D"), plane: class("Node2D"), control: class("Control") }
    })
}

struct Binds {
    is_inside_tree: Bind,
    is_queued_for_deletion: Bind,
    has_connections: Bind,
    is_greater_than: Bind,
    can_process: Bind,
    is_physics_processing: Bind,
    is_processing: Bind,
    is_playing: Bind,
    animation_place: Bind,
    physics_priority: Bind,
    idle_priority: Bind,
    transform_3d: Bind,
    transform_2d: Bind,
}

fn binds() -> &'static Binds {
    static BINDS: OnceLock<Binds> = OnceLock::new();
    BINDS.get_or_init(|| Binds {
        is_inside_tree: bind("Node", "is_inside_tree", 36_873_697),
        is_queued_for_deletion: bind("Object", "is_queued_for_deletion", 36_873_697),
        has_connections: bind("Object", "has_connections", 2_619_796_661),
        is_greater_than: bind("Node", "is_greater_than", 3_093_956_946),
        can_process: bind("Node", "can_process", 36_873_697),
        is_physics_processing: bind("Node", "is_physics_processing", 36_873_697),
        is_processing: bind("Node", "is_processing", 36_873_697),
        is_playing: bind("AnimationPlayer", "is_playing", 36_873_697),
        animation_place: bind("AnimationPlayer", "get_current_animation_position", 1_740_695_150),
        physics_priority: bind("Node", "get_physics_process_priority", 3_905_245_786),
        idle_priority: bind("Node", "get_process_priority", 3_905_245_786),
        transform_3d: bind("Node3D", "get_global_transform", 3_229_777_777),
        transform_2d: bind("CanvasItem", "get_global_transform", 3_814_499_831),
    })
}

/// The numbers are those by which the engine's own description of its interface names a signature.
pub(super) fn bind(class: &str, method: &str, signature: i64) -> Bind {
    let (class, method) = (StringName::from(class), StringName::from(method));
    // SAFETY: the names live during the call; the engine answers null for what it does not know.
    let bind = unsafe {
        sys::interface_fn!(classdb_get_method_bind)(class.string_sys(), method.string_sys(), signature)
    };
    assert!(!bind.is_null(), "the engine has no {class}.{method} of this signature");
    Bind(bind)
}
