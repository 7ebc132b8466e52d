// algorithms/partition/partition.cpp: see partition.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/partition/partition.hpp"

#include <set>

#include <fmt/format.h>

#include "algorithms/grid/grid_walk.hpp"
#include "configs/error.hpp"
#include "configs/schema.hpp"

namespace flitwave {
namespace {

bool is_directed(DdnType type) { return type == DdnType::three || type == DdnType::four; }

/// Returns: whether it wraps.
bool check_network(const Topology& network) {
  const Grid* grid = network.grid();
  if (!grid || grid->dimensions() != 2 || grid->wraps(0) != grid->wraps(1))
    throw ConfigError("kind", "partitioned needs a torus or mesh of two dimensions",
                      "use topology: {kind: torus, shape: [16, 16]}, or another algorithm");
  for (int dimension : {0, 1})
    for (int step : {+1, -1})
      if (!has_channels(network, dimension, step))
        throw ConfigError(
            "kind",
            fmt::format("partitioned needs channels in both directions; dimension {} of "
                        "the topology lacks some",
                        dimension),
            "use a topology with channels in both directions, or another algorithm");
  return grid->wraps(0);
}

PartitionRule checked(PartitionRule rule, const Grid& grid) {
  for (int dimension : {0, 1})
    if (rule.h < 1 || grid.extent(dimension) % rule.h != 0)
      throw ConfigError("h",
                        fmt::format("{} does not divide the extent of dimension {}, which is {}",
                                    rule.h, dimension, grid.extent(dimension)),
                        "use a divisor of both extents");
  if (is_directed(rule.type) && !grid.wraps(0))
    throw ConfigError("type",
                      fmt::format("{} has networks of one direction, in which nodes of a mesh do "
                                  "not reach each other",
                                  Codec<DdnType>::print(rule.type)),
                      "use type: I or II, or topology.kind: torus");
  if (rule.type != DdnType::three) {
    if (rule.delta != 0)
      throw ConfigError("delta", "only type III shifts its networks", "leave delta out");
    return rule;
  }
  if (rule.h < 2)
    throw ConfigError("h", "type III shifts its negative networks by 1 .. h - 1 nodes",
                      "use h: 2 or more");
  if (rule.delta == 0) rule.delta = rule.h / 2;
  if (rule.delta < 1 || rule.delta >= rule.h)
    throw ConfigError("delta", fmt::format("must be 1 .. {}, found {}", rule.h - 1, rule.delta),
                      fmt::format("use 1 .. {}, or leave it out for {}", rule.h - 1, rule.h / 2));
  return rule;
}

}  // namespace

std::vector<std::string> names_of(DdnType) { return {"I", "II", "III", "IV"}; }

Partition::Partition(const Topology& network, const PartitionRule& rule)
    : network_(network), is_torus_(check_network(network)) {
  const Grid& grid = *network.grid();
  rule_ = checked(rule, grid);
  const int h = rule_.h;
  const auto add = [&](int i, int j, Directions directions) {
    ddns_.push_back(Subnetwork::lattice(network, {i, j % h}, h, directions));
  };
  switch (rule_.type) {
    case DdnType::one:
      for (int i = 0; i < h; ++i) add(i, i, Directions::both);
      break;
    case DdnType::three:
      for (int i = 0; i < h; ++i) add(i, i, Directions::positive);
      for (int i = 0; i < h; ++i) add(i, i + rule_.delta, Directions::negative);
      break;
    case DdnType::two:
    case DdnType::four:
      for (int i = 0; i < h; ++i)
        for (int j = 0; j < h; ++j)
          add(i, j,
              rule_.type == DdnType::two ? Directions::both
              : (i + j) % 2 == 0         ? Directions::positive
                                         : Directions::negative);
      break;
  }
  for (int a = 0; a < grid.extent(0) / h; ++a)
    for (int b = 0; b < grid.extent(1) / h; ++b)
      dcns_.push_back(Subnetwork::box(network, {a * h, b * h}, {h, h}));
}

int Partition::dcn_of(NodeId node) const {
  const Grid& grid = *network_.grid();
  return grid.coordinate(node, 0) / rule_.h * (grid.extent(1) / rule_.h) +
         grid.coordinate(node, 1) / rule_.h;
}

NodeId Partition::representative(int ddn, int dcn) const {
  const Subnetwork& lattice = ddns_[index(ddn)];
  const int columns = network_.grid()->extent(1) / rule_.h;
  return lattice.node_of(lattice.inner().grid()->node({dcn / columns, dcn % columns}));
}

std::optional<int> Partition::ddn_of(NodeId node) const {
  for (std::size_t k = 0; k < ddns_.size(); ++k)
    if (ddns_[k].has(node)) return static_cast<int>(k);
  return std::nullopt;
}

namespace {

/// "0, 4, 8, 12": the coordinates of a subnetwork's nodes in a dimension.
std::string lines_of(const Subnetwork& part, const Grid& grid, int dimension) {
  std::set<int> lines;
  for (NodeId node : part.nodes()) lines.insert(grid.coordinate(node, dimension));
  return fmt::format("{}", fmt::join(lines, ", "));
}

std::string level_text(const ContentionLevel& level) {
  return level.least == level.greatest ? fmt::format("{}", level.greatest)
                                       : fmt::format("{} to {}", level.least, level.greatest);
}

const char* ways_of(const Subnetwork& part) {
  switch (part.directions()) {
    case Directions::positive:
      return "; positive channels";
    case Directions::negative:
      return "; negative channels";
    case Directions::both:
      break;
  }
  return "";
}

}  // namespace

ScheduleDetails describe(const Partition& partition) {
  constexpr std::size_t shown = 32;
  const Topology& network = partition.network();
  const std::vector<Subnetwork>& ddns = partition.ddns();
  const ContentionLevel by_node = node_contention(ddns, network);
  const ContentionLevel by_link = link_contention(ddns, network);
  ScheduleDetails details;
  std::vector<std::string>& lines = details.lines;
  lines.push_back(fmt::format("each node is in {} of the distributing networks, each channel in {}",
                              level_text(by_node), level_text(by_link)));
  for (std::size_t k = 0; k < ddns.size() && k < shown; ++k)
    lines.push_back(fmt::format("network {}: x = {}; y = {}{}", k,
                                lines_of(ddns[k], *network.grid(), 0),
                                lines_of(ddns[k], *network.grid(), 1), ways_of(ddns[k])));
  if (ddns.size() > shown) lines.push_back(fmt::format("and {} more", ddns.size() - shown));
  lines.push_back(fmt::format("each block has {0} x {0} nodes", partition.rule().h));
  double nodes = 0;
  for (const Subnetwork& ddn : ddns) nodes += static_cast<double>(ddn.nodes().size());
  details.figures = {
      {"partition.networks", static_cast<double>(ddns.size()), ""},
      {"partition.node_contention", static_cast<double>(by_node.greatest), ""},
      {"partition.link_contention", static_cast<double>(by_link.greatest), ""},
      {"partition.least_link_contention", static_cast<double>(by_link.least), ""},
      {"partition.nodes", nodes, "node"},
      {"partition.channels", static_cast<double>(ddns.front().channels().size()), "channel"},
  };
  return details;
}

std::string name_of(const PartitionRule& rule) {
  return std::to_string(rule.h) + Codec<DdnType>::print(rule.type);
}

}  // namespace flitwave
