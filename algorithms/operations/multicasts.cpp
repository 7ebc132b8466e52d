// algorithms/operations/multicasts.cpp: messages of many nodes, each delivered to some others.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "algorithms/demand.hpp"
#include "algorithms/sampling/multicast_draw.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

/// A number, or a random number between two limits.
struct CountRange {
  int least = 1;
  int greatest = 1;

  int draw(Random& random) const {
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least) + 1));
  }
};

}  // namespace

template <>
struct Codec<CountRange> {
  static CountRange read(const ConfigNode& node) {
    CountRange range;
    if (!node.is_list()) {
      range.least = range.greatest = Codec<int>::read(node);
    } else {
      const std::vector<int> ends = Codec<std::vector<int>>::read(node);
      if (ends.size() != 2 || ends[0] > ends[1])
        throw node.error("a range consists of two ascending numbers", "write e.g. [4, 12]");
      range = {ends[0], ends[1]};
    }
    if (range.least < 1)
      throw node.error("a multicast needs at least one destination", "write e.g. 8 or [4, 12]");
    return range;
  }
  static std::string print(const CountRange& range) {
    return range.least == range.greatest ? fmt::format("{}", range.least)
                                         : fmt::format("[{}, {}]", range.least, range.greatest);
  }
  static ValueType type() {
    return {
        "number, or list of two", "[4, 12]",
        R"({"anyOf":[{"type":"integer","minimum":1},)"
        R"({"type":"array","items":{"type":"integer","minimum":1},"minItems":2,"maxItems":2}]})"};
  }
};

namespace {

constexpr double most_multicasts = 1e6;
constexpr double longest_window = 1e12;  // cycles

/// How random sources are placed.
enum class Placement { any, distinct, clustered };
std::vector<std::string> names_of(Placement) { return {"any", "distinct", "clustered"}; }

struct MulticastsParams {
  std::vector<ConfigNode> sources;
  CountRange destinations;
  Bytes message;
  int count = 0;
  Placement placement = Placement::any;
  int clusters = 1;
  double hot_spot = 0;
  Cycles gap{0};
  Cycles warmup{1000};
  Cycles measure{10000};
  Cycles cooldown{1000};

  Cycle last_release() const { return warmup.count + measure.count + cooldown.count; }
};

std::vector<NodeId> sources_of(const MulticastsParams& params, const Topology& topology) {
  if (params.sources.empty()) return working_nodes(topology);
  std::vector<NodeId> sources;
  for (const ConfigNode& item : params.sources) {
    const NodeId node = find_working(item, topology);
    if (std::find(sources.begin(), sources.end(), node) != sources.end())
      throw item.error(fmt::format("node {} is already a source", topology.label(node)),
                       "name every source once");
    sources.push_back(node);
  }
  return sources;
}

/// Chooses random destinations of multicasts, apart from those that all have in common.
class DestinationDraw {
 public:
  DestinationDraw(const MulticastsParams& params, const Topology& topology, std::uint64_t seed)
      : params_(params), topology_(topology) {
    if (params.hot_spot == 0) return;
    Random random(seed, "hot spot");
    hot_spot_.emplace(working_nodes(topology), params.destinations.greatest, params.hot_spot,
                      random);
  }

  Delivery draw(NodeId source, Cycle release, Random& random) const {
    const std::vector<NodeId> others = working_but(source, topology_);
    std::vector<NodeId> destinations =
        hot_spot_ ? hot_spot_->draw(others, random)
                  : draw_distinct(others, params_.destinations.draw(random), random);
    std::sort(destinations.begin(), destinations.end());
    Delivery delivery(source, std::move(destinations), params_.message);
    delivery.release = release;
    return delivery;
  }

