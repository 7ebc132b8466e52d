// testbenches/tests/paper/wang_2001/wang_2001_partition_test.cpp: Wang et al. 2001's subnetworks,
// section 2.2.
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <tuple>

#include "algorithms/partition/embedding.hpp"
#include "algorithms/partition/partition.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/paper/wang_2001/wang_2001.hpp"

namespace wang_2001_partition_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

struct Case {
  std::vector<int> shape;
  int h;
};

const std::vector<Case> cases{{{16, 16}, 4}, {{16, 16}, 2}, {{12, 8}, 4}, {{8, 8}, 2},
                              {{9, 9}, 3},   {{12, 12}, 3}, {{15, 10}, 5}};
const std::vector<DdnType> all_types{DdnType::one, DdnType::two, DdnType::three, DdnType::four};

bool is_square(DdnType type) { return type == DdnType::two || type == DdnType::four; }

/// Definitions 4 to 7: the numbers of networks.
int members_of(DdnType type, int h) {
  return is_square(type) ? h * h : type == DdnType::three ? 2 * h : h;
}

std::set<int> coordinates(const Subnetwork& part, const Topology& network, int dimension) {
  std::set<int> all;
  for (NodeId node : part.nodes()) all.insert(network.grid()->coordinate(node, dimension));
  return all;
}

ChannelId channel_between(const Topology& network, const Coordinates& from, const Coordinates& to) {
  for (int number = 0; number < network.channels(); ++number) {
    const ChannelEnds& ends = network.channel(ChannelId(number));
    if (ends.from == network.grid()->node(from) && ends.to == network.grid()->node(to))
      return ChannelId(number);
  }
  return ChannelId();
}

std::set<std::pair<std::vector<NodeId>, std::vector<ChannelId>>> as_sets(
    const Partition& partition) {
  std::set<std::pair<std::vector<NodeId>, std::vector<ChannelId>>> sets;
  for (const Subnetwork& ddn : partition.ddns()) {
    std::vector<NodeId> nodes = ddn.nodes();
    std::sort(nodes.begin(), nodes.end());
    sets.emplace(nodes, ddn.channels());
  }
  return sets;
}

}  // namespace

TEST_CASE("each type has as many networks as its definition states", "[paper][wang][O-1]") {
  for (const auto& [shape, h] : cases) {
    const Topology network = torus(shape);
    for (DdnType type : all_types) {
      const Partition partition(network, {type, h});
      CHECK(static_cast<int>(partition.ddns().size()) == members_of(type, h));
      CHECK(static_cast<int>(partition.dcns().size()) == shape[0] * shape[1] / (h * h));
    }
  }
}

TEST_CASE("no two networks of a type share a node", "[paper][wang][O-2]") {
  for (const auto& [shape, h] : cases)
    for (DdnType type : all_types) {
      const Topology network = torus(shape);
      CHECK(node_contention(Partition(network, {type, h}).ddns(), network).greatest == 1);
    }
}

TEST_CASE("networks of a type share channels as in table 1, except IV where h is odd",
          "[paper][wang][O-3][O-4]") {
  for (const auto& [shape, h] : cases) {
    const Topology network = torus(shape);
    const auto level = [&network = network, h = h](DdnType type, int delta = 0) {
      return link_contention(Partition(network, {type, h, delta}).ddns(), network);
    };
    CHECK(level(DdnType::one).least == 1);
    CHECK(level(DdnType::one).greatest == 1);
    CHECK(level(DdnType::two).least == h);
    CHECK(level(DdnType::two).greatest == h);
    for (int delta = 1; delta < h; ++delta) {
      CHECK(level(DdnType::three, delta).least == 1);
      CHECK(level(DdnType::three, delta).greatest == 1);
    }
    // The source states h / 2.
    CHECK(level(DdnType::four).least == h / 2);
    CHECK(level(DdnType::four).greatest == (h + 1) / 2);
  }
}

TEST_CASE("networks of a mesh share channels as those of a torus", "[paper][wang][O-3]") {
  for (const auto& [shape, h] : cases) {
    const Topology network = mesh(shape);
    CHECK(link_contention(Partition(network, {DdnType::one, h}).ddns(), network).greatest == 1);
    const ContentionLevel two =
        link_contention(Partition(network, {DdnType::two, h}).ddns(), network);
    CHECK(two.least == h);
    CHECK(two.greatest == h);
  }
}

