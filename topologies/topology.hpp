// topologies/topology.hpp: nodes and channels; a value type.
// [topology] -> netlist -> processor -> interface -> channel -> router
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "configs/input_file.hpp"
#include "configs/registry.hpp"
#include "topologies/fault_set.hpp"
#include "topologies/grid.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// The most ports that a node of a topology may have.
constexpr int max_ports = 62;

/// A one-way channel leaves a node by an output port and enters another by an input port.
struct ChannelEnds {
  NodeId from;
  PortId from_port;
  NodeId to;
  PortId to_port;
};

/// Figures of a topology in closed form; figures that are absent must be computed.
struct KnownMeasures {
  std::optional<int> diameter;
  std::optional<double> mean_distance;  ///< Over ordered pairs of distinct nodes.
  std::optional<int> connectivity;      ///< Fewest one-way channels that disconnect a pair.
  std::optional<int> bisection;  ///< One-way channels across the best even cut, in both directions.
};

/// Nodes, ports and one-way channels.
///
/// A port may have one channel out and one channel in. Port numbers of a grid are Grid's; a node at
/// the border of a mesh has gaps among them. Local ports (to the processor) are not part of a
/// topology: a router numbers them after `port_limit()`.
class Topology {
 public:
  /// `port_limit`: port numbers are 0 .. port_limit - 1. Range: 0 .. 62
  Topology(int nodes, int port_limit);
  /// A grid's nodes, without channels yet; port_limit is twice the number of dimensions.
  explicit Topology(Grid grid);

  /// Adds a channel; channels are numbered in the order of adding.
  /// Throws: ModelError when an end is out of range or already in use.
  ChannelId connect(NodeId from, PortId from_port, NodeId to, PortId to_port);

  int nodes() const { return nodes_; }
  int channels() const { return static_cast<int>(channels_.size()); }
  int port_limit() const { return port_limit_; }

  const ChannelEnds& channel(ChannelId id) const { return channels_[id.index()]; }
  /// The channel that leaves (enters) a node by a port, or none.
  ChannelId channel_out(NodeId node, PortId port) const { return out_[slot(node, port)]; }
  ChannelId channel_in(NodeId node, PortId port) const { return in_[slot(node, port)]; }

  /// The number of channels that leave a node.
  int degree(NodeId node) const;

  /// The grid that numbers the nodes, or null for a custom graph.
  const Grid* grid() const { return grid_ ? &*grid_ : nullptr; }

  /// The node's given name, else "3_5" on a grid, else its number. Where nodes have binary labels,
  /// and one was found by its label, all are named by labels.
  std::string label(NodeId node) const;
  /// "1_2_to_2_2"; parallel channels are distinguished by their port: "0_to_1_port_2".
  std::string label(ChannelId channel) const;
  /// Names for the nodes of a custom graph. Shape: [nodes]; letters, digits and underscores.
  /// Throws: ModelError when there is not one name per node.
  void set_names(std::vector<std::string> names);

  /// Gives the nodes of a binary n-cube labels: n digits of 0 and 1, the highest dimension first,
  /// as `00110` for node 6 of five dimensions. Needs: a grid of extent 2 in each dimension.
  void give_binary_labels() { has_binary_labels_ = true; }

  /// Closed forms that the builder provides; measures.hpp falls back to computation.
  KnownMeasures known;

  /// The faults of the topology; none of the figures above considers them.
  const FaultSet& faults() const { return faults_; }
  void set_faults(FaultSet faults) { faults_ = std::move(faults); }

  /// Resolves a node as written in a job: a number, coordinates `[x, y]`, or a name; on a grid the
  /// label "3_5" is a name. Where nodes have binary labels, as many digits of 0 and 1 are one, and
  /// anything else that looks like a number is decimal.
  /// Throws: ConfigError at `written` when there is no such node.
  NodeId find(const ConfigNode& written) const;

 private:
  /// None when it is no binary label.
  NodeId find_binary(const std::string& text) const;
  NodeId find_number(const ConfigNode& written) const;
  NodeId find_point(const ConfigNode& written) const;
  NodeId find_name(const ConfigNode& written) const;

  std::size_t slot(NodeId node, PortId port) const {
    return node.index() * index(port_limit_) + port.index();
  }

  int nodes_;
  int port_limit_;
  std::optional<Grid> grid_;
  std::vector<ChannelEnds> channels_;
  std::vector<ChannelId> out_;  // Shape: [nodes][port_limit]
  std::vector<ChannelId> in_;   // Shape: [nodes][port_limit]
  std::vector<std::string> names_;
  bool has_binary_labels_ = false;
  mutable bool writes_binary_labels_ = false;  // the job uses binary labels
  FaultSet faults_;
};

/// The node that a word of a line names, as `Topology::find` reads it.
/// Throws: ConfigError at the line when there is no such node.
NodeId find_node(const Topology& topology, const WordLine& line, std::size_t word);

/// Kinds of topology: parameters -> Topology.
using Topologies = Registry<Topology()>;

}  // namespace flitwave
