// modules/packet/packet_pool.cpp: see packet_pool.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/packet/packet_pool.hpp"

#include <algorithm>

#include "configs/error.hpp"
#include "configs/random.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

std::uint64_t PacketPool::key(NodeId source, std::int64_t number) {
  return mix(mix(static_cast<std::uint64_t>(source.value()) + 1) +
             static_cast<std::uint64_t>(number));
}

void PacketPool::recycle(Source& source) {
  for (std::size_t word = 0; word < source.free.size(); ++word) {
    source.free[word] |= source.released[word];
    source.released[word] = 0;
  }
  source.released_at = -1;
}

void PacketPool::widen_keys() {
  std::vector<std::uint64_t> wide(sources_.size() * stride_ * 2);
  for (std::size_t source = 0; source < sources_.size(); ++source)
    std::copy_n(keys_.begin() + static_cast<std::ptrdiff_t>(source * stride_), stride_,
                wide.begin() + static_cast<std::ptrdiff_t>(source * stride_ * 2));
  keys_ = std::move(wide);
  stride_ *= 2;
}

int PacketPool::put(const Packet& packet, std::uint64_t key, Cycle now) {
  Source& source = sources_[packet.header.source.index()];
  if (source.released_at >= 0 && source.released_at < now) recycle(source);
  std::size_t word = 0;
  while (word < source.free.size() && source.free[word] == 0) ++word;
  if (word == Flit::max_slots / 64)
    throw ModelError("node number " + std::to_string(packet.header.source.value()) +
                     " has more than " + std::to_string(Flit::max_slots) +
                     " packets in the network");
  if (word == source.free.size()) {
    source.free.push_back(~std::uint64_t{0});
    source.released.push_back(0);
  }
  const std::size_t slot = word * 64 + static_cast<std::size_t>(lowest_of(source.free[word]));
  source.free[word] &= source.free[word] - 1;
  if (slot == source.packets.size()) source.packets.emplace_back();
  Packet& stored = source.packets[slot];
  stored = packet;
  stored.number = source.count;
  stored.key = key;
  while (slot >= stride_) widen_keys();
  keys_[packet.header.source.index() * stride_ + slot] = key;
  if (in_network_++ == 0 && entered_) entered_();
  return static_cast<int>(slot);
}

std::vector<PacketPool::InSlot> PacketPool::present() const {
  std::vector<InSlot> present;
  for (const Source& source : sources_) {
    const std::size_t first = present.size();
    for (std::size_t slot = 0; slot < source.packets.size(); ++slot) {
      const Packet& packet = source.packets[slot];
      const bool single = packet.key == key(packet.header.source, packet.number);  // no group
      if (single && source.holds(slot)) present.push_back({&packet, slot});
    }
    std::sort(present.begin() + static_cast<std::ptrdiff_t>(first), present.end(),
              [](const InSlot& a, const InSlot& b) { return a.packet->number < b.packet->number; });
  }
  return present;
}

int PacketPool::add(const Packet& packet, Cycle now) {
  const NodeId source = packet.header.source;
  const int slot = put(packet, key(source, sources_[source.index()].count), now);
  ++sources_[source.index()].count;
  ++added_;
  return slot;
}

/// Its number is that of the first packet that it carries.
int PacketPool::add_group(const Packet& packet, Cycle now) {
  const NodeId source = packet.header.source;
  return put(packet, mix(key(source, sources_[source.index()].count)), now);
}

int PacketPool::add_copy(Flit original, const Packet& packet, Cycle now) {
  const int slot = add(packet, now);
  Copies& copies = copies_[original.packet_bits()];
  copies.slots.push_back(slot);
  copies.destinations.push_back(packet.header.destination);
  return slot;
}

const std::vector<int>& PacketPool::copies(Flit original) const {
  return copies_of(original).slots;
}

const std::vector<NodeId>& PacketPool::copy_destinations(Flit original) const {
  return copies_of(original).destinations;
}

const PacketPool::Copies& PacketPool::copies_of(Flit original) const {
  static const Copies none;
  const auto found = copies_.find(original.packet_bits());
  return found == copies_.end() ? none : found->second;
}

int PacketPool::add_message(const MessageInTransit& message) {
  if (free_messages_.empty()) {
    messages_.push_back(message);
    return static_cast<int>(messages_.size()) - 1;
  }
  const int number = free_messages_.back();
  free_messages_.pop_back();
  messages_[static_cast<std::size_t>(number)] = message;
  return number;
}

void PacketPool::change_inside(int by, Cycle now) {
  packet_cycles_ += inside_ * (now - inside_since_);
  inside_since_ = now;
  inside_ += by;
}

void PacketPool::enter(Flit head, Cycle now) {
  packet(head).injected = now;
  change_inside(+1, now);
}

void PacketPool::vacate(Flit flit, Cycle now) {
  Source& source = sources_[flit.source().index()];
  if (source.released_at >= 0 && source.released_at < now) recycle(source);
  const auto slot = static_cast<std::size_t>(flit.slot());
  source.released[slot / 64] |= std::uint64_t{1} << (slot % 64);
  source.released_at = now;
  --in_network_;
  if (!copies_.empty()) copies_.erase(flit.packet_bits());
}

void PacketPool::release_group(Flit flit, Cycle now) { vacate(flit, now); }

void PacketPool::release(Flit flit, Cycle now) {
  const Packet& packet = this->packet(flit);
  if (each_arrived_) each_arrived_(packet, now);
  leave(flit, packet, now);
}

void PacketPool::leave(Flit flit, const Packet& packet, Cycle now) {
  vacate(flit, now);
  change_inside(-1, now);
  residence_ += now - packet.injected;
  if (packet.message >= 0) return;
  ++singles_gone_;
  single_flits_gone_ += packet.length - packet.lead;
  if (packet.created < begin_ || packet.created >= end_) return;
  ++arrivals_;
  arrived_();
}

void PacketPool::lose(Flit flit, Cycle now) {
  const Packet& packet = this->packet(flit);
  const int record = packet.message;
  leave(flit, packet, now);
  if (record < 0) return;
  MessageInTransit& lost = message(record);
  if (!lost.lost) {
    lost.lost = true;
    ++messages_lost_;
    if (lost_) lost_(lost);
  }
  if (--lost.packets_left == 0) release_message(record);
}

}  // namespace flitwave
