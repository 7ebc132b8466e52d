// modules/tlm/interconnect.hpp: what the bridges of a network share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "configs/schema.hpp"
#include "modules/clock/clock_domain.hpp"
#include "modules/packet/packet_format.hpp"
#include "modules/tlm/address_map.hpp"
#include "modules/tlm/transaction.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

class TlmBridge;

/// The lengths of messages beside their data.
struct TransactionSizes {
  Bytes command{8};  ///< Of a request: command, address and length.
  Bytes status{4};   ///< Of a reply.
};

/// The transactions of a network, its address map, and the lengths of its messages.
class TlmInterconnect {
 public:
  /// The references outlive it.
  TlmInterconnect(const Topology& topology, ClockDomain& domain, const PacketFormat& format,
                  const TransactionSizes& sizes, AddressMap map, TransactionLog& log);

  ClockDomain& domain() const { return domain_; }
  const Topology& topology() const { return topology_; }
  const AddressMap& map() const { return map_; }

  /// Makes the bridge of a node known.
  void add(TlmBridge& bridge);
  /// The bridge of a node; null if it has none.
  TlmBridge* bridge(NodeId node) const { return bridges_[node.index()]; }

  /// A place for a transaction of an initiator at a node. References stay valid.
  Transaction& open(NodeId initiator);
  /// The transaction to which a message with this tag belongs.
  Transaction& find(std::uint64_t tag);
  /// Logs a transaction that was not opened.
  void log(const Transaction& transaction) { log_.ended(transaction); }
  /// The response was handed to the initiator.
  void close(Transaction& transaction);
  /// Logs a transaction whose payload does not live until `abandon`; after that, nothing.
  void log_remained(const Transaction& transaction);

  /// The run has ended: logs the transactions under way, and answers them with an error, those that
  /// are at a target when it has answered.
  void abandon();
  /// Answers a transaction with an error, after the end of the run.
  void give_up(Transaction& transaction);

  /// The packets of a request, or of a reply. Unit: flit
  /// Throws: ConfigError when there are too many.
  std::vector<std::int64_t> request_packets(const Transaction& transaction) const;
  std::vector<std::int64_t> reply_packets(const Transaction& transaction) const;

  /// The packets of a message of a device. Unit: flit
  /// Throws: ConfigError when there are too many.
  std::vector<std::int64_t> message_packets(Bytes data) const { return format_.packets(data); }
  /// Keeps the data of a message from a node until it has arrived.
  /// Returns: the tag of the message.
  std::uint64_t keep_data(NodeId source, std::vector<std::uint8_t> data);
  std::vector<std::uint8_t> take_data(std::uint64_t tag);
  /// Messages of devices that have not arrived.
  std::size_t open_messages() const { return data_.size(); }

  /// Transactions that have begun and not ended.
  std::int64_t open_transactions() const { return open_; }
  /// A transaction for which the network waits.
  struct Awaited {
    const Transaction* transaction = nullptr;  ///< Null: none is awaited.
    bool by_initiator = false;  ///< Its response was not ended; else its request was not answered.
    std::int64_t since = 0;     ///< Unit: ps
  };
  /// The one that a target or an initiator has had for longest, other than targets whose answers
  /// are known to come.
  Awaited longest_awaited() const;

  /// "store of 4 B at 0x1000 by node 0_0, socket 0, to node 3_3"
  std::string text(const Transaction& transaction) const;
  /// The same for the open transaction of a payload that `is_it`; without one, "store of 4 B at
  /// 0x1000". A payload that a target passes on has several.
  std::string text(const tlm::tlm_generic_payload& payload,
                   const std::function<bool(const Transaction&)>& is_it) const;

 private:
  struct Places {
    std::deque<Transaction> all;
    std::set<int> free;
  };

  const Topology& topology_;
  ClockDomain& domain_;
  const PacketFormat& format_;
  TransactionSizes sizes_;
  AddressMap map_;
  TransactionLog& log_;
  std::vector<TlmBridge*> bridges_;      // Shape: [nodes]
  std::vector<Places> places_;           // Shape: [nodes]
  std::vector<std::uint64_t> messages_;  // of devices, sent so far. Shape: [nodes]
  std::map<std::uint64_t, std::vector<std::uint8_t>> data_;  // by tag
  std::int64_t opened_ = 0;                                  // so far
  std::int64_t open_ = 0;
  bool abandoned_ = false;
};

}  // namespace flitwave
