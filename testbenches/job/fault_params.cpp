// testbenches/job/fault_params.cpp: see fault_params.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/fault_params.hpp"

namespace flitwave {

namespace {

const Schema<RandomFaultParams>& random_schema() {
  using P = RandomFaultParams;
  static const Schema<P> schema =
      Schema<P>{}
          .optional("nodes", &P::nodes, "number of faulty nodes", at_least(0))
          .optional("links", &P::links, "number of faulty links between fault-free nodes",
                    at_least(0))
          .optional("draws", &P::draws,
                    "number of random sets among which the valid ones are counted",
                    between(1, 1e7));
  return schema;
}

const Schema<LaterFaults>& later_schema() {
  using P = LaterFaults;
  static const Schema<P> schema =
      Schema<P>{}
          .required("onset", &P::onset, "cycle in which they become faulty", at_least(1))
          .optional("nodes", &P::nodes, "nodes that become faulty")
          .optional("links", &P::links, "links that become faulty");
  return schema;
}

/// Calls `add`; its error gets the position of the entry that was to be added.
template <class Add>
void add_at(const ConfigNode& written, Add add) {
  try {
    add();
  } catch (const ConfigError& error) {
    if (error.place().known()) throw;
    throw written.error(error.problem(), error.remedy());
  }
}

void add_faults(const std::vector<ConfigNode>& nodes, const std::vector<ConfigNode>& links,
                Cycle onset, const Topology& topology, FaultSet& faults) {
  for (const ConfigNode& node : nodes)
    add_at(node, [&] { faults.break_node(topology, topology.find(node), onset); });
  for (const ConfigNode& link : links) {
    if (!link.is_list() || link.items().size() != 2)
      throw link.error("a link is specified by the two nodes that it connects",
                       "write e.g. `links: [[0, 1]]`, or `[[[0, 0], [0, 1]]]` by coordinates");
    add_at(link, [&] {
      faults.break_link(topology, topology.find(link.items()[0]), topology.find(link.items()[1]),
                        onset);
    });
  }
}

}  // namespace

template <>
struct Codec<RandomFaultParams> {
  static RandomFaultParams read(const ConfigNode& node) { return random_schema().parse(node); }
  static std::string print(const RandomFaultParams& value) {
    return map_text(random_schema().print(value));
  }
  static ValueType type() {
    return {"numbers of faults", "{nodes: 2}",
            R"({"type":"object","properties":{"nodes":{"type":"integer","minimum":0},)"
            R"("links":{"type":"integer","minimum":0},"draws":{"type":"integer","minimum":1}},)"
            R"("additionalProperties":false})"};
  }
};

template <>
struct Codec<LaterFaults> {
  static LaterFaults read(const ConfigNode& node) { return later_schema().parse(node); }
  static std::string print(const LaterFaults& value) {
    return map_text(later_schema().print(value));
  }
  static ValueType type() {
    return {"faults", "{onset: 40 cycle, nodes: [17]}", R"({"type":"object"})"};
  }
};

std::vector<std::string> names_of(FaultCondition) { return {"error", "warn"}; }

Schema<FaultParams> fault_schema() {
  using P = FaultParams;
  return Schema<P>{}
      .optional("nodes", &P::nodes, "nodes that are faulty from the start, with all their channels")
      .optional("links", &P::links,
                "links that are faulty from the start, each [node, node], in both directions")
      .optional(
          "random", &P::random,
          "number of further random faults, e.g. {nodes: 2, links: 0}; nodes that the operation "
          "names are left out; draws: number of random sets, of any nodes, of which the share "
          "of valid ones is reported")
      .optional("later", &P::later,
                "nodes and links that become faulty during the run, each {onset: 40 cycle, nodes: "
                "[...], links: [...]}; messages on them are lost")
      .optional(
          "condition", &P::condition,
          "error or warn: the effect of faults that are not valid, which leave a fault-free node "
          "more than one faulty neighbour");
}

FaultSet listed_faults(const FaultParams& params, const Topology& topology) {
  FaultSet faults;
  add_faults(params.nodes, params.links, 0, topology, faults);
  for (const LaterFaults& later : params.later)
    add_faults(later.nodes, later.links, later.onset.count, topology, faults);
  return faults;
}

}  // namespace flitwave
