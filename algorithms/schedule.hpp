// algorithms/schedule.hpp: the transfers of a collective: sender, receivers, data and dependencies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/cost_models/closed_forms.hpp"
#include "algorithms/demand.hpp"
#include "algorithms/piece_holders.hpp"
#include "algorithms/routing.hpp"
#include "configs/registry.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

class Partition;

/// When a node may start a transfer of a schedule.
enum class Pace {
  dataflow,  ///< As soon as it has the data and its earlier sends were started.
  stepped,   ///< Not before every transfer of the previous step is complete.
  phased,    ///< Not before every transfer of the previous phase is complete.
};
std::vector<std::string> names_of(Pace);

/// A part of a delivery's data, which travels as a whole.
struct Piece {
  int delivery = 0;  ///< Index into the demand.
  Bytes size;
};

/// Pieces that travel together.
using Pieces = std::vector<int>;

/// One message from one node to another, in one step of a schedule. For each of its pieces it
/// carries what the sender has of it before the step, or what the sender has received of it.
struct Transfer {
  NodeId from;
  NodeId to;
  int step = 1;       ///< Message-passing step in which the transfer happens, from 1.
  Pieces pieces;      ///< At least one; none twice.
  Bytes size;         ///< Size of the payload.
  int addresses = 1;  ///< Destinations named in the header, which the receiver serves.
  Use use = Use::keep;
  bool own = true;         ///< It includes the sender's own contribution.
  Bytes combined;          ///< The part that is combined with the receiver's data.
  std::vector<int> after;  ///< Transfers to the sender that it needs, ascending.
  /// The transfer whose message the network copies for this one; -1: it has its own message.
  int copy_of = -1;
  /// The transfer of the same message whose receiver it passes last; -1: it arrives directly from
  /// the sender.
  int follows = -1;
  /// Its direction round rings; none: as the routing specifies for all.
  std::optional<Direction> direction{};
  int phase = 0;  ///< The phase of the algorithm that it belongs to, from 1; 0: there are none.
};

/// Slots of a schedule with the same duration.
struct SlotGroup {
  std::int64_t slots = 1;
  Bytes longest;  ///< The longest message of each.
};

/// Parts of a schedule's length besides its transfers; empty where its algorithm has no such slots.
struct ScheduleLengths {
  /// Slots without messages, each as long as the longest of its phase.
  std::vector<SlotGroup> idle;
  /// All slots, if receivers also received the data that they have from the start.
  std::vector<SlotGroup> whole;
  /// All slots as the source counts them, which may not be a valid schedule.
  std::vector<SlotGroup> nominal;
};

/// The description of an algorithm's choices, besides its transfers.
struct ScheduleDetails {
  struct Figure {
    std::string name;  ///< The metric's name.
    double value = 0;
    std::string unit;
  };
  std::vector<std::string> lines;  ///< For the output of a check.
  std::vector<Figure> figures;     ///< For results without a clock.
};

/// The transfers that serve a demand, in the order in which each node issues its sends.
class Schedule {
 public:
  /// Every delivery is one piece.
  explicit Schedule(Demand demand, Pace pace = Pace::dataflow);

  /// Cuts a delivery into `parts` pieces, as equal as whole bytes allow; the first have one byte
  /// more. Needs: no transfer has been added. Pieces are numbered by delivery, then by part.
  void split(int delivery, int parts);

  /// Appends a transfer of pieces. Transfers are appended so that a sender's own receives of a step
  /// precede its sends of later steps.
  /// Throws: ModelError, naming the transfer, when the sender does not have every piece before
  ///   `step`; when the receiver already has a piece that is not combined, unless `use` is repeat;
  ///   when the receiver has sent the piece on in a later step.
  Transfer& send(Pieces pieces, NodeId from, NodeId to, int step, Use use = Use::keep);
  /// The same for what the sender has received so far, without its own contribution.
  Transfer& send_received(Pieces pieces, NodeId from, NodeId to, int step, Use use);
  /// A transfer of one piece.
  void send(int piece, NodeId from, NodeId to, int step, int addresses = 1);
  /// Appends a transfer to each of several nodes: one message, which the network copies.
  /// Throws: as `send`; ModelError when there are no receivers.
  void send_to_all(const Pieces& pieces, NodeId from, const std::vector<NodeId>& to, int step);
  /// The same for a message that passes one receiver after another, in the order in which they are
  /// named, and is copied at all but the last, whose transfer is appended first. Its header names
  /// all receivers, and its direction round rings, if there is one.
  void send_along(const Pieces& pieces, NodeId from, const std::vector<NodeId>& stops, int step,
                  std::optional<Direction> direction = std::nullopt);
  /// Lets the transfer appended last begin only after transfer `receipt`, from which it takes no
  /// data: as if its sender received a token with it.
  /// Throws: ModelError unless that one is to its sender, in an earlier step.
  void wait_for(int receipt);

  /// Promises that transfers of a step share no channel under some routing, which is named, e.g.
  /// "dimension_order"; under any other they may.
  void promise_no_contention(std::string routing) { contention_free_under_ = std::move(routing); }
  /// The promised routing; empty when none is promised.
  const std::string& contention_free_under() const { return contention_free_under_; }

  /// The length of the schedule if slots follow one another, however its messages are sent.
  void set_lengths(ScheduleLengths lengths) { lengths_ = std::move(lengths); }
  const ScheduleLengths& lengths() const { return lengths_; }

  /// Stores what the algorithm chose, for the output of a check or a result; may be empty.
  void set_remark(std::string remark) { remark_ = std::move(remark); }
  const std::string& remark() const { return remark_; }
  /// More details. `details` is called at each query.
  void set_details(std::function<ScheduleDetails()> details) { details_ = std::move(details); }
  ScheduleDetails details() const { return details_ ? details_() : ScheduleDetails(); }
  /// The subnetworks over which the schedule sends, for figures. Its topology outlives the
  /// schedule.
  void set_partition(std::shared_ptr<const Partition> partition) {
    partition_ = std::move(partition);
  }
  /// Null when there are none.
  const Partition* partition() const { return partition_.get(); }

