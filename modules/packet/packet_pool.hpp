// modules/packet/packet_pool.hpp: the packets to which the handles of flits refer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/routing.hpp"
#include "configs/quantity.hpp"
#include "modules/clock/wheel.hpp"
#include "modules/packet/job_part.hpp"
#include "modules/signals/flit.hpp"

namespace flitwave {

/// A packet in the network.
struct Packet {
  Header header;             ///< What routers read.
  std::int64_t number = 0;   ///< Counts the packets of its source, from 0.
  std::int64_t length = 0;   ///< Unit: flit.
  Cycle created = 0;         ///< When the processor handed it over.
  Cycle started = 0;         ///< When its interface began with it.
  Cycle injected = 0;        ///< When its head was driven onto the injection channel.
  Cycle head_taken = 0;      ///< When its head was taken out; 0 before.
  std::int64_t ejected = 0;  ///< Flits taken out so far. Unit: flit.
  int message = -1;          ///< The PacketPool::message to which it belongs; -1: none.
  std::int64_t lead = 0;     ///< Flits before the data, not counted as data. Unit: flit.
  JobPart part = JobPart::background;
  /// The number of the collective's transfer, or of the TLM transaction, for which it is sent; -1:
  /// neither.
  std::int64_t serves = -1;
  Sleeper* set_up = nullptr;  ///< Woken when the head has arrived; null when nothing waits for it.
  std::uint64_t key = 0;      ///< Hash of source and number: the same in every run.
};

/// A message in the network, in one packet or several.
struct MessageInTransit {
  NodeId source;
  int program = 0;        ///< The receiver's program that handles it.
  std::uint64_t tag = 0;  ///< The sender's name for it.
  std::int64_t packets_left = 0;
  bool lost = false;          ///< Whether a packet of it is lost.
  std::vector<int> copies{};  ///< The messages that it is copied into.
};

/// The packets in the network, kept per source node.
///
/// A slot that is released in a cycle is reused only in a later one, lowest first, so the handles
/// on the wires depend neither on the order in which modules tick nor on scheduling.
class PacketPool {
 public:
  explicit PacketPool(int nodes)
      : sources_(static_cast<std::size_t>(nodes)), keys_(sources_.size() * stride_) {}

  /// A free slot of the packet's source, filled with `packet`; number and key are set here.
  /// Throws: ModelError when the source has Flit::max_slots packets in the network.
  int add(const Packet& packet, Cycle now);
  /// As `add`, for a packet that the network copies from another one of the same source.
  int add_copy(Flit original, const Packet& packet, Cycle now);
  /// A slot for a packet group: flits that carry one or several packets of a source between
  /// routers. It does not count as a packet; `add_copy` adds the packets, which remain when the
  /// group is removed.
  int add_group(const Packet& packet, Cycle now);
  /// No flit names the group any more.
  void release_group(Flit flit, Cycle now);
  /// The slots of the packets that are to be copied from a packet.
  const std::vector<int>& copies(Flit original) const;
  /// The destinations of these copies, in the same order; available as long as the original is in
  /// the network, whatever happens to the copies.
  const std::vector<NodeId>& copy_destinations(Flit original) const;
  /// The packet's head is driven onto the injection channel.
  void enter(Flit head, Cycle now);
  /// The packet's last flit has been taken out.
  void release(Flit flit, Cycle now);
  /// The packet will never arrive, and neither will its message.
  void lose(Flit flit, Cycle now);
  /// Messages of which a packet is lost.
  std::int64_t messages_lost() const { return messages_lost_; }

  const Packet& packet(Flit flit) const {
    return sources_[flit.source().index()].packets[static_cast<std::size_t>(flit.slot())];
  }
  /// The packet of a flit, null if there is none in the network: wires that foreign modules drive
  /// may have any value while they settle.
  const Packet* find(Flit flit) const {
    const auto number = static_cast<std::size_t>(flit.source().value());  // great if negative
    if (number >= sources_.size()) return nullptr;
    const Source& source = sources_[number];
    const auto slot = static_cast<std::size_t>(flit.slot());
    return source.holds(slot) ? &source.packets[slot] : nullptr;
  }
  /// For the interface that takes the packet from the network.
  Packet& packet(Flit flit) {
    return sources_[flit.source().index()].packets[static_cast<std::size_t>(flit.slot())];
  }

