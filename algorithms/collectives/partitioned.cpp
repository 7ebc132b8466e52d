// algorithms/collectives/partitioned.cpp: multicasts in three phases, over subnetworks.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "algorithms/demand_shape.hpp"
#include "algorithms/grid/node_chain.hpp"
#include "algorithms/partition/embedding.hpp"
#include "algorithms/partition/phase_one.hpp"
#include "algorithms/schedule.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

enum class MeshTree { spu, umesh };
std::vector<std::string> names_of(MeshTree) { return {"spu", "umesh"}; }

struct PartitionedParams {
  int h = 4;
  DdnType type = DdnType::three;
  int delta = 0;
  PhaseOne phase1 = PhaseOne::balanced;
  PhaseOneSelf phase1_self = PhaseOneSelf::literal;
  MeshTree phase2_mesh = MeshTree::spu;
  MeshTree phase3 = MeshTree::spu;
  ChainSort negative_order = ChainSort::descending;
};

ChainRule chain_of(MeshTree tree) {
  return {tree == MeshTree::spu ? ChainPlace::rotated : ChainPlace::in_place, ChainSort::ascending,
          LargerHalf::upper};
}

/// One multicast after another in its three phases.
class Phases {
 public:
  Phases(const PartitionedParams& params, const Partition& partition, Schedule& schedule)
      : params_(params), partition_(partition), schedule_(schedule) {}

  void serve(int message, const Assignment& assigned) {
    message_ = message;
    root_ = assigned.representative;
    ddn_ = assigned.ddn;
    const Delivery& delivery = schedule_.demand().deliveries[index(message)];
    members_.clear();
    for (NodeId node : delivery.destinations) members_[partition_.dcn_of(node)].push_back(node);
    last_step_.clear();
    if (delivery.source() != root_) reach_root(delivery.source());
    distribute();
    for (const auto& [dcn, nodes] : members_) collect(dcn, nodes);
  }

 private:
  /// The last step in which a node receives or sends the message.
  int last_step(NodeId node) const {
    const auto found = last_step_.find(node);
    return found == last_step_.end() ? 0 : found->second;
  }

  const Subnetwork& dcn(int number) const { return partition_.dcns()[index(number)]; }

  /// The nodes that the representative of a block serves, itself included.
  int served_in(int number) const {
    const auto found = members_.find(number);
    if (found == members_.end()) return 1;
    const std::vector<NodeId>& nodes = found->second;
    const NodeId holder = partition_.representative(ddn_, number);
    const bool counted = std::find(nodes.begin(), nodes.end(), holder) != nodes.end();
    return static_cast<int>(nodes.size()) + (counted ? 0 : 1);
  }

  void send(SubnetworkSends& part, const ChainSend& planned, int step) {
    part.send(Pieces{message_}, planned.from, planned.to, step).addresses = planned.given;
    last_step_[planned.from] = step;
    last_step_[planned.to] = step;
  }

  /// Phase 1.
  void reach_root(NodeId source) {
    const int block = partition_.dcn_of(root_);
    int served = members_.count(block) == 0 ? 1 : 0;
    for (const auto& [number, nodes] : members_) served += served_in(number);
    SubnetworkSends part(schedule_, dcn(block), 1);
    send(part, {source, root_, 1, served}, 1);
  }

  /// Phase 2: to the representatives of all blocks with destinations.
  void distribute() {
    const Subnetwork& lattice = partition_.ddns()[index(ddn_)];
    std::vector<NodeId> others;
    for (const auto& [number, nodes] : members_)
      if (const NodeId node = partition_.representative(ddn_, number); node != root_)
        others.push_back(lattice.inner_of(node));
    ChainRule rule = chain_of(partition_.is_torus() ? MeshTree::spu : params_.phase2_mesh);
    if (lattice.directions() == Directions::negative) rule.sort = params_.negative_order;
    const ChainOrder before({}, lattice.inner().grid());
    std::vector<ChainSend> sends = halve_chain(lattice.inner_of(root_), others, rule, before);
    std::map<NodeId, int> served;  // by nodes that received it, from the node on
    for (auto planned = sends.rbegin(); planned != sends.rend(); ++planned) {
      planned->from = lattice.node_of(planned->from);
      planned->to = lattice.node_of(planned->to);
      planned->given = served[planned->to] + served_in(partition_.dcn_of(planned->to));
      served[planned->from] += planned->given;
    }
    SubnetworkSends part(schedule_, lattice, 2);
    const int steps = last_step(root_);
    for (const ChainSend& planned : sends) send(part, planned, steps + planned.step);
  }

  /// Phase 3: from the representative of a block to its destinations.
  void collect(int number, const std::vector<NodeId>& destinations) {
    const NodeId holder = partition_.representative(ddn_, number);
    std::vector<NodeId> others = destinations;
    others.erase(std::remove(others.begin(), others.end(), holder), others.end());
    const ChainOrder before({}, partition_.network().grid());
    SubnetworkSends part(schedule_, dcn(number), 3);
    const int steps = last_step(holder);
    for (const ChainSend& planned : halve_chain(holder, others, chain_of(params_.phase3), before))
      send(part, planned, steps + planned.step);
  }

