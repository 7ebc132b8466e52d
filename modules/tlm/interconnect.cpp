// modules/tlm/interconnect.cpp: see interconnect.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/interconnect.hpp"

#include <utility>

#include <fmt/format.h>

#include "modules/signals/bits.hpp"
#include "modules/tlm/tlm_bridge.hpp"
#include "modules/tlm/transport.hpp"

namespace flitwave {

namespace {

// A tag: the initiator's node, the place of the transaction among those of the node, and whether it
// is of a reply.
constexpr int place_bits = 31;

std::uint64_t tag_of(NodeId node, std::size_t place) {
  return ((static_cast<std::uint64_t>(node.value()) << place_bits) | place) << 1;
}

int place_of(std::uint64_t tag) {
  return static_cast<int>((tag >> 1) & ((std::uint64_t{1} << place_bits) - 1));
}

/// A bit per byte of data.
std::int64_t bytes_of_enables(const tlm::tlm_generic_payload& payload) {
  return payload.get_byte_enable_ptr() ? (std::int64_t{payload.get_data_length()} + 7) / 8 : 0;
}

}  // namespace

TlmInterconnect::TlmInterconnect(const Topology& topology, ClockDomain& domain,
                                 const PacketFormat& format, const TransactionSizes& sizes,
                                 AddressMap map, TransactionLog& log)
    : topology_(topology),
      domain_(domain),
      format_(format),
      sizes_(sizes),
      map_(std::move(map)),
      log_(log),
      bridges_(index(topology.nodes()), nullptr),
      places_(index(topology.nodes())),
      messages_(index(topology.nodes()), 0) {}

void TlmInterconnect::add(TlmBridge& bridge) { bridges_[bridge.node().index()] = &bridge; }

Transaction& TlmInterconnect::open(NodeId initiator) {
  Places& places = places_[initiator.index()];
  if (places.free.empty()) {
    places.free.insert(static_cast<int>(places.all.size()));
    places.all.emplace_back();
  }
  const std::size_t place = index(*places.free.begin());
  places.free.erase(places.free.begin());
  Transaction& transaction = places.all[place] = Transaction{};
  transaction.initiator = initiator;
  transaction.tag = tag_of(initiator, place);
  transaction.serial = opened_++;
  ++open_;
  return transaction;
}

Transaction& TlmInterconnect::find(std::uint64_t tag) {
  return places_[index(tag >> (place_bits + 1))].all[index(place_of(tag))];
}

void TlmInterconnect::close(Transaction& transaction) {
  --open_;
  log_.ended(transaction);
  transaction.payload = nullptr;
  places_[transaction.initiator.index()].free.insert(place_of(transaction.tag));
}

void TlmInterconnect::log_remained(const Transaction& transaction) {
  if (!abandoned_) log_.remained(transaction);
}

void TlmInterconnect::abandon() {
  abandoned_ = true;
  for (Places& places : places_)
    for (Transaction& transaction : places.all) {
      if (!transaction.payload) continue;
      log_.remained(transaction);
      if (!transaction.is_at_target()) give_up(transaction);
    }
}

void TlmInterconnect::give_up(Transaction& transaction) {
  bridge(transaction.initiator)->initiator(transaction.socket).give_up(transaction);
}

std::vector<std::int64_t> TlmInterconnect::request_packets(const Transaction& transaction) const {
  const tlm::tlm_generic_payload& payload = *transaction.payload;
  std::int64_t bytes = sizes_.command.count;
  if (payload.is_write()) bytes += payload.get_data_length();
  return format_.packets(Bytes{bytes + bytes_of_enables(payload)});
}

std::vector<std::int64_t> TlmInterconnect::reply_packets(const Transaction& transaction) const {
  const tlm::tlm_generic_payload& payload = *transaction.payload;
  std::int64_t bytes = sizes_.status.count;
  if (payload.is_read()) bytes += payload.get_data_length();
  return format_.packets(Bytes{bytes});
}

std::uint64_t TlmInterconnect::keep_data(NodeId source, std::vector<std::uint8_t> data) {
  const std::uint64_t tag =
      static_cast<std::uint64_t>(source.value()) << 32 | messages_[source.index()]++;
  data_.emplace(tag, std::move(data));
  return tag;
}

std::vector<std::uint8_t> TlmInterconnect::take_data(std::uint64_t tag) {
  return std::move(data_.extract(tag).mapped());
}

TlmInterconnect::Awaited TlmInterconnect::longest_awaited() const {
  Awaited longest;
  for (const Places& places : places_)
    for (const Transaction& transaction : places.all) {
      const bool by_initiator = transaction.times.ended > 0;
      if (!transaction.payload || (!by_initiator && !transaction.is_at_target())) continue;
      if (!by_initiator && transaction.side->is_to_answer()) continue;
      const std::int64_t since = by_initiator ? transaction.times.ended : transaction.times.arrived;
      if (!longest.transaction || since < longest.since)
        longest = {&transaction, by_initiator, since};
    }
  return longest;
}

std::string TlmInterconnect::text(const Transaction& transaction) const {
  return fmt::format("{} by node {}, socket {}, to node {}",
                     text_of(*transaction.payload, transaction.address),
                     topology_.label(transaction.initiator), transaction.socket,
                     topology_.label(transaction.target));
}

std::string TlmInterconnect::text(const tlm::tlm_generic_payload& payload,
                                  const std::function<bool(const Transaction&)>& is_it) const {
  for (const Places& places : places_)
    for (const Transaction& transaction : places.all)
      if (transaction.payload == &payload && is_it(transaction)) return text(transaction);
  return text_of(payload);
}

}  // namespace flitwave