  /// Keeps a message until its last packet has arrived; its number never appears on a wire.
  int add_message(const MessageInTransit& message);
  MessageInTransit& message(int number) { return messages_[static_cast<std::size_t>(number)]; }
  const MessageInTransit& message(int number) const {
    return messages_[static_cast<std::size_t>(number)];
  }
  void release_message(int number) { free_messages_.push_back(number); }

  /// Calls `lost` after each message that is lost.
  void report_lost(std::function<void(const MessageInTransit&)> lost) { lost_ = std::move(lost); }

  /// Counts the packets without a message that were created in begin .. end - 1 and arrive or are
  /// lost, and calls `arrived` after each.
  void count_arrivals(Cycle begin, Cycle end, std::function<void()> arrived) {
    begin_ = begin;
    end_ = end;
    arrived_ = std::move(arrived);
  }
  std::int64_t arrivals() const { return arrivals_; }
  /// Packets without a message that have arrived or are lost, whenever they were created, and their
  /// flits without those that routers put before the data.
  std::int64_t singles_gone() const { return singles_gone_; }
  std::int64_t single_flits_gone() const { return single_flits_gone_; }

  /// Calls `arrived` with each packet whose last flit has been taken out, and the cycle.
  void report_arrivals(std::function<void(const Packet&, Cycle)> arrived) {
    each_arrived_ = std::move(arrived);
  }

  /// Calls `entered` when a packet enters an empty network.
  void report_first(std::function<void()> entered) { entered_ = std::move(entered); }

  /// The number of packets between `enter` and `release`, summed over all cycles so far, and the
  /// times of the released packets, summed. Both are equal once all are released, by Little's law.
  /// Unit: packet * cycle
  std::int64_t packet_cycles() const { return packet_cycles_; }
  std::int64_t residence() const { return residence_; }

  /// Packet::key of the packet of a flit; for observers that need it for every flit.
  std::uint64_t key(Flit flit) const {
    return keys_[flit.source().index() * stride_ + static_cast<std::size_t>(flit.slot())];
  }

  struct InSlot {
    const Packet* packet = nullptr;
    std::size_t slot = 0;
  };
  /// The packets that have been added and have not left, without groups, in the order of sources
  /// and numbers.
  std::vector<InSlot> present() const;

  /// Packets added and not yet released.
  std::int64_t in_network() const { return in_network_; }
  std::int64_t added() const { return added_; }

  /// Packet::key of a source's packet.
  static std::uint64_t key(NodeId source, std::int64_t number);

 private:
  struct Source {
    std::deque<Packet> packets;           // by slot; references stay valid
    std::vector<std::uint64_t> free;      // bit per slot, of those beyond `packets`, too
    std::vector<std::uint64_t> released;  // in the cycle `released_at`
    Cycle released_at = -1;
    std::int64_t count = 0;

    bool holds(std::size_t slot) const {
      const std::size_t word = slot / 64;
      return word < free.size() && ((free[word] | released[word]) >> (slot % 64) & 1) == 0;
    }
  };

  struct Copies {
    std::vector<int> slots;
    std::vector<NodeId> destinations;
  };

  const Copies& copies_of(Flit original) const;
  static void recycle(Source& source);
  void widen_keys();
  int put(const Packet& packet, std::uint64_t key, Cycle now);
  void vacate(Flit flit, Cycle now);
  void leave(Flit flit, const Packet& packet, Cycle now);
  void change_inside(int by, Cycle now);

  std::vector<Source> sources_;
  std::size_t stride_ = 4;                  // slots per source in keys_
  std::vector<std::uint64_t> keys_;         // Shape: [sources][stride]
  std::map<std::uint64_t, Copies> copies_;  // by Flit::packet_bits
  std::deque<MessageInTransit> messages_;
  std::vector<int> free_messages_;
  Cycle begin_ = 0;
  Cycle end_ = 0;
  std::function<void()> arrived_;
  std::function<void(const MessageInTransit&)> lost_;
  std::function<void()> entered_;
  std::function<void(const Packet&, Cycle)> each_arrived_;
  std::int64_t arrivals_ = 0;
  std::int64_t singles_gone_ = 0;
  std::int64_t single_flits_gone_ = 0;
  std::int64_t messages_lost_ = 0;
  std::int64_t in_network_ = 0;
  std::int64_t added_ = 0;
  std::int64_t inside_ = 0;  // packets between enter and release ...
  Cycle inside_since_ = 0;   // ... from this cycle on
  std::int64_t packet_cycles_ = 0;
  std::int64_t residence_ = 0;
};

}  // namespace flitwave
