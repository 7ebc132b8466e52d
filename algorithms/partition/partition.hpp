// algorithms/partition/partition.hpp: data-distributing and data-collecting networks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/schedule.hpp"
#include "topologies/subnetwork.hpp"

namespace flitwave {

/// The types of data-distributing networks. In network k the first coordinate is i modulo h, the
/// second j; I: i = j = k, both directions; II: k = i h + j, both directions; III: as I in the
/// positive direction, and i = k - h, j = i + delta in the negative; IV: as II, positive where i +
/// j is even, else negative. Source: Wang et al. 2001, definitions 4 to 7
enum class DdnType { one, two, three, four };
std::vector<std::string> names_of(DdnType);

/// How a network is partitioned.
struct PartitionRule {
  DdnType type = DdnType::three;
  int h = 4;
  int delta = 0;  ///< For type III. Range: 1 .. h - 1; 0: h / 2
};

/// The data-distributing networks (DDNs) of a 2D torus or mesh, each a torus or mesh dilated by h,
/// and the data-collecting networks (DCNs), blocks of h x h nodes. Each DDN shares one node with
/// each DCN.
/// Source: Wang et al. 2001, sections 2.2 and 3
class Partition {
 public:
  /// The network outlives it.
  /// Throws: ConfigError on the keys `kind`, `h`, `type` or `delta` when the network is no 2D torus
  ///   or mesh with channels in both directions, h does not divide its extents, a type needs rings
  ///   and there are none, or delta is out of range.
  Partition(const Topology& network, const PartitionRule& rule);

  const Topology& network() const { return network_; }
  const PartitionRule& rule() const { return rule_; }  ///< With its delta.
  bool is_torus() const { return is_torus_; }
  const std::vector<Subnetwork>& ddns() const { return ddns_; }
  /// Row by row: the DCNs with the smallest first coordinates first, then by the second.
  const std::vector<Subnetwork>& dcns() const { return dcns_; }

  /// The DCN of a node.
  int dcn_of(NodeId node) const;
  /// The node that a DDN and a DCN share.
  NodeId representative(int ddn, int dcn) const;
  /// The DDN of a node. With types II and IV every node has one.
  std::optional<int> ddn_of(NodeId node) const;

 private:
  const Topology& network_;
  PartitionRule rule_;
  bool is_torus_;
  std::vector<Subnetwork> ddns_;
  std::vector<Subnetwork> dcns_;
};

/// "4III": h and type, as the source names its schemes.
std::string name_of(const PartitionRule& rule);

/// The members of a partition and how many share a node or a channel, one line each; of many
/// networks only the first. Its figures are those of Table 1 of the source.
ScheduleDetails describe(const Partition& partition);

}  // namespace flitwave
