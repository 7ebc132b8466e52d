// modules/tlm/protocol_rules.cpp: see protocol_rules.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/protocol_rules.hpp"

#include <fmt/format.h>

#include "modules/tlm/transport.hpp"

namespace flitwave {

using sc_core::sc_time;
using tlm::tlm_phase;

namespace {

const BrokenRule too_long = {
    "a delay that is negative, or leads beyond the longest time of a simulation",
    "annotate a delay of 0 or more after the present time"};

const char* const once = "send it once per request, and not after TLM_COMPLETED";

/// A phase that has been passed on a path to which it does not belong.
BrokenRule on_wrong_path(const tlm_phase& phase, const char* path) {
  const bool forward = phase == tlm::BEGIN_REQ || phase == tlm::END_RESP;
  return {fmt::format("{} on the {} path", name_of(phase), path),
          fmt::format("pass it to nb_transport_{}", forward ? "fw" : "bw")};
}

/// A phase that its caller has not set.
BrokenRule unset_phase(const char* path, const char* example) {
  return {fmt::format("UNINITIALIZED_PHASE on the {} path", path),
          fmt::format("set the phase before the call, e.g. to {}", example)};
}

}  // namespace

ProtocolRules::Attributes ProtocolRules::attributes_of(const Payload& payload) {
  return {payload.get_command(),         payload.get_address(),
          payload.get_data_ptr(),        payload.get_data_length(),
          payload.get_byte_enable_ptr(), payload.get_byte_enable_length(),
          payload.get_streaming_width()};
}

ProtocolRules::Progress* ProtocolRules::find(const Payload& payload) {
  const auto found = transactions_.find(&payload);
  return found == transactions_.end() ? nullptr : &found->second;
}

void ProtocolRules::end(const Payload& payload) {
  if (requesting_ == &payload) requesting_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
  transactions_.erase(&payload);
}

/// Attributes that every request must have set.
BrokenRule ProtocolRules::wrong_request(const Payload& payload) {
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) {
    if (payload.get_data_length() == 0)
      return {"a request has a data length of 0", "set it, or the command to TLM_IGNORE_COMMAND"};
    if (!payload.get_data_ptr())
      return {"a request has no data pointer", "set it to memory for the data length"};
    if (payload.get_streaming_width() == 0)
      return {"a request has a streaming width of 0",
              "set it to the data length, or less to repeat addresses"};
  }
  if (payload.get_byte_enable_ptr() && payload.get_byte_enable_length() == 0)
    return {"a request has byte enables of length 0", "set their length, or their pointer to null"};
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    return {"the response status of a request is not TLM_INCOMPLETE_RESPONSE",
            "set it before each request, also with a payload that was used before"};
  if (payload.is_dmi_allowed())
    return {"a request has set the DMI hint", "call set_dmi_allowed(false) before each request"};
  return {};
}

BrokenRule ProtocolRules::wrong_response(const Progress& progress, const Payload& payload) {
  const Attributes& before = progress.attributes;
  const Attributes now = attributes_of(payload);
  const auto changed = [](const char* what) {
    return BrokenRule{fmt::format("the {} was changed between request and response", what),
                      "leave it until the response as it was in the request"};
  };
  if (now.command != before.command) return changed("command");
  if (now.address != before.address) return changed("address");
  if (now.data != before.data) return changed("data pointer");
  if (now.length != before.length) return changed("data length");
  if (now.enables != before.enables || now.enable_length != before.enable_length)
    return changed("byte enables");
  if (now.streaming_width != before.streaming_width) return changed("streaming width");
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    return {"the response status of a response is still TLM_INCOMPLETE_RESPONSE",
            "set it at the target before the response, e.g. to TLM_OK_RESPONSE"};
  return {};
}

BrokenRule ProtocolRules::move(Progress& progress, std::int64_t at) {
  if (at < progress.at)
    return {fmt::format("time goes back: this phase is at {} ps, the one before at {} ps", at,
                        progress.at),
            "annotate a delay that leads to the time of the phase before, or later"};
  progress.at = at;
  return {};
}

// Non-blocking transport: a phase of a transaction.

BrokenRule ProtocolRules::request(const Payload& payload, std::int64_t at) {
  if (find(payload))
    return {"BEGIN_REQ for a transaction that has not ended",
            "use another payload, or wait for its END_RESP"};
  if (requesting_)
    return {"a second BEGIN_REQ before END_REQ of the first",
            "wait for END_REQ or the response of the first"};
  if (!payload.has_mm())
    return {"a transaction without a memory manager in nb_transport_fw",
            "call set_mm and acquire of the payload before"};
  if (BrokenRule wrong = wrong_request(payload); !wrong.empty()) return wrong;
  transactions_.emplace(&payload, Progress{attributes_of(payload), State::requested, at, false});
  requesting_ = &payload;
  return {};
}

BrokenRule ProtocolRules::accept(const Payload& payload, std::int64_t at) {
  Progress* const progress = find(payload);
  if (!progress || progress->blocking) return {"END_REQ without BEGIN_REQ", once};
  if (progress->state == State::responded)
    return {"END_REQ after BEGIN_RESP", "leave it out; BEGIN_RESP implies it"};
  if (progress->state == State::accepted) return {"a second END_REQ", once};
  progress->state = State::accepted;
  requesting_ = nullptr;
  return move(*progress, at);
}

