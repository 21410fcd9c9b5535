//! Requests that the owner of an agent sends to its authority.
//!
//! What arrives was made by a stranger: nothing of it is believed before it was looked at.

use godot::global::{Error, var_to_bytes};
use godot::prelude::*;
use riposte_core::command::{Entry, Reason};

use super::aim::Aim;
use super::peers;
use super::request_data::RequestData;
use super::requesting::{self, Control};
use super::saved_order::NOBODY;
use super::validation::Refusal;
use super::{CommandReceipt, CommandRequest, CommandSystem, driver, known};
use crate::base::{messages, network, tree_paths};

/// Bytes of a message at the most.
const LARGEST: usize = 1024;
/// Lists within lists at the most.
const DEEPEST: u32 = 16;

/// The methods that peers call, see [`super::CommandSystem`].
pub(super) const ORDER: &str = "_riposte_order";
/// As above.
pub(super) const CONTROL: &str = "_riposte_control";
/// As above.
pub(super) const ANSWER: &str = "_riposte_answer";

/// What a request of this peer comes to.
enum Way {
    Here,
    ToAuthority,
    Nowhere(Reason),
}

fn way(this: &Gd<CommandSystem>) -> Way {
    if peers::decides(this) {
        return Way::Here;
    }
    if !this.is_instance_valid() || !this.is_inside_tree() {
        return Way::Nowhere(Reason::OutsideTree);
    }
    if peers::is_owner(this) { Way::ToAuthority } else { Way::Nowhere(Reason::NotOwner) }
}

/// A request, from wherever it is made.
pub(super) fn request(
    this: &Gd<CommandSystem>,
    request: Option<Gd<CommandRequest>>,
    entry: Entry,
) -> Gd<CommandReceipt> {
    const MEMBER: &str = "request_command";
    if !driver::on_main(this, MEMBER) {
        return requesting::rejected(&Refusal::plain(Reason::InvalidRequest));
    }
    let sent = match way(this) {
        Way::Here => return requesting::request(this, MEMBER, request, entry),
        Way::Nowhere(reason) => Err(Refusal::plain(reason)),
        Way::ToAuthority => RequestData::read(&this.clone().upcast(), MEMBER, request.as_ref())
            .and_then(|data| send(this, ORDER, |token| order_message(token, entry, &data))),
    };
    sent.unwrap_or_else(|refusal| requesting::refuse(this, request, &refusal))
}

fn order_message(token: i64, entry: Entry, data: &RequestData) -> VarArray {
    let name = super::CommandDefinition::compiled(&data.definition).id.clone();
    let path = |id: &InstanceId| GString::from(&tree_paths::path_of(*id).unwrap_or_default()).to_variant();
    let aim = |aim: Option<Aim>| aim.map_or_else(Variant::nil, Aim::to_script);
    varray![
        token,
        entry.code(),
        &GString::from(&name),
        data.variant,
        &data.targets.iter().map(path).collect::<VarArray>(),
        &aim(data.location),
        &aim(data.direction),
        &data.payload
    ]
}

/// A control, from wherever it is made.
pub(super) fn control(this: &Gd<CommandSystem>, code: i64, argument: &Variant) -> Gd<CommandReceipt> {
    const MEMBER: &str = "request_control";
    if !driver::on_main(this, MEMBER) {
        return requesting::rejected(&Refusal::plain(Reason::InvalidRequest));
    }
    let Some(control) = control_of(code, argument) else {
        let text = format!(
            "{MEMBER}() got {code} with {argument}. Use one of the CONTROL_* constants, with an id, a place or the name of a source."
        );
        messages::error(this, MEMBER, "control", &text);
        return requesting::rejected(&Refusal::plain(Reason::InvalidRequest));
    };
    match way(this) {
        Way::Here => requesting::control(this, MEMBER, control),
        Way::Nowhere(reason) => requesting::rejected(&Refusal::plain(reason)),
        Way::ToAuthority => send(this, CONTROL, |token| varray![token, code, argument])
            .unwrap_or_else(|refusal| requesting::rejected(&refusal)),
    }
}

