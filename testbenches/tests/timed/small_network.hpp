// testbenches/tests/timed/small_network.hpp: a 3x3 mesh under random traffic, without a testbench.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "modules/network/netlist.hpp"

namespace flitwave {

struct SmallNetworkParams {
  Scheduling scheduling = Scheduling::batched;
  ChannelParams channel;
  BuildOrder order = BuildOrder::forward;
  Duration period{1000};
  Cycle silent_until = 0;  ///< No message is sent before this cycle.
  Cycle send_until = 400;  ///< No message is sent from this cycle on.
  std::uint64_t seed = 1;
};

/// Routers, interfaces and channels of a mesh. Each node sends messages of one to three packets,
/// each of one to six flits, to random nodes, at a rate at which they block each other.
class SmallNetwork {
 public:
  explicit SmallNetwork(const SmallNetworkParams& params);
  ~SmallNetwork();

  void run(Cycle cycles);

  ClockDomain& domain() { return *domain_; }
  Netlist& netlist() { return *netlist_; }
  const PacketPool& packets() const { return packets_; }

 private:
  class Sender;

  Topology topology_;
  std::unique_ptr<RoutingFunction> routing_;
  RouterModel router_;
  PacketPool packets_;
  std::unique_ptr<ClockDomain> domain_;
  std::unique_ptr<Netlist> netlist_;
  std::vector<std::unique_ptr<Sender>> senders_;
};

/// Calls `body` in a child process, since SystemC elaborates once per process.
/// Returns: the text of the exception that it threw, or how the child ended otherwise; empty on
/// success.
std::string in_child(const std::function<void()>& body);

}  // namespace flitwave