BrokenRule ProtocolRules::respond(const Payload& payload, std::int64_t at) {
  Progress* const progress = find(payload);
  if (!progress || progress->blocking) return {"BEGIN_RESP without BEGIN_REQ", once};
  if (progress->state == State::responded) return {"a second BEGIN_RESP", once};
  if (responding_)
    return {"a second BEGIN_RESP before END_RESP of the first", "wait for END_RESP of the first"};
  if (requesting_ == &payload) requesting_ = nullptr;  // it implies END_REQ
  progress->state = State::responded;
  responding_ = &payload;
  if (BrokenRule wrong = wrong_response(*progress, payload); !wrong.empty()) return wrong;
  return move(*progress, at);
}

BrokenRule ProtocolRules::end_response(const Payload& payload, std::int64_t at) {
  Progress* const progress = find(payload);
  if (!progress || progress->state != State::responded)
    return {"END_RESP without BEGIN_RESP", "send it once, after BEGIN_RESP"};
  BrokenRule broken = move(*progress, at);
  end(payload);
  return broken;
}

/// The return TLM_COMPLETED.
BrokenRule ProtocolRules::end_early(const Payload& payload, std::int64_t at) {
  Progress* const progress = find(payload);
  if (!progress) return {};  // the call itself has ended it
  BrokenRule broken =
      progress->state == State::responded ? BrokenRule{} : wrong_response(*progress, payload);
  if (broken.empty()) broken = move(*progress, at);
  end(payload);
  return broken;
}

BrokenRule ProtocolRules::forward(const Payload& payload, const tlm_phase& phase,
                                  const sc_time& delay) {
  if (is_too_long(delay)) return too_long;
  const std::int64_t at = picoseconds_after(delay);
  if (phase == tlm::BEGIN_REQ) return request(payload, at);
  if (phase == tlm::END_RESP) return end_response(payload, at);
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) return on_wrong_path(phase, "forward");
  if (phase == tlm::UNINITIALIZED_PHASE) return unset_phase("forward", "BEGIN_REQ");
  return {};
}

BrokenRule ProtocolRules::backward(const Payload& payload, const tlm_phase& phase,
                                   const sc_time& delay) {
  if (is_too_long(delay)) return too_long;
  const std::int64_t at = picoseconds_after(delay);
  if (phase == tlm::END_REQ) return accept(payload, at);
  if (phase == tlm::BEGIN_RESP) return respond(payload, at);
  if (phase == tlm::BEGIN_REQ || phase == tlm::END_RESP) return on_wrong_path(phase, "backward");
  if (phase == tlm::UNINITIALIZED_PHASE) return unset_phase("backward", "BEGIN_RESP");
  return {};
}

/// The returns TLM_ACCEPTED and TLM_COMPLETED, of either path.
BrokenRule ProtocolRules::returned(const Payload& payload, const Call& call,
                                   tlm::tlm_sync_enum status, const tlm_phase& phase,
                                   const sc_time& delay) {
  if (status == tlm::TLM_ACCEPTED)
    return phase == call.phase && delay == call.delay
               ? BrokenRule{}
               : BrokenRule{"TLM_ACCEPTED with another phase or delay than in the call",
                            "return TLM_UPDATED, or leave both as they are"};
  return is_too_long(delay) ? too_long : end_early(payload, picoseconds_after(delay));
}

BrokenRule ProtocolRules::forward_returned(const Payload& payload, const Call& call,
                                           tlm::tlm_sync_enum status, const tlm_phase& phase,
                                           const sc_time& delay) {
  if (status != tlm::TLM_UPDATED) return returned(payload, call, status, phase, delay);
  if (is_too_long(delay)) return too_long;
  const std::int64_t at = picoseconds_after(delay);
  if (phase == tlm::END_REQ) return accept(payload, at);
  if (phase == tlm::BEGIN_RESP) return respond(payload, at);
  return {"TLM_UPDATED with the phase " + name_of(phase) + " on the forward path",
          "set the phase to END_REQ or BEGIN_RESP, or return TLM_ACCEPTED"};
}

BrokenRule ProtocolRules::backward_returned(const Payload& payload, const Call& call,
                                            tlm::tlm_sync_enum status, const tlm_phase& phase,
                                            const sc_time& delay) {
  if (status != tlm::TLM_UPDATED) return returned(payload, call, status, phase, delay);
  if (is_too_long(delay)) return too_long;
  const std::int64_t at = picoseconds_after(delay);
  if (phase == tlm::END_RESP) return end_response(payload, at);
  return {"TLM_UPDATED with the phase " + name_of(phase) + " on the backward path",
          "set the phase to END_RESP, or return TLM_ACCEPTED"};
}

// Blocking transport.

BrokenRule ProtocolRules::blocking(const Payload& payload, const sc_time& delay) {
  if (!is_in_thread())
    return {"b_transport called outside an SC_THREAD",
            "call it from an SC_THREAD, or use nb_transport_fw"};
  if (is_too_long(delay)) return too_long;
  if (find(payload))
    return {"b_transport with a transaction that has not ended",
            "use another payload, or wait for its end"};
  if (BrokenRule wrong = wrong_request(payload); !wrong.empty()) return wrong;
  transactions_.emplace(
      &payload, Progress{attributes_of(payload), State::requested, picoseconds_after(delay), true});
  return {};
}

BrokenRule ProtocolRules::blocking_returned(const Payload& payload, const sc_time& delay) {
  if (is_too_long(delay)) return too_long;
  Progress* const progress = find(payload);
  if (!progress) return {};  // its call has broken a rule
  BrokenRule broken = wrong_response(*progress, payload);
  if (broken.empty()) broken = move(*progress, picoseconds_after(delay));
  end(payload);
  return broken;
}

}  // namespace flitwave