  const PartitionedParams& params_;
  const Partition& partition_;
  Schedule& schedule_;
  int message_ = 0;
  int ddn_ = 0;
  NodeId root_;
  std::map<int, std::vector<NodeId>> members_;  // destinations by DCN
  std::map<NodeId, int> last_step_;
};

/// "4IIIB": the names of the schemes in the source; R where the choice is random.
std::string scheme_of(const PartitionedParams& params, const Partition& partition) {
  const char* balance = params.phase1 == PhaseOne::balanced ? "B"
                        : params.phase1 == PhaseOne::random ? "R"
                                                            : "";
  return name_of(partition.rule()) + balance;
}

/// Throws: ConfigError for settings that have no effect.
void check_used(const PartitionedParams& params, const Partition& partition) {
  if (params.phase1_self == PhaseOneSelf::prefer && params.phase1 != PhaseOne::balanced)
    throw ConfigError("phase1_self", "only balanced sources can prefer their own network",
                      "use phase1: balanced, or leave phase1_self out");
  if (params.phase2_mesh == MeshTree::umesh && partition.is_torus())
    throw ConfigError("phase2_mesh", "phase 2 on a torus is U-torus", "leave phase2_mesh out");
  const bool any_negative =
      std::any_of(partition.ddns().begin(), partition.ddns().end(),
                  [](const Subnetwork& ddn) { return ddn.directions() == Directions::negative; });
  if (params.negative_order == ChainSort::ascending && !any_negative)
    throw ConfigError("negative_order", "no distributing network has the negative direction",
                      "use type: III or IV, or leave negative_order out");
}

/// The directions and orders that packets of the scheme may use, whatever networks are chosen.
std::vector<Direction> directions_of(const Partition& partition) {
  std::vector<Direction> directions{Direction::mesh};
  for (const Subnetwork& lattice : partition.ddns())
    directions.push_back(direction_within(lattice));
  return directions;
}

/// Each multicast is sent to a representative of its source's block in a data-distributing network
/// (phase 1), within that network to the representatives of all blocks with destinations (phase 2),
/// and in each block to its destinations (phase 3). Phase 2 is U-torus on a torus, in the direction
/// of the network. Nodes do not wait for the end of a phase; the messages of phase 2 are sent
/// before those of phase 3.
///
/// Serves: broadcasts, multicasts and unicasts on 2D tori and meshes, each message on its own.
/// Steps: of a message, at most 1 + ceil(log2(1 + r)) + max ceil(log2(1 + d)), with r further
///   representatives and d destinations of a block besides its own.
/// Contention: none within a step of phase 2 of a message in a class of virtual channels, under
///   dimension order with vc_rule: remaining_wrap, x first. Phases 2 and 3 of a message can
///   contend.
/// Throws: as Partition and assign_multicasts
/// Source: Wang et al. 2001, sections 2.3, 4 and 5.1
Schedule partitioned(const PartitionedParams& params, const Demand& demand,
                     const CollectiveContext& network) {
  require_no_combining(demand, "partitioned");
  const auto shared = std::make_shared<const Partition>(
      network.topology, PartitionRule{params.type, params.h, params.delta});
  const Partition& partition = *shared;
  check_used(params, partition);
  std::vector<NodeId> sources;
  for (const Delivery& delivery : demand.deliveries) sources.push_back(delivery.source());
  const std::vector<Assignment> assigned =
      assign_multicasts(sources, partition, {params.phase1, params.phase1_self, demand.seed});
  Schedule schedule(demand);
  Phases phases(params, partition, schedule);
  for (std::size_t i = 0; i < assigned.size(); ++i) phases.serve(static_cast<int>(i), assigned[i]);
  schedule.set_directions(directions_of(partition));
  schedule.set_details([shared, scheme = scheme_of(params, partition)] {
    ScheduleDetails details = describe(*shared);
    details.lines.insert(details.lines.begin(), scheme);
    return details;
  });
  schedule.set_partition(shared);
  return schedule;
}

}  // namespace

void register_partitioned(Collectives& collectives) {
  using P = PartitionedParams;
  collectives.add(
      "partitioned",
      {"multicasts over subnetworks of a 2D torus or mesh, in three phases; 4IIIB and similar",
       "Wang et al. 2001"},
      Schema<P>{}
          .optional("h", &P::h, "nodes between lines of a subnetwork, and the width of a block")
          .optional("type", &P::type,
                    "the distributing networks: I: h, both directions; II: h^2, both directions; "
                    "III: 2h, one direction each; IV: h^2, one direction each")
          .optional("delta", &P::delta,
                    "of type III: how far the negative networks are shifted; 0: h / 2", at_least(0))
          .optional("phase1", &P::phase1,
                    "which network distributes a multicast: all networks equally often (B), any at "
                    "random "
                    "(R), or that of its source, of types II and IV")
          .optional(
              "phase1_self", &P::phase1_self,
              "for balanced: literal: a source takes the network whose turn it is; prefer: it "
              "keeps its own if a multicast of its block was assigned to that")
          .optional("phase2_mesh", &P::phase2_mesh,
                    "on a mesh: the tree of phase 2; spu: the chain is rotated, umesh: it is not")
          .optional("phase3", &P::phase3, "the tree within a block")
          .optional("negative_order", &P::negative_order,
                    "how the chain of a network of negative direction is sorted; the source sorts "
                    "all ascending, and then messages of one step contend"),
      partitioned);
}

}  // namespace flitwave