  /// Allows a node that is no destination to receive a message without forwarding it, as in a
  /// broadcast for multicasts; otherwise this is a fault.
  void allow_strangers() { allows_strangers_ = true; }
  bool allows_strangers() const { return allows_strangers_; }

  /// The formula of the algorithm's source for the first delivery.
  void set_formula(std::optional<CostFormula> formula) {
    if (!demand_.released()) formula_ = std::move(formula);
  }
  /// None where the source has none, or states it for other networks, or where deliveries have
  /// release times of their own.
  const std::optional<CostFormula>& formula() const { return formula_; }

  /// When its transfers begin. Has no other effect.
  void set_pace(Pace pace) { pace_ = pace; }
  /// Sets the number of steps, the last of which may be idle. Needs: not below steps().
  void set_steps(int steps) { steps_ = steps; }
  /// The number of its steps that belong to barriers of messages.
  void set_barrier_steps(int steps) { barrier_steps_ = steps; }
  int barrier_steps() const { return barrier_steps_; }
  /// Takes over the promise of another schedule of the same transfers, its description and its
  /// formula.
  void keep_remarks(const Schedule& other);

  /// Directions that transfers may name in other random instances of the same job, besides those of
  /// this one.
  void set_directions(std::vector<Direction> directions) { directions_ = std::move(directions); }
  const std::vector<Direction>& directions() const { return directions_; }

  const Demand& demand() const { return demand_; }
  Pace pace() const { return pace_; }
  /// What the barriers of its pace separate: steps, or phases.
  bool has_barriers() const { return pace_ != Pace::dataflow; }
  /// A transfer's stage between barriers: its step, or its phase. Needs: has_barriers()
  int stage_of(const Transfer& transfer) const {
    return pace_ == Pace::phased ? transfer.phase : transfer.step;
  }
  /// The greatest stage. Needs: has_barriers()
  int stages() const;
  const std::vector<Transfer>& transfers() const { return transfers_; }
  const Transfer& transfer(int number) const { return transfers_[index(number)]; }
  /// The number of receivers of a transfer's message: one, and those of its copies, which follow
  /// it; 0: it is a copy itself.
  int receivers_of(int number) const;
  /// The transfers that a node sends, in order.
  const std::vector<int>& sends_of(NodeId node) const;
  int steps() const { return steps_; }
  /// A transfer's step, and the delivery that counts it; -1: all deliveries without release times
  /// of their own.
  std::pair<int, int> step_of(const Transfer& transfer) const;
  /// The time from which the sender has its own contributions to a transfer, in cycles after the
  /// start.
  Cycle release_of(const Transfer& transfer) const;
  /// Whether the network copies messages.
  bool copies() const;
  /// Whether it copies them at receivers that they pass (`send_along`).
  bool copies_on_way() const;

  const std::vector<Piece>& pieces() const { return pieces_; }
  const Delivery& delivery_of(int piece) const {
    return demand_.deliveries[index(pieces_[index(piece)].delivery)];
  }
  /// A piece by its delivery: "3"; "3.1" for the second part of one that is cut.
  std::string name_of(int piece) const;
  /// The pieces of a transfer, for tables: "3"; "3 5"; of more than three pieces "3 .. 9, 5 in
  /// all".
  std::string name_of(const Transfer& transfer) const;
  /// The number of a delivery's part.
  int piece(int delivery, int part) const { return first_piece_[index(delivery)] + part; }

  /// Whether a transfer belongs to a barrier between steps.
  bool is_signal(const Transfer& transfer) const {
    return !transfer.pieces.empty() && delivery_of(*transfer.pieces.begin()).is_barrier;
  }

  const PieceHolders& holders(int piece) const { return holders_[index(piece)]; }

 private:
  void cut(const std::vector<int>& parts);
  Transfer& append(Transfer transfer);
  void check(const Transfer& transfer) const;
  void check_receiver(const Transfer& transfer, int piece) const;
  void carry(Transfer& transfer, int piece);

  Demand demand_;
  Pace pace_;
  std::vector<Piece> pieces_;
  std::vector<int> first_piece_;       // per delivery
  std::vector<PieceHolders> holders_;  // per piece
  std::vector<Transfer> transfers_;
  std::vector<std::vector<int>> sends_;  // per node, up to the last one that sends
  int steps_ = 0;
  int barrier_steps_ = 0;
  std::string contention_free_under_;
  bool allows_strangers_ = false;
  std::string remark_;
  std::function<ScheduleDetails()> details_;
  std::shared_ptr<const Partition> partition_;
  std::vector<Direction> directions_;
  ScheduleLengths lengths_;
  std::optional<CostFormula> formula_;
};

/// The sizes of the transfers, in bytes, and their numbers of addresses, each pair once, so that
/// checks need not visit the many transfers of a large message.
std::set<std::pair<std::int64_t, int>> sizes_sent(const Schedule& schedule);

/// The directions that transfers name, or may name, each once, ascending.
std::vector<Direction> directions_of(const Schedule& schedule);

/// The properties of the network that a collective may use, besides its graph.
struct CollectiveContext {
  const Topology& topology;
  const RoutingFunction& routing;  ///< The routes of its messages.
  int ports = 1;                   ///< Local ports per node: simultaneous sends.
};

/// Kinds of collective: parameters, demand, network -> Schedule.
using Collectives = Registry<Schedule(const Demand&, const CollectiveContext&)>;

}  // namespace flitwave
