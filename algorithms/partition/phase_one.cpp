// algorithms/partition/phase_one.cpp: see phase_one.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/partition/phase_one.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "algorithms/grid/axis_order.hpp"
#include "configs/error.hpp"
#include "configs/random.hpp"
#include "configs/schema.hpp"

namespace flitwave {
namespace {

/// The numbers of the multicasts, block by block, each block's by source, row by row.
std::vector<std::size_t> in_order(const std::vector<NodeId>& sources, const Partition& partition) {
  std::vector<std::size_t> order(sources.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Grid& grid = *partition.network().grid();
  const auto key = [&](std::size_t i) {
    const NodeId source = sources[i];
    return std::tuple(partition.dcn_of(source), grid.coordinate(source, 0),
                      grid.coordinate(source, 1), i);
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

/// Assigns each source of a block its own network, if one of them contains it. `order`: the block's
/// multicasts.
void prefer_own(const std::vector<std::size_t>& order, const std::vector<NodeId>& sources,
                const Partition& partition, std::vector<int>& ddns) {
  for (std::size_t i : order) {
    const std::optional<int> own = partition.ddn_of(sources[i]);
    if (!own || ddns[i] == *own) continue;
    const auto holder = std::find_if(order.begin(), order.end(), [&](std::size_t other) {
      return ddns[other] == *own && partition.ddn_of(sources[other]) != own;
    });
    if (holder != order.end()) std::swap(ddns[i], ddns[*holder]);
  }
}

std::vector<int> balanced(const std::vector<NodeId>& sources, const Partition& partition,
                          PhaseOneSelf self) {
  const std::vector<std::size_t> order = in_order(sources, partition);
  std::vector<int> ddns(sources.size());
  for (std::size_t q = 0; q < order.size(); ++q)
    ddns[order[q]] = static_cast<int>(q % partition.ddns().size());
  if (self == PhaseOneSelf::literal) return ddns;
  for (auto first = order.begin(); first != order.end();) {
    const int block = partition.dcn_of(sources[*first]);
    const auto last = std::find_if(
        first, order.end(), [&](std::size_t i) { return partition.dcn_of(sources[i]) != block; });
    prefer_own({first, last}, sources, partition, ddns);
    first = last;
  }
  return ddns;
}

std::vector<int> random_ddns(std::size_t count, const Partition& partition, std::uint64_t seed) {
  Random random(seed, "partition");
  std::vector<int> ddns;
  for (std::size_t i = 0; i < count; ++i)
    ddns.push_back(static_cast<int>(random.below(partition.ddns().size())));
  return ddns;
}

std::vector<int> own_ddns(const std::vector<NodeId>& sources, const Partition& partition) {
  const DdnType type = partition.rule().type;
  if (type != DdnType::two && type != DdnType::four)
    throw ConfigError("phase1",
                      fmt::format("networks of type {} do not contain all nodes; a source outside "
                                  "of them has no network of its own",
                                  Codec<DdnType>::print(type)),
                      "use phase1: balanced or random, or type: II or IV");
  std::vector<int> ddns;
  for (NodeId source : sources) ddns.push_back(*partition.ddn_of(source));
  return ddns;
}

}  // namespace

std::vector<std::string> names_of(PhaseOne) { return {"balanced", "random", "none"}; }

std::vector<std::string> names_of(PhaseOneSelf) { return {"literal", "prefer"}; }

std::vector<Assignment> assign_multicasts(const std::vector<NodeId>& sources,
                                          const Partition& partition, const PhaseOneRule& rule) {
  const std::vector<int> ddns =
      rule.how == PhaseOne::balanced ? balanced(sources, partition, rule.self)
      : rule.how == PhaseOne::random ? random_ddns(sources.size(), partition, rule.seed)
                                     : own_ddns(sources, partition);
  std::vector<Assignment> assignments;
  for (std::size_t i = 0; i < sources.size(); ++i)
    assignments.push_back(
        {ddns[i], partition.representative(ddns[i], partition.dcn_of(sources[i]))});
  return assignments;
}

}  // namespace flitwave
