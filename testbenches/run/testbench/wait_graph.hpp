// testbenches/run/testbench/wait_graph.hpp: the wait-for graph of the buffers, and its cycles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "modules/network/netlist.hpp"
#include "modules/packet/packet_pool.hpp"

namespace flitwave {

/// An error of the scenario: packets wait for each other in a cycle. Exit code 3.
class Deadlock : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The wait-for graph of the buffers of a network at one instant.
///
/// A vertex is a virtual channel's buffer that contains flits. It waits for any one of its
/// alternatives, or for one of each branch where its flits leave by several outputs. Buffers whose
/// front flit can move, or that wait for such a buffer, are free; all others are deadlocked
/// permanently. What opaque routers hold is not known: they have no vertices, and a buffer that
/// waits for one of them is free. Delays of software (a start-up, a barrier, a held ejection
/// channel) do not block in this sense; an interface that accepts no request because of waiting
/// replies does.
class WaitGraph {
 public:
  struct Vertex {
    NodeId node;
    WaitPoint point;
    /// Vertices, any one of which is sufficient. Shape: [branches][any]
    std::vector<std::vector<int>> waits_for;
    bool deadlocked = false;
    bool at_interface = false;  ///< An ejection buffer, not one of the router's.
  };

  /// Reads the routers' buffers; between cycles only.
  explicit WaitGraph(const Netlist& netlist);

  const std::vector<Vertex>& vertices() const { return vertices_; }
  bool deadlocked() const { return deadlocked_ > 0; }
  /// The number of deadlocked buffers.
  int count() const { return deadlocked_; }
  /// One cycle: each waits for the next, the last for the first. Empty when there is none.
  std::vector<int> cycle() const;

  /// The cycle, one line per buffer: packet, channel, virtual channel, and what it waits for.
  std::string text(const PacketPool& packets) const;

 private:
  using Key = std::tuple<int, int, int>;  // node, input port, virtual channel

  void add_interface(NodeId node);
  PortId ejection(NodeId node, int port) const;
  Key key_of(const Vertex& vertex, const WaitPoint::Alternative& wanted) const;
  void link();
  void link(Vertex& vertex, const std::map<Key, int>& place) const;
  void free_movable();
  bool is_free(const std::vector<int>& branch) const;
  int waits_for_whom(const Vertex& vertex) const;
  std::string describe(const Vertex& vertex, const PacketPool& packets) const;

  const Netlist& netlist_;
  std::vector<Vertex> vertices_;
  int deadlocked_ = 0;
};

}  // namespace flitwave