fn control_of(code: i64, argument: &Variant) -> Option<Control> {
    let number = || argument.try_to::<i64>().ok();
    Some(match code {
        CommandSystem::CONTROL_CANCEL => Control::Cancel(number()?),
        CommandSystem::CONTROL_CLEAR_QUEUE => Control::ClearQueue(match argument.try_to::<i64>() {
            Ok(0) => StringName::default(),
            _ => argument.try_to_relaxed().ok()?,
        }),
        CommandSystem::CONTROL_CLEAR_ALL => Control::ClearAll,
        CommandSystem::CONTROL_SKIP => Control::Skip,
        CommandSystem::CONTROL_REMOVE_AT => Control::Remove(number()?, 1),
        CommandSystem::CONTROL_REMOVE_LAST => Control::RemoveLast,
        _ => return None,
    })
}

fn send(
    this: &Gd<CommandSystem>,
    method: &str,
    message: impl FnOnce(i64) -> VarArray,
) -> Result<Gd<CommandReceipt>, Refusal> {
    let token = driver::with(this.instance_id(), |state| {
        state.peers.token += 1;
        state.peers.token
    });
    let message = message(token.unwrap_or(1)).to_variant();
    if let Some(detail) = too_much(&message) {
        return Err(Refusal { reason: Reason::Malformed, detail });
    }
    let mut node = this.clone();
    let authority = i64::from(node.get_multiplayer_authority());
    if node.rpc_id(authority, method, &[message]) != Error::OK {
        return Err(Refusal::plain(Reason::NotAuthority));
    }
    Ok(CommandReceipt::sent(token.unwrap_or(1)))
}

/// What a message has that may not be sent; none if all is well.
fn too_much(message: &Variant) -> Option<String> {
    if !is_plain(message, 0) {
        return Some("an object, or lists that are too deep".to_owned());
    }
    let bytes = var_to_bytes(message).len();
    (bytes > LARGEST).then(|| format!("{bytes} bytes of {LARGEST}"))
}

/// Without objects, and without an end.
fn is_plain(value: &Variant, depth: u32) -> bool {
    match value.get_type() {
        VariantType::OBJECT | VariantType::CALLABLE | VariantType::SIGNAL | VariantType::RID => false,
        VariantType::ARRAY => {
            depth < DEEPEST && value.to::<AnyArray>().iter_shared().all(|one| is_plain(&one, depth + 1))
        }
        VariantType::DICTIONARY => {
            let fits =
                |(key, value): (Variant, Variant)| is_plain(&key, depth + 1) && is_plain(&value, depth + 1);
            depth < DEEPEST && value.to::<AnyDictionary>().iter_shared().all(fits)
        }
        _ => true,
    }
}

/// Something arrived on the authority: an order or a control.
pub(super) fn arrived(this: &Gd<CommandSystem>, message: &Variant, is_order: bool) {
    let sender = sender_of(this);
    if sender == 0 || !peers::decides(this) || !this.is_instance_valid() {
        return;
    }
    let is_owner = this.bind().owner_peer == i64::from(sender);
    let token = token_of(message);
    let answer = match accept(this, sender, is_owner, message) {
        Ok(parts) if is_order => order(this, &parts),
        Ok(parts) => take_control(this, &parts),
        Err(reason) => Err(reason),
    };
    let (outcome, reason, command) = match answer {
        Ok(receipt) => {
            let receipt = receipt.bind();
            (receipt.outcome(), receipt.reason(), receipt.command_id())
        }
        Err(reason) => {
            let reason = StringName::from(reason.name());
            if this.is_instance_valid() {
                this.signals().remote_request_refused().emit(i64::from(sender), &reason);
            }
            (0, reason, 0)
        }
    };
    // Who is not the owner gets no word, and nobody who has left.
    let Some(token) = token.filter(|_| is_owner && this.is_instance_valid() && this.is_inside_tree()) else {
        return;
    };
    let mut node = this.clone();
    let connected = node.get_multiplayer().is_some_and(|api| api.get_peers().contains(sender));
    if connected {
        let answer = [token.to_variant(), outcome.to_variant(), reason.to_variant(), command.to_variant()];
        node.rpc_id(i64::from(sender), ANSWER, &answer);
    }
}