TEST_CASE("the networks of a type cover as many nodes as follow from its definition",
          "[paper][wang][O-5][O-8]") {
  for (const auto& [shape, h] : cases) {
    const Topology network = torus(shape);
    for (DdnType type : all_types) {
      const Partition partition(network, {type, h});
      std::set<NodeId> covered;
      for (const Subnetwork& ddn : partition.ddns())
        covered.insert(ddn.nodes().begin(), ddn.nodes().end());
      const int of_line = members_of(type, h) * network.nodes() / (h * h);
      CHECK(static_cast<int>(covered.size()) == (is_square(type) ? network.nodes() : of_line));
    }
  }
  const Topology network = torus({16, 16});
  const Partition partition(network, {DdnType::one, 4});
  for (const Coordinates& at : std::vector<Coordinates>{{1, 0}, {0, 1}})
    CHECK_FALSE(partition.ddn_of(network.grid()->node(at)));
}

TEST_CASE("each distributing network shares one node with each block", "[paper][wang][O-6]") {
  for (const auto& [shape, h] : cases) {
    const Topology network = torus(shape);
    for (DdnType type : all_types) {
      const Partition partition(network, {type, h});
      for (std::size_t k = 0; k < partition.ddns().size(); ++k)
        for (std::size_t b = 0; b < partition.dcns().size(); ++b) {
          int shared = 0;
          for (NodeId node : partition.dcns()[b].nodes())
            if (partition.ddns()[k].has(node)) {
              ++shared;
              CHECK(partition.representative(static_cast<int>(k), static_cast<int>(b)) == node);
            }
          CHECK(shared == 1);
        }
    }
  }
}

TEST_CASE("the blocks partition the nodes, h times h in each", "[paper][wang][O-7]") {
  for (const auto& [shape, h] : cases) {
    const Topology network = torus(shape);
    const Partition partition(network, {DdnType::two, h});
    const ContentionLevel level = node_contention(partition.dcns(), network);
    CHECK(level.least == 1);
    CHECK(level.greatest == 1);
    for (std::size_t b = 0; b < partition.dcns().size(); ++b) {
      CHECK(static_cast<int>(partition.dcns()[b].nodes().size()) == h * h);
      for (NodeId node : partition.dcns()[b].nodes())
        CHECK(partition.dcn_of(node) == static_cast<int>(b));
    }
  }
}

TEST_CASE("distributing networks have as many channels as counted", "[paper][wang][O-9]") {
  struct Count {
    bool wraps;
    Case of;
    DdnType type;
    int channels;
  };
  for (const auto& [wraps, of, type, channels] :
       std::vector<Count>{{true, {{16, 16}, 4}, DdnType::one, 256},
                          {true, {{16, 16}, 4}, DdnType::two, 256},
                          {true, {{16, 16}, 4}, DdnType::three, 128},
                          {true, {{16, 16}, 4}, DdnType::four, 128},
                          {true, {{16, 16}, 2}, DdnType::one, 512},
                          {true, {{16, 16}, 2}, DdnType::two, 512},
                          {true, {{16, 16}, 2}, DdnType::three, 256},
                          {true, {{16, 16}, 2}, DdnType::four, 256},
                          {false, {{16, 16}, 4}, DdnType::one, 240},
                          {false, {{16, 16}, 4}, DdnType::two, 240},
                          {false, {{16, 16}, 2}, DdnType::one, 480},
                          {false, {{16, 16}, 2}, DdnType::two, 480},
                          {true, {{12, 8}, 4}, DdnType::one, 96},
                          {true, {{12, 8}, 4}, DdnType::two, 96},
                          {true, {{12, 8}, 4}, DdnType::three, 48},
                          {true, {{12, 8}, 4}, DdnType::four, 48},
                          {false, {{12, 8}, 4}, DdnType::one, 86},
                          {false, {{12, 8}, 4}, DdnType::two, 86}}) {
    const Topology network = wraps ? torus(of.shape) : mesh(of.shape);
    const Partition partition(network, {type, of.h});
    for (const Subnetwork& ddn : partition.ddns())
      CHECK(static_cast<int>(ddn.channels().size()) == channels);
  }
}