 private:
  const MulticastsParams& params_;
  const Topology& topology_;
  std::optional<HotSpot> hot_spot_;
};

/// The sources of multicasts that are released at once; empty where each multicast chooses its own.
std::vector<NodeId> placed_sources(const MulticastsParams& params, const Topology& topology,
                                   std::uint64_t seed) {
  if (!params.sources.empty()) return sources_of(params, topology);
  Random random(seed, "sources");
  const std::vector<NodeId> working = working_nodes(topology);
  switch (params.placement) {
    case Placement::distinct:
      return draw_distinct(working, params.count, random);
    case Placement::clustered:
      return draw_clustered(topology, working, params.count, params.clusters, random);
    case Placement::any:
      break;
  }
  return {};
}

/// Multicasts at the start, each with a random stream of its own.
std::vector<Delivery> at_once(const MulticastsParams& params, const Topology& topology,
                              std::uint64_t seed) {
  const std::vector<NodeId> placed = placed_sources(params, topology, seed);
  const std::vector<NodeId> working = working_nodes(topology);
  const DestinationDraw destinations(params, topology, seed);
  std::vector<Delivery> deliveries;
  for (int i = 0; i < params.count; ++i) {
    Random random(seed, "multicast", static_cast<std::uint64_t>(i));
    const NodeId source =
        placed.empty() ? working[random.below(working.size())] : placed[index(i) % placed.size()];
    deliveries.push_back(destinations.draw(source, 0, random));
  }
  return deliveries;
}

/// A Poisson process at each source. Its gaps are geometric, in parts of a cycle so small that they
/// are practically exponential; a source may release several multicasts in one cycle.
std::vector<Delivery> poisson(const MulticastsParams& params, const Topology& topology,
                              std::uint64_t seed) {
  constexpr std::int64_t parts = 1024;  // parts of a cycle
  const DestinationDraw destinations(params, topology, seed);
  const GeometricGap gap(1.0 / static_cast<double>(params.gap.count * parts));
  std::vector<Delivery> deliveries;
  for (NodeId source : sources_of(params, topology)) {
    const auto number = static_cast<std::uint64_t>(source.value());
    Random gaps(seed, "release", number);
    Random choices(seed, "destinations", number);
    for (std::int64_t at = gap.draw(gaps); at / parts < params.last_release(); at += gap.draw(gaps))
      deliveries.push_back(destinations.draw(source, at / parts, choices));
  }
  std::stable_sort(deliveries.begin(), deliveries.end(), [](const Delivery& a, const Delivery& b) {
    return std::make_tuple(*a.release, a.source()) < std::make_tuple(*b.release, b.source());
  });
  return deliveries;
}

/// Checks that the random sources and destinations are possible.
void check_draw(const MulticastsParams& params, const Topology& topology) {
  if (params.hot_spot > 0 && params.destinations.least != params.destinations.greatest)
    throw ConfigError("hot_spot",
                      "the hot spot is a share of the number of destinations, which must not vary",
                      "give destinations as one number, or leave hot_spot out");
  if (params.placement == Placement::any) {
    if (params.clusters != 1)
      throw ConfigError("clusters", "sources are not placed in clusters",
                        "use placement: clustered, or leave clusters out");
    return;
  }
  if (params.gap.count > 0 || !params.sources.empty())
    throw ConfigError("placement",
                      params.gap.count > 0
                          ? "with gap every source multicasts, and none is chosen at random"
                          : "listed sources are not placed at random",
                      "leave placement out, or give count and no sources");
  const int nodes = static_cast<int>(working_nodes(topology).size());
  if (params.count > nodes)
    throw ConfigError(
        "count",
        fmt::format("{} distinct sources are requested; the topology has {} {}", params.count,
                    nodes, topology.faults().empty() ? "nodes" : "fault-free nodes"),
        fmt::format("use {} or fewer, or placement: any", nodes));
  if (params.placement == Placement::clustered && params.clusters > params.count)
    throw ConfigError("clusters",
                      fmt::format("{} clusters are requested; there are {} sources",
                                  params.clusters, params.count),
                      fmt::format("use {} or fewer", params.count));
}

void check(const MulticastsParams& params, const Topology& topology) {
  if ((params.count > 0) == (params.gap.count > 0))
    throw ConfigError("count", "multicasts take either count or gap",
                      "give count for so many at once, or gap for releases at random times");
  const int others = static_cast<int>(working_nodes(topology).size()) - 1;
  if (params.destinations.greatest > others)
    throw ConfigError("destinations",
                      fmt::format("{} destinations are requested; a source has {} other {}",
                                  params.destinations.greatest, others,
                                  topology.faults().empty() ? "nodes" : "fault-free nodes"),
                      fmt::format("use {} or fewer", others));
  check_draw(params, topology);
  if (params.gap.count == 0) return;
  const std::size_t sources =
      params.sources.empty() ? index(topology.nodes()) : params.sources.size();
  const double expected = static_cast<double>(params.last_release()) /
                          static_cast<double>(params.gap.count) * static_cast<double>(sources);
  if (expected > most_multicasts)
    throw ConfigError("gap",
                      fmt::format("about {:.3g} multicasts would be released; a demand has "
                                  "{:.0f} at most",
                                  expected, most_multicasts),
                      "use a longer gap, or measure for a shorter time");
}

Demand multicasts(const MulticastsParams& params, const Topology& topology, Random& random) {
  check(params, topology);
  const std::uint64_t seed = random.bits();
  Demand demand{"multicasts", {}};
  if (!params.sources.empty()) demand.named = sources_of(params, topology);
  if (params.count > 0) {
    demand.deliveries = at_once(params, topology, seed);
    return demand;
  }
  demand.deliveries = poisson(params, topology, seed);
  demand.measured = {params.warmup.count, params.warmup.count + params.measure.count};
  if (std::none_of(demand.deliveries.begin(), demand.deliveries.end(),
                   [&](const Delivery& d) { return demand.measured.holds(*d.release); }))
    throw ConfigError("gap", "no multicast is released during the measurement",
                      "use a shorter gap, or measure for a longer time");
  return demand;
}

}  // namespace

void register_multicasts(Operations& operations) {
  using P = MulticastsParams;
  operations.add(
      "multicasts",
      {"messages of many nodes, each delivered to some others, at once or at random times",
       "placement, hot_spot: Wang et al. 2001, section 4.4"},
      Schema<P>{}
          .optional("sources", &P::sources, "nodes that multicast; empty: all")
          .required("destinations", &P::destinations,
                    "number of random destinations of each message, or [least, most]")
          .required("message", &P::message, "length of each message", at_least(1))
          .optional("count", &P::count,
                    "number of multicasts, all released at the start: from listed sources in turn, "
                    "else from random sources",
                    between(0, most_multicasts))
          .optional("placement", &P::placement,
                    "with count, and without sources: any nodes, possibly repeated; distinct "
                    "nodes; or distinct nodes in clusters")
          .optional("clusters", &P::clusters,
                    "for placement: clustered, around as many random nodes, each the "
                    "nearest nodes",
                    at_least(1))
          .optional("hot_spot", &P::hot_spot,
                    "share of the destinations that all multicasts have in common", between(0, 1))
          .optional("gap", &P::gap,
                    "instead of count: each source releases multicasts as a Poisson process, at a "
                    "mean interval of this length",
                    between(0, longest_window))
          .optional("warmup", &P::warmup, "with gap: cycles before releases are counted",
                    between(0, longest_window))
          .optional("measure", &P::measure, "with gap: cycles whose releases are counted",
                    between(1, longest_window))
          .optional("cooldown", &P::cooldown,
                    "with gap: cycles after that in which releases continue, so that those counted "
                    "last see the same load",
                    between(0, longest_window)),
      multicasts);
}

}  // namespace flitwave