fn sender_of(this: &Gd<CommandSystem>) -> i32 {
    this.get_multiplayer().map_or(0, |api| api.get_remote_sender_id())
}

fn token_of(message: &Variant) -> Option<i64> {
    message.try_to::<AnyArray>().ok()?.get(0)?.try_to().ok()
}

/// The message, if this sender may send it now.
fn accept(
    this: &Gd<CommandSystem>,
    sender: i32,
    is_owner: bool,
    message: &Variant,
) -> Result<AnyArray, Reason> {
    let (accepts, per_second) = {
        let own = this.bind();
        (own.accept_remote_requests, own.max_remote_requests_per_second)
    };
    if !is_owner {
        return Err(Reason::NotOwner);
    }
    if !accepts {
        return Err(Reason::Disabled);
    }
    let now = network::game_time();
    let fits = driver::with(this.instance_id(), |state| {
        let limit = &mut state.peers.limit;
        if limit.0 != sender {
            *limit = (sender, Default::default());
        }
        limit.1.take(now, per_second as u32)
    });
    if fits != Some(true) {
        return Err(Reason::RateLimited);
    }
    if too_much(message).is_some() {
        return Err(Reason::Malformed);
    }
    message.try_to::<AnyArray>().map_err(|_| Reason::Malformed)
}

fn order(this: &Gd<CommandSystem>, parts: &AnyArray) -> Result<Gd<CommandReceipt>, Reason> {
    let (entry, name, data) = read_order(parts).ok_or(Reason::Malformed)?;
    let definition = known::find(this, &name).ok_or(Reason::UnknownDefinition)?;
    let source = this.bind().remote_source.clone();
    let data = RequestData { source, ..data(definition) };
    Ok(requesting::request_data(this, &data, entry))
}

type WithDefinition = Box<dyn FnOnce(Gd<super::CommandDefinition>) -> RequestData>;

fn read_order(parts: &AnyArray) -> Option<(Entry, StringName, WithDefinition)> {
    if parts.len() != 8 {
        return None;
    }
    let part = |index| parts.get(index);
    let entry = Entry::from_code(part(1)?.try_to().ok()?)?;
    let name: StringName = part(2)?.try_to_relaxed().ok()?;
    let variant: i64 = part(3)?.try_to().ok()?;
    let paths = part(4)?.try_to::<AnyArray>().ok()?;
    let target = |path: Variant| -> Option<InstanceId> {
        let path = path.try_to_relaxed::<GString>().ok()?.to_string();
        Some(tree_paths::node_at(&path).unwrap_or_else(|| InstanceId::from_i64(NOBODY)))
    };
    let targets = paths.iter_shared().map(target).collect::<Option<Vec<_>>>()?;
    let (location, direction) = (Aim::read(&part(5)?)?, Aim::read(&part(6)?)?);
    let payload: VarDictionary = part(7)?.try_to::<AnyDictionary>().ok()?.iter_shared().collect();
    let data = move |definition| RequestData {
        definition,
        variant,
        targets,
        location,
        direction,
        payload,
        source: StringName::default(),
    };
    Some((entry, name, Box::new(data)))
}

fn take_control(this: &Gd<CommandSystem>, parts: &AnyArray) -> Result<Gd<CommandReceipt>, Reason> {
    let control = match (parts.len(), parts.get(1), parts.get(2)) {
        (3, Some(code), Some(argument)) => {
            code.try_to().ok().and_then(|code: i64| control_of(code, &argument))
        }
        _ => None,
    };
    Ok(requesting::control(this, "request_control", control.ok_or(Reason::Malformed)?))
}

/// The answer of the authority arrived.
pub(super) fn answered(
    this: &Gd<CommandSystem>,
    token: i64,
    outcome: i64,
    reason: &StringName,
    command: i64,
) {
    if sender_of(this) != 0 {
        this.signals().request_answered().emit(token, outcome, reason, command);
    }
}