TEST_CASE("for h = 2 types III and IV are the same networks, contrary to figure 8's remark",
          "[paper][wang][O-10][A11]") {
  for (const std::vector<int>& shape :
       std::vector<std::vector<int>>{{16, 16}, {8, 8}, {4, 6}, {2, 2}}) {
    const Topology network = torus(shape);
    const Partition third(network, {DdnType::three, 2, 1});
    const Partition fourth(network, {DdnType::four, 2});
    CHECK(as_sets(third) == as_sets(fourth));
    CHECK(as_sets(third).size() == 4);
  }
}

TEST_CASE("nodes that a network only passes through may neither send nor receive in it",
          "[paper][wang][O-11]") {
  const Topology network = torus({16, 16});
  const Grid& grid = *network.grid();
  const Partition partition(network, {DdnType::one, 4});
  const Subnetwork& first = partition.ddns().front();
  CHECK(first.has(channel_between(network, {0, 0}, {0, 1})));
  CHECK(first.has(channel_between(network, {0, 1}, {0, 2})));
  CHECK(first.has(grid.node({0, 0})));
  CHECK_FALSE(first.has(grid.node({0, 1})));
  CHECK_FALSE(first.has(grid.node({0, 2})));

  Schedule schedule(multicast_from(grid.node({0, 1}), {grid.node({0, 4})}));
  SubnetworkSends sends(schedule, first, 1);
  CHECK_THROWS_AS(sends.send(Pieces{0}, grid.node({0, 1}), grid.node({0, 4}), 1), ModelError);
  Schedule other(multicast_from(grid.node({0, 0}), {grid.node({0, 1}), grid.node({0, 4})}));
  SubnetworkSends into(other, first, 1);
  CHECK_THROWS_AS(into.send(Pieces{0}, grid.node({0, 0}), grid.node({0, 1}), 1), ModelError);
  CHECK_NOTHROW(into.send(Pieces{0}, grid.node({0, 0}), grid.node({0, 4}), 1));
}

TEST_CASE("packets between nodes of a subnetwork stay on its channels", "[paper][wang][O-12]") {
  for (const bool wraps : {true, false})
    for (const std::string order : {"order: [0, 1]", "order: [1, 0]"})
      for (const auto& [shape, h] : std::vector<Case>{{{16, 16}, 4}, {{16, 16}, 2}, {{12, 8}, 4}}) {
        const WangNetwork network(wraps ? torus(shape) : mesh(shape), order);
        for (DdnType type : all_types) {
          if (!wraps && (type == DdnType::three || type == DdnType::four)) continue;
          const Partition partition(network.topology(), {type, h});
          for (const auto* parts : {&partition.ddns(), &partition.dcns()})
            for (const Subnetwork& part : *parts) {
              int left = 0;
              for (NodeId from : part.nodes())
                for (NodeId to : part.nodes())
                  for (const Crossing& on : crossings(network.by(), network.topology(),
                                                      {from, to, 0, 0, direction_within(part)}))
                    left += part.has(on.channel) ? 0 : 1;
              CHECK(left == 0);
            }
        }
      }
}

TEST_CASE("invalid partitions are rejected with the reason", "[paper][wang][O-13]") {
  const Topology ring = torus({16, 12});
  const Topology flat = mesh({16, 12});
  const auto rejected = [](const Topology& network, const PartitionRule& rule) {
    return rejection([&] { Partition(network, rule); });
  };
  CHECK(has(rejected(flat, {DdnType::three, 4}), {"type", "III", "mesh", "topology.kind: torus"}));
  CHECK(has(rejected(flat, {DdnType::four, 4}), {"type", "IV", "mesh"}));
  CHECK(has(rejected(ring, {DdnType::one, 8}), {"h", "8", "extent of dimension 1", "12"}));
  CHECK(has(rejected(ring, {DdnType::one, 0}), {"h", "0"}));
  CHECK(has(rejected(ring, {DdnType::three, 4, 4}), {"delta", "1 .. 3"}));
  CHECK(has(rejected(ring, {DdnType::three, 4, -1}), {"delta", "1 .. 3"}));
  CHECK(has(rejected(ring, {DdnType::three, 1}), {"h", "type III"}));
  CHECK(has(rejected(ring, {DdnType::two, 4, 1}), {"delta", "type III"}));
  CHECK(has(rejected(torus({4, 4, 4}), {DdnType::one, 2}), {"kind", "two dimensions"}));
  CHECK(has(rejected(torus({4, 4}, Directions::positive), {DdnType::one, 2}), {"both directions"}));
}

