// algorithms/operations/multicasts.cpp: many nodes' messages go to some others each.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "flitwave/algorithms/demand.hpp"
#include "flitwave/configs/error.hpp"

namespace flitwave {
namespace {

/// So many, or a number drawn between two.
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
        throw node.error("a range goes from one number up to another", "write e.g. [4, 12]");
      range = {ends[0], ends[1]};
    }
    if (range.least < 1)
      throw node.error("a multicast goes to one destination at least", "write e.g. 8 or [4, 12]");
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

struct MulticastsParams {
  std::vector<ConfigNode> sources;
  CountRange destinations;
  Bytes message;
  int count = 0;
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
      throw item.error(fmt::format("node {} is a source already", topology.label(node)),
                       "name every source once");
    sources.push_back(node);
  }
  return sources;
}

/// A multicast to nodes drawn at random.
Delivery draw(NodeId source, Cycle release, const MulticastsParams& params,
              const Topology& topology, Random& random) {
  std::vector<NodeId> destinations;
  const std::vector<NodeId> others = working_but(source, topology);
  for (int place : random.sample(static_cast<int>(others.size()), params.destinations.draw(random)))
    destinations.push_back(others[static_cast<std::size_t>(place)]);
  std::sort(destinations.begin(), destinations.end());
  Delivery delivery(source, std::move(destinations), params.message);
  delivery.release = release;
  return delivery;
}

/// So many multicasts at the start, each with a stream of its own.
std::vector<Delivery> at_once(const MulticastsParams& params, const Topology& topology,
                              std::uint64_t seed) {
  const std::vector<NodeId> sources = sources_of(params, topology);
  std::vector<Delivery> deliveries;
  for (int i = 0; i < params.count; ++i) {
    Random random(seed, "multicast", static_cast<std::uint64_t>(i));
    const std::size_t place = params.sources.empty() ? random.below(sources.size())
                                                     : static_cast<std::size_t>(i) % sources.size();
    deliveries.push_back(draw(sources[place], 0, params, topology, random));
  }
  return deliveries;
}

/// A Poisson process at each source. Its gaps are geometric, in parts of a cycle so small that they
/// cannot be told from exponential ones; a source may release several multicasts in one cycle.
std::vector<Delivery> poisson(const MulticastsParams& params, const Topology& topology,
                              std::uint64_t seed) {
  constexpr std::int64_t parts = 1024;  // of a cycle
  const GeometricGap gap(1.0 / static_cast<double>(params.gap.count * parts));
  std::vector<Delivery> deliveries;
  for (NodeId source : sources_of(params, topology)) {
    const auto number = static_cast<std::uint64_t>(source.value());
    Random gaps(seed, "release", number);
    Random choices(seed, "destinations", number);
    for (std::int64_t at = gap.draw(gaps); at / parts < params.last_release(); at += gap.draw(gaps))
      deliveries.push_back(draw(source, at / parts, params, topology, choices));
  }
  std::stable_sort(deliveries.begin(), deliveries.end(), [](const Delivery& a, const Delivery& b) {
    return std::make_tuple(*a.release, a.source()) < std::make_tuple(*b.release, b.source());
  });
  return deliveries;
}

void check(const MulticastsParams& params, const Topology& topology) {
  if ((params.count > 0) == (params.gap.count > 0))
    throw ConfigError("count", "multicasts take either count or gap",
                      "give count for so many at once, or gap for releases at random times");
  const int others = static_cast<int>(working_nodes(topology).size()) - 1;
  if (params.destinations.greatest > others)
    throw ConfigError("destinations",
                      fmt::format("{} destinations are asked for, and a source has {} other {}",
                                  params.destinations.greatest, others,
                                  topology.faults().empty() ? "nodes" : "nodes that work"),
                      fmt::format("use {} or fewer", others));
  if (params.gap.count == 0) return;
  const std::size_t sources =
      params.sources.empty() ? static_cast<std::size_t>(topology.nodes()) : params.sources.size();
  const double expected = static_cast<double>(params.last_release()) /
                          static_cast<double>(params.gap.count) * static_cast<double>(sources);
  if (expected > most_multicasts)
    throw ConfigError("gap",
                      fmt::format("about {:.3g} multicasts would be released, and a demand has "
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
      "multicasts", {"many nodes' messages go to some others each, at once or at random times", ""},
      Schema<P>{}
          .optional("sources", &P::sources, "nodes that multicast; empty: all")
          .required("destinations", &P::destinations,
                    "nodes that get each message, drawn at random: so many, or [least, most]")
          .required("message", &P::message, "length of each message", at_least(1))
          .optional("count", &P::count,
                    "so many multicasts, all released at the start: from listed sources in turn, "
                    "else from sources drawn at random",
                    between(0, most_multicasts))
          .optional("gap", &P::gap,
                    "in place of count: each source releases multicasts as a Poisson process, on "
                    "average this long after one another",
                    between(0, longest_window))
          .optional("warmup", &P::warmup, "with gap: cycles before releases are counted",
                    between(0, longest_window))
          .optional("measure", &P::measure, "with gap: cycles whose releases are counted",
                    between(1, longest_window))
          .optional("cooldown", &P::cooldown,
                    "with gap: cycles after that in which releases go on, so that those counted "
                    "last meet the same load",
                    between(0, longest_window)),
      multicasts);
}

}  // namespace flitwave
