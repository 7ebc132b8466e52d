// modules/tlm/devices/message_registers.hpp: registers by which a processor sends messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

#include <systemc>

#include "modules/tlm/devices/node_device.hpp"

namespace flitwave {

/// A target with the registers of a network interface: a store of a command sends the data of the
/// send window to one node or several, or begins the node's part of the job's collective.
///
/// Registers have 32 bits, the lowest byte first; an access is of one register, or of bytes of a
/// window. All accesses are answered without waiting.
/// Timing: a command is carried out at the first clock edge after its store, with the overheads of
///   the node. It is completed when the last flit of the last message is on the injection channel,
///   or when the node's part of the collective is over.
/// Errors: TLM_ADDRESS_ERROR_RESPONSE where there is no register; TLM_BURST_ERROR_RESPONSE for an
///   access that is not one aligned register; TLM_BYTE_ENABLE_ERROR_RESPONSE with byte enables;
///   TLM_COMMAND_ERROR_RESPONSE for a store to a register that is read only, or a command that is
///   unknown or cannot be carried out: another is not completed, a destination or length is wrong,
///   there is no collective, or it was begun before; also to a payload that is no load, no store
///   and not TLM_IGNORE_COMMAND.
class MessageRegisters final : public sc_core::sc_module, private MessageDevice {
 public:
  // [offsets]
  /// The offsets of registers and windows. Unit: byte
  enum Offset : std::uint64_t {
    command = 0x00,           ///< Write: a Command.
    status = 0x04,            ///< Read: bits of Status.
    completed = 0x08,         ///< Read: the number of completed commands.
    interrupt_enable = 0x0c,  ///< Bits of Status that make the interrupt wire high.
    acknowledge = 0x10,       ///< Write: bits of Status to be cleared.
    destination = 0x14,       ///< Number of a node, for `send`.
    length = 0x18,            ///< Of the data to be sent. Range: 1 .. window. Unit: byte
    received_from = 0x1c,     ///< Read: number of the node that sent the first message received.
    received_length = 0x20,   ///< Read: of the first message received; 0: there is none.
    next_message = 0x24,      ///< Write any value: discards the first message received.
    node = 0x28,              ///< Read: the number of this node.
    receivers = 0x40,         ///< 16 registers: a bit per node, for `multicast`.
    send_window = 0x1000,     ///< The data to be sent.
    receive_window = 0x2000,  ///< Read: the data of the first message received.
  };
  static constexpr std::uint64_t window = 0x1000;  ///< Size of a window. Unit: byte
  static constexpr std::uint64_t size = receive_window + window;
  static constexpr int most_receivers = 512;  ///< Nodes that have a bit in `receivers`.

  enum Command : std::uint32_t { send = 1, multicast = 2, begin_collective = 3 };
  enum Status : std::uint32_t {
    busy = 1,            ///< A command is being carried out.
    done = 2,            ///< A command was completed; kept until it is acknowledged.
    message_waits = 4,   ///< A message was received and not discarded.
    collective_over = 8  ///< The node's part of the collective is over.
  };
  // [offsets]

  tlm_utils::simple_target_socket<MessageRegisters> socket{"socket"};
  /// High while a bit of `interrupt_enable` is set in `status`.
  sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> interrupt{"interrupt"};

  MessageRegisters(const sc_core::sc_module_name& name, const NodeSite& site);

  /// Whether there is a collective, and no command has begun the node's part of it.
  bool awaits_collective() const { return site_.collective && !collective_begun_; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);

  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload, std::int64_t at);
  std::optional<std::uint32_t> read(std::uint64_t offset) const;
  bool write(std::uint64_t offset, std::uint32_t value, std::int64_t at);
  bool read_window(tlm::tlm_generic_payload& payload) const;
  bool write_window(const tlm::tlm_generic_payload& payload);
  bool begin(std::uint32_t wanted, std::int64_t at);
  std::optional<std::vector<NodeId>> receivers_of(std::uint32_t wanted) const;
  bool is_possible(NodeId receiver) const;
  void collective_ended();
  void complete();
  void set_status(std::uint32_t set, std::uint32_t clear = 0);

  void at_edge() override;
  void message_received(NodeId source, std::vector<std::uint8_t> data) override;
  void message_sent() override;

  struct Message {
    NodeId source;
    std::vector<std::uint8_t> data;
  };

  NodeSite site_;
  std::uint32_t status_ = 0;
  std::uint32_t enable_ = 0;
  std::uint32_t completed_ = 0;
  std::uint32_t destination_ = 0;
  std::uint32_t length_ = 0;
  std::array<std::uint32_t, most_receivers / 32> receivers_{};
  std::vector<std::uint8_t> window_;
  std::deque<Message> messages_;
  std::uint32_t command_ = 0;  // that waits for an edge; 0: none
  std::vector<NodeId> to_;     // of the command, as is `data_`
  std::vector<std::uint8_t> data_;
  std::size_t unsent_ = 0;  // messages of the command that is carried out
  bool collective_begun_ = false;
};

}  // namespace flitwave