TEST_CASE("the networks of figures 2 and 3 have the rows and columns of the figures",
          "[paper][wang]") {
  const Topology network = torus({16, 16});
  using Lines = std::set<int>;
  const auto lines = [&](const Subnetwork& ddn) {
    return std::pair(coordinates(ddn, network, 0), coordinates(ddn, network, 1));
  };
  const Partition first(network, {DdnType::one, 4});
  CHECK(lines(first.ddns()[2]) == std::pair(Lines{2, 6, 10, 14}, Lines{2, 6, 10, 14}));
  const Partition third(network, {DdnType::three, 4});
  CHECK(third.rule().delta == 2);
  CHECK(lines(third.ddns()[0]) == std::pair(Lines{0, 4, 8, 12}, Lines{0, 4, 8, 12}));
  CHECK(lines(third.ddns()[4]) == std::pair(Lines{0, 4, 8, 12}, Lines{2, 6, 10, 14}));
  CHECK(lines(third.ddns()[5]) == std::pair(Lines{1, 5, 9, 13}, Lines{3, 7, 11, 15}));
  CHECK(lines(third.ddns()[7]) == std::pair(Lines{3, 7, 11, 15}, Lines{1, 5, 9, 13}));
}

TEST_CASE(
    "a partition is described by its members and by the number of networks that share a channel",
    "[paper][wang]") {
  const Topology network = torus({16, 16});
  const std::vector<std::string> third = describe(Partition(network, {DdnType::three, 4})).lines;
  REQUIRE(third.size() == 10);
  CHECK(third[0] == "each node is in 0 to 1 of the distributing networks, each channel in 1");
  CHECK(third[6] == "network 5: x = 1, 5, 9, 13; y = 3, 7, 11, 15; negative channels");
  CHECK(third[9] == "each block has 4 x 4 nodes");
  const std::vector<std::string> second = describe(Partition(network, {DdnType::two, 8})).lines;
  CHECK(second[33] == "and 32 more");
}

TEST_CASE("a tree that is planned on a subnetwork's grid keeps its steps in the network",
          "[paper][wang]") {
  const WangNetwork network(torus({16, 16}));
  const Partition partition(network.topology(), {DdnType::four, 4});
  Random random(4, "embedded");
  for (const Subnetwork& ddn : partition.ddns()) {
    const bool negative = ddn.directions() == Directions::negative;
    const WangNetwork own(ddn.inner());
    const Demand inner = random_multicast(own.topology(), random);
    const Schedule planned = own.schedule_of(
        "u_torus",
        std::string("larger_half: upper, sort: ") + (negative ? "descending" : "ascending"), inner);
    const Delivery& requested = inner.deliveries.front();
    std::vector<NodeId> destinations;
    for (NodeId node : requested.destinations) destinations.push_back(ddn.node_of(node));
    Schedule sent(multicast_from(ddn.node_of(requested.source()), destinations));
    SubnetworkSends sends(sent, ddn, 2);
    for (const Transfer& transfer : planned.transfers())
      sends.send(transfer.pieces, ddn.node_of(transfer.from), ddn.node_of(transfer.to),
                 transfer.step);

    const Judged inside = own.judge(planned);
    const Judged outside = network.judge(sent);
    CHECK(outside.faults.empty());
    CHECK(outside.steps == inside.steps);
    CHECK(outside.traffic == ddn.dilation() * inside.traffic);
    CHECK(inside.class_contentions.empty());
    CHECK(outside.class_contentions.empty());
    CHECK(outside.overlapping->empty());
  }
}

}  // namespace wang_2001_partition_test
