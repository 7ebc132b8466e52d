// modules/tlm/devices/message_registers.cpp: see message_registers.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/devices/message_registers.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "modules/tlm/transport.hpp"

namespace flitwave {

MessageRegisters::MessageRegisters(const sc_core::sc_module_name& name, const NodeSite& site)
    : sc_module(name), site_(site), window_(window, 0) {
  socket.register_b_transport(this, &MessageRegisters::b_transport);
  socket.register_transport_dbg(this, &MessageRegisters::transport_dbg);
  site.bridge.set_message_device(*this);
  if (!site.collective) return;
  site.collective->hold([this] { collective_ended(); });
  if (!site.collective->has_part()) site_.collective = nullptr;
}

// Accesses.

void MessageRegisters::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND)
    return payload.set_response_status(tlm::TLM_OK_RESPONSE);
  if (!moves_data(payload)) return payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  if (payload.get_byte_enable_ptr())
    return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  const bool repeats = payload.get_streaming_width() < payload.get_data_length();
  payload.set_response_status(repeats ? tlm::TLM_BURST_ERROR_RESPONSE
                                      : access(payload, picoseconds_after(delay)));
}

/// Needs: a load or a store
tlm::tlm_response_status MessageRegisters::access(tlm::tlm_generic_payload& payload,
                                                  std::int64_t at) {
  const std::uint64_t offset = payload.get_address();
  if (offset >= send_window) {
    const bool possible = payload.is_read() ? read_window(payload) : write_window(payload);
    return possible ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  const std::optional<std::uint32_t> value = read(offset - offset % 4);
  if (!value) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (offset % 4 != 0 || payload.get_data_length() != 4) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.is_read()) {
    for (unsigned i = 0; i < 4; ++i)
      payload.get_data_ptr()[i] = static_cast<unsigned char>(*value >> (8 * i));
    return tlm::TLM_OK_RESPONSE;
  }
  std::uint32_t written = 0;
  for (unsigned i = 0; i < 4; ++i)
    written |= static_cast<std::uint32_t>(payload.get_data_ptr()[i]) << (8 * i);
  return write(offset, written, at) ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE;
}

unsigned MessageRegisters::transport_dbg(tlm::tlm_generic_payload& payload) {
  const bool has_effects = payload.is_write() && payload.get_address() < send_window;
  if (has_effects || !moves_data(payload) || !payload.get_data_ptr()) return 0;
  return access(payload, picoseconds_now()) == tlm::TLM_OK_RESPONSE ? payload.get_data_length() : 0;
}

/// None where there is no register.
std::optional<std::uint32_t> MessageRegisters::read(std::uint64_t offset) const {
  if (offset >= receivers && offset < receivers + 4 * receivers_.size())
    return receivers_[(offset - receivers) / 4];
  switch (offset) {
    case command:
    case acknowledge:
    case next_message:
      return 0;
    case status:
      return status_;
    case completed:
      return completed_;
    case interrupt_enable:
      return enable_;
    case destination:
      return destination_;
    case length:
      return length_;
    case received_from:
      return messages_.empty() ? 0 : static_cast<std::uint32_t>(messages_.front().source.value());
    case received_length:
      return messages_.empty() ? 0 : static_cast<std::uint32_t>(messages_.front().data.size());
    case node:
      return static_cast<std::uint32_t>(site_.bridge.node().value());
    default:
      return std::nullopt;
  }
}

/// Returns: whether the register can be written, and a command be carried out.
bool MessageRegisters::write(std::uint64_t offset, std::uint32_t value, std::int64_t at) {
  if (offset >= receivers) {
    receivers_[(offset - receivers) / 4] = value;
    return true;
  }
  switch (offset) {
    case command:
      return begin(value, at);
    case interrupt_enable:
      enable_ = value;
      set_status(0);
      return true;
    case acknowledge:
      set_status(0, value & done);
      return true;
    case destination:
      destination_ = value;
      return true;
    case length:
      length_ = value;
      return true;
    case next_message:
      if (messages_.empty()) return false;
      messages_.pop_front();
      if (messages_.empty()) set_status(0, message_waits);
      return true;
    default:
      return false;
  }
}

