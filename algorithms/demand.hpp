// algorithms/demand.hpp: what must be delivered, independent of the algorithm.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "configs/quantity.hpp"
#include "configs/random.hpp"
#include "configs/registry.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// Data that some nodes must receive: the data of one node, or the combination of many nodes'
/// contributions, element by element, by an associative and commutative operator.
struct Delivery {
  /// The contributions that a destination receives when several nodes combine:
  enum class Wanted {
    all,     ///< Every source.
    prefix,  ///< The sources up to itself, in the order of node numbers (prefix scan).
  };

  Delivery() = default;
  /// One node's data.
  Delivery(NodeId from, std::vector<NodeId> to, Bytes bytes)
      : sources{from}, destinations(std::move(to)), size(bytes) {}
  /// The combination of the sources' contributions. A sole source has it from the start.
  Delivery(std::vector<NodeId> from, std::vector<NodeId> to, Bytes bytes, Wanted part = Wanted::all)
      : sources(std::move(from)), destinations(std::move(to)), size(bytes), wanted(part) {
    if (sources.size() != 1) return;
    destinations.erase(std::remove(destinations.begin(), destinations.end(), sources.front()),
                       destinations.end());
  }

  std::vector<NodeId> sources;  ///< Ascending, none twice, at least one.
  /// None twice. A sole source is not among them; one of several may be. The lists in messages keep
  /// this order; where contributions are combined it is ascending.
  std::vector<NodeId> destinations;
  Bytes size;  ///< Size of the result, and of each contribution. 0 B: a signal without data.
  Wanted wanted = Wanted::all;
  /// The sources have their data from this cycle on, counted from the start of the programs, and
  /// the delivery is independent: it counts its own steps, and contends with others for ports.
  /// None: from the start, in step with the others.
  std::optional<Cycle> release{};
  /// A signal between two steps, which is part of no operation.
  bool is_barrier = false;

  /// Whether contributions of several nodes are combined.
  bool combines() const { return sources.size() > 1; }
  /// The node that has the data. Throws: ModelError when contributions are combined.
  NodeId source() const;
  /// Whether the result at `destination` includes the contribution of `contributor`, a source.
  bool wants(NodeId destination, NodeId contributor) const {
    return wanted == Wanted::all || !(destination < contributor);
  }
};

/// The releases that are measured: those in begin .. end - 1, in cycles after the start of the
/// programs.
struct ReleaseWindow {
  Cycle begin = 0;
  Cycle end = INT64_MAX;

  bool holds(Cycle release) const { return release >= begin && release < end; }
  bool bounded() const { return end < INT64_MAX; }
};

struct ArrayDemand;
class MovedArray;

/// All deliveries of an operation; a delivery's number is its index in the list.
struct Demand {
  std::string operation;  ///< The operation's kind, for messages.
  std::vector<Delivery> deliveries;
  ReleaseWindow measured{};
  /// The seed for algorithms that choose at random: all algorithms that serve this demand use it.
  std::uint64_t seed = 0;
  /// The nodes that the job names; others may be chosen as random faults.
  std::vector<NodeId> named{};
  /// For sections in blocks, the assignment; null otherwise.
  std::shared_ptr<const ArrayDemand> array{};
  /// For array elements, the elements of the deliveries; null otherwise.
  std::shared_ptr<const MovedArray> moved{};

  /// Whether deliveries have release times of their own.
  bool released() const;
  /// Adds a node to those named, unless `written` specifies a random node.
  void name(const ConfigNode& written, NodeId node);
};

/// A node as an operation's parameter names it: as Topology::find takes it.
/// Throws: ConfigError at `written` when there is no such node, or it is faulty from
///   the start.
NodeId find_working(const ConfigNode& written, const Topology& topology);

/// A node as an operation's parameter names it: as Topology::find takes it, or `random`: a node
/// that is neither `other` nor faulty from the start.
/// Throws: ConfigError at `written` when there is no such node, or it is `other` or
///   faulty.
NodeId find_or_draw(const ConfigNode& written, const Topology& topology, Random& random,
                    NodeId other = NodeId());

/// Whether a parameter of an operation specifies a random node.
bool names_random(const ConfigNode& written);

/// All nodes, ascending.
std::vector<NodeId> all_nodes(const Topology& topology);
/// All nodes but one, ascending.
std::vector<NodeId> all_but(NodeId node, const Topology& topology);
/// The same of those that are not faulty from the start.
std::vector<NodeId> working_nodes(const Topology& topology);
std::vector<NodeId> working_but(NodeId node, const Topology& topology);

/// Kinds of operation: parameters, topology, the job's random stream -> Demand.
using Operations = Registry<Demand(const Topology&, Random&)>;

}  // namespace flitwave
