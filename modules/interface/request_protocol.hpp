// modules/interface/request_protocol.hpp: the agreement of interfaces and routers under the
// handshake request.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/channel/flit_words.hpp"
#include "modules/signals/flit.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// How packets are sent under the handshake request. Each kind of router with this handshake
/// provides one (RouterModel::share).
///
/// A packet for one destination or several enters the network as a packet group (see
/// PacketPool::add_group): between routers its flits name the group, and each destination receives
/// a packet of its own.
class RequestProtocol {
 public:
  /// What precedes the data.
  struct Lead {
    std::vector<FlitWord> words;  ///< Of the group. Shape: [flits]
    std::int64_t of_copy = 0;     ///< Of the packet that a destination receives. Unit: flit
  };

  /// From a request to its acknowledgement, at the end of a channel of the given latency, in an
  /// idle network. Unit: cycle
  virtual Cycle acknowledges_after(Cycle latency) const = 0;
  /// Of a packet that `source` sends.
  /// Throws: ModelError when a destination is named twice.
  virtual Lead lead(NodeId source, const std::vector<NodeId>& destinations) const = 0;
  /// Called when an interface is about to send a group, led by `words`. Its packets are in the
  /// pool.
  virtual void add(Flit group, const std::vector<FlitWord>& words) = 0;
  /// The group's source is faulty and does not send it.
  virtual void lose(Flit group, Cycle now) = 0;

 protected:
  ~RequestProtocol() = default;
};

}  // namespace flitwave