bool MessageRegisters::read_window(tlm::tlm_generic_payload& payload) const {
  const std::uint64_t offset = payload.get_address();
  const bool sends = offset < receive_window;
  const std::uint64_t place = offset - (sends ? send_window : receive_window);
  if (place >= window || payload.get_data_length() > window - place) return false;
  const std::vector<std::uint8_t>* const data = sends               ? &window_
                                                : messages_.empty() ? nullptr
                                                                    : &messages_.front().data;
  for (unsigned i = 0; i < payload.get_data_length(); ++i)
    payload.get_data_ptr()[i] = data && place + i < data->size() ? (*data)[place + i] : 0;
  return true;
}

bool MessageRegisters::write_window(const tlm::tlm_generic_payload& payload) {
  const std::uint64_t place = payload.get_address() - send_window;
  if (place >= window || payload.get_data_length() > window - place) return false;
  std::copy_n(payload.get_data_ptr(), payload.get_data_length(),
              window_.begin() + static_cast<std::ptrdiff_t>(place));
  return true;
}

// Commands.

/// Whether the node is another one that can receive messages.
bool MessageRegisters::is_possible(NodeId receiver) const {
  return receiver != site_.bridge.node() && receiver.value() < site_.topology.nodes() &&
         site_.bridge.accepts_messages(receiver);
}

/// The receivers of a message; none when the command cannot be carried out.
std::optional<std::vector<NodeId>> MessageRegisters::receivers_of(std::uint32_t wanted) const {
  std::vector<NodeId> nodes;
  if (wanted == send && destination_ <= INT32_MAX)
    nodes.emplace_back(static_cast<int>(destination_));
  if (wanted == multicast)
    for (int i = 0; i < most_receivers; ++i)
      if ((receivers_[index(i / 32)] >> (i % 32) & 1) != 0) nodes.emplace_back(i);
  const bool possible =
      !nodes.empty() && length_ >= 1 && length_ <= window &&
      std::all_of(nodes.begin(), nodes.end(), [this](NodeId each) { return is_possible(each); });
  return possible ? std::optional(nodes) : std::nullopt;
}

/// Returns: whether the command can be carried out.
bool MessageRegisters::begin(std::uint32_t wanted, std::int64_t at) {
  if ((status_ & busy) != 0) return false;
  if (wanted == begin_collective) {
    if (!site_.collective || collective_begun_) return false;
    collective_begun_ = true;
  } else {
    const std::optional<std::vector<NodeId>> nodes = receivers_of(wanted);
    if (!nodes) return false;
    to_ = *nodes;
    data_.assign(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(length_));
  }
  command_ = wanted;
  set_status(busy);
  site_.bridge.call_at_edge(at);
  return true;
}

void MessageRegisters::at_edge() {
  const std::uint32_t begun = std::exchange(command_, 0);
  if (begun == 0) return;
  if (begun == begin_collective) {
    site_.collective->request(site_.processor);
    if ((status_ & collective_over) != 0) complete();  // the node only receives
    return;
  }
  unsent_ = to_.size();
  for (const NodeId receiver : to_) site_.bridge.send_message(receiver, data_);
}

void MessageRegisters::message_sent() {
  if (--unsent_ == 0) complete();
}

void MessageRegisters::collective_ended() {
  set_status(collective_over);
  if (collective_begun_ && command_ == 0) complete();
}

void MessageRegisters::message_received(NodeId source, std::vector<std::uint8_t> data) {
  messages_.push_back({source, std::move(data)});
  set_status(message_waits);
}

void MessageRegisters::complete() {
  ++completed_;
  set_status(done, busy);
}

void MessageRegisters::set_status(std::uint32_t set, std::uint32_t clear) {
  status_ = (status_ & ~clear) | set;
  interrupt.write((status_ & enable_) != 0);
}

}  // namespace flitwave
