// algorithms/traffic/permutation.cpp: the destination of every source is given in a file.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/fixed_pattern.hpp"
#include "configs/input_file.hpp"

namespace flitwave {
namespace {

struct PermutationParams {
  InputFile file;
  bool self = false;
};

/// A node that the file does not name as a source sends nothing.
///
/// Throws: ConfigError, at the line of the file, for a node that does not exist, one that sends
///   twice and one that is sent to twice.
std::unique_ptr<TrafficPattern> permutation(const PermutationParams& params,
                                            const Topology& topology) {
  const auto nodes = index(topology.nodes());
  std::vector<NodeId> destinations(nodes);
  std::vector<bool> taken(nodes, false);
  for_each_line(params.file, "file", 2, "SOURCE DESTINATION", [&](const WordLine& line) {
    const NodeId source = find_node(topology, line, 0);
    const NodeId destination = find_node(topology, line, 1);
    if (destinations[source.index()].valid())
      throw line.error("node " + line.words[0] + " already has a destination",
                       "a permutation has one destination for each source");
    if (taken[destination.index()])
      throw line.error("node " + line.words[1] + " already has a source",
                       "a permutation has one source for each destination");
    destinations[source.index()] = destination;
    taken[destination.index()] = true;
  });
  return fixed_pattern(std::move(destinations), params.self);
}

}  // namespace

void register_permutation(TrafficPatterns& patterns) {
  using P = PermutationParams;
  patterns.add(
      "permutation", {"each node to the one given in a file", ""},
      Schema<P>{}
          .required("file", &P::file,
                    "lines SOURCE DESTINATION of nodes, numbers or names as 3_4; # starts "
                    "a comment; relative to the job's folder")
          .optional("self", &P::self,
                    "whether a node that the file maps to itself sends to itself; otherwise it "
                    "sends nothing"),
      permutation);
}

}  // namespace flitwave
