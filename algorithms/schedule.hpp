// algorithms/schedule.hpp: who sends what to whom, after what.
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
  dataflow,  ///< As soon as it has what it sends and its earlier sends were started.
  stepped,   ///< Not before every transfer of the step before is complete.
  phased,    ///< Not before every transfer of the phase before is complete.
};
std::vector<std::string> names_of(Pace);

/// A part of a delivery's data, which travels as a whole.
struct Piece {
  int delivery = 0;  ///< Index into the demand.
  Bytes size;
};

/// Pieces that travel together.
using Pieces = std::vector<int>;

/// One message from one node to another, in one step of a schedule. Of each of its pieces it
/// carries what the sender has of it before the step, or what the sender has received of it.
struct Transfer {
  NodeId from;
  NodeId to;
  int step = 1;       ///< Message-passing step in which the transfer happens, from 1.
  Pieces pieces;      ///< At least one; none twice.
  Bytes size;         ///< Of the payload.
  int addresses = 1;  ///< Destinations named in the header: those the receiver is to serve.
  Use use = Use::keep;
  bool own = true;         ///< The sender's own contribution is in it.
  Bytes combined;          ///< As much of it is combined with what the receiver has.
  std::vector<int> after;  ///< Transfers to the sender that it needs, ascending.
  /// The transfer whose message it is a copy of, which the network makes; -1: it is its own.
  int copy_of = -1;
  /// The transfer of the same message whose receiver it passes last; -1: it comes straight from the
  /// sender.
  int follows = -1;
  /// Which way it goes round rings; none: as the routing says of all.
  std::optional<Direction> direction{};
  int phase = 0;  ///< The phase of the algorithm that it belongs to, from 1; 0: there are none.
};

/// Slots of a schedule that last equally long.
struct SlotGroup {
  std::int64_t slots = 1;
  Bytes longest;  ///< The longest message of each.
};

/// What the length of a schedule may count beside its transfers; empty where its algorithm has no
/// such slots.
struct ScheduleLengths {
  /// Slots without messages, each as the longest of its phase.
  std::vector<SlotGroup> idle;
  /// All slots, if receivers also get what they have from the start.
  std::vector<SlotGroup> whole;
  /// All slots as the source counts them, which may be no schedule.
  std::vector<SlotGroup> nominal;
};

/// What an algorithm says of itself beside its transfers.
struct ScheduleDetails {
  struct Figure {
    std::string name;  ///< Of a metric.
    double value = 0;
    std::string unit;
  };
  std::vector<std::string> lines;  ///< For the reader of a check.
  std::vector<Figure> figures;     ///< For results without a clock.
};

/// The transfers that serve a demand, in the order in which each node issues its sends.
class Schedule {
 public:
  /// Every delivery is one piece.
  explicit Schedule(Demand demand, Pace pace = Pace::dataflow);

  /// Cuts a delivery into as many pieces, as equal as whole bytes allow; the first have a byte
  /// more. Needs: nothing has been sent. Pieces are numbered by delivery, then by part.
  void split(int delivery, int parts);

  /// Appends a transfer of pieces. Transfers are appended so that a sender's own receipts of a
  /// step come before its sends of later steps.
  /// Throws: ModelError, naming the transfer, when the sender has not every piece before `step`;
  ///   when the receiver of what nobody combines has it already, unless `use` is repeat; when the
  ///   receiver has sent the piece on in a later step.
  Transfer& send(Pieces pieces, NodeId from, NodeId to, int step, Use use = Use::keep);
  /// The same of what the sender has received so far, without its own contribution.
  Transfer& send_received(Pieces pieces, NodeId from, NodeId to, int step, Use use);
  /// A transfer of one piece.
  void send(int piece, NodeId from, NodeId to, int step, int addresses = 1);
  /// Appends a transfer to each of several nodes: one message, which the network copies.
  /// Throws: as `send`; ModelError when there is nobody to send to.
  void send_to_all(const Pieces& pieces, NodeId from, const std::vector<NodeId>& to, int step);
  /// The same of a message that goes from one receiver to the next, in the order in which they are
  /// named, and is copied at all but the last, whose transfer is appended first. It names them all,
  /// and the direction in which it goes round rings, if there is one.
  void send_along(const Pieces& pieces, NodeId from, const std::vector<NodeId>& stops, int step,
                  std::optional<Direction> direction = std::nullopt);
  /// Lets the transfer appended last begin only after transfer `receipt`, of which it carries
  /// nothing: as if its sender got a token with it.
  /// Throws: ModelError unless that one is to its sender, in an earlier step.
  void wait_for(int receipt);

  /// Promises that transfers of a step share no channel under some routing, which is named, e.g.
  /// "dimension_order"; under any other they may.
  void promise_no_contention(std::string routing) { contention_free_under_ = std::move(routing); }
  /// Empty when nothing is promised.
  const std::string& contention_free_under() const { return contention_free_under_; }

  /// How long it is if slots follow one another, however its messages are sent.
  void set_lengths(ScheduleLengths lengths) { lengths_ = std::move(lengths); }
  const ScheduleLengths& lengths() const { return lengths_; }

  /// Remembers what the algorithm chose, for the reader of a check or a result; may be empty.
  void set_remark(std::string remark) { remark_ = std::move(remark); }
  const std::string& remark() const { return remark_; }
  /// More of it. `details` is called each time somebody asks.
  void set_details(std::function<ScheduleDetails()> details) { details_ = std::move(details); }
  ScheduleDetails details() const { return details_ ? details_() : ScheduleDetails(); }
  /// The subnetworks over which it sends, for pictures. Its topology outlives the schedule.
  void set_partition(std::shared_ptr<const Partition> partition) {
    partition_ = std::move(partition);
  }
  /// Null when there are none.
  const Partition* partition() const { return partition_.get(); }

  /// Says that a node which is no destination may get a message and not send it on, as in a
  /// broadcast to whoever wants it; else that is a fault.
  void allow_strangers() { allows_strangers_ = true; }
  bool allows_strangers() const { return allows_strangers_; }

  /// What the source of the algorithm says that the first delivery takes.
  void set_formula(std::optional<CostFormula> formula) {
    if (!demand_.released()) formula_ = std::move(formula);
  }
  /// None where the source has none, or states it for other networks, and where deliveries are
  /// released on their own.
  const std::optional<CostFormula>& formula() const { return formula_; }

  /// When its transfers begin. Changes nothing else.
  void set_pace(Pace pace) { pace_ = pace; }
  /// Counts so many steps, of which the last may be idle. Needs: not below steps().
  void set_steps(int steps) { steps_ = steps; }
  /// How many of its steps belong to barriers of messages.
  void set_barrier_steps(int steps) { barrier_steps_ = steps; }
  int barrier_steps() const { return barrier_steps_; }
  /// What is promised of another schedule of the same transfers, said of it, and its formula.
  void keep_remarks(const Schedule& other);

  /// Directions that transfers may name in other drawings of the same job, beside those of these.
  void set_directions(std::vector<Direction> directions) { directions_ = std::move(directions); }
  const std::vector<Direction>& directions() const { return directions_; }

  const Demand& demand() const { return demand_; }
  Pace pace() const { return pace_; }
  /// What barriers of its pace separate: steps, or phases.
  bool has_barriers() const { return pace_ != Pace::dataflow; }
  /// A transfer's place between barriers: its step, or its phase. Needs: has_barriers()
  int stage_of(const Transfer& transfer) const {
    return pace_ == Pace::phased ? transfer.phase : transfer.step;
  }
  /// The greatest stage. Needs: has_barriers()
  int stages() const;
  const std::vector<Transfer>& transfers() const { return transfers_; }
  const Transfer& transfer(int number) const { return transfers_[index(number)]; }
  /// How many receivers the message of a transfer has: one, and those of its copies, which come
  /// behind it; 0: it is a copy itself.
  int receivers_of(int number) const;
  /// The transfers that a node sends, in order.
  const std::vector<int>& sends_of(NodeId node) const;
  int steps() const { return steps_; }
  /// A transfer's step, and the delivery whose step it is; -1: of all that are not released on
  /// their own.
  std::pair<int, int> step_of(const Transfer& transfer) const;
  /// From when on the sender has its own contributions to a transfer, in cycles after the start.
  Cycle release_of(const Transfer& transfer) const;
  /// Whether the network is to copy messages.
  bool copies() const;
  /// Whether it is to copy them at receivers that they pass (`send_along`).
  bool copies_on_way() const;

  const std::vector<Piece>& pieces() const { return pieces_; }
  const Delivery& delivery_of(int piece) const {
    return demand_.deliveries[index(pieces_[index(piece)].delivery)];
  }
  /// A piece by its delivery: "3"; "3.1" for the second part of one that is cut.
  std::string name_of(int piece) const;
  /// What it carries, for tables: "3"; "3 5"; of more than three pieces "3 .. 9, 5 in all".
  std::string name_of(const Transfer& transfer) const;
  /// The number of a delivery's part.
  int piece(int delivery, int part) const { return first_piece_[index(delivery)] + part; }

  /// Whether a transfer is of a barrier between steps.
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
  std::vector<std::vector<int>> sends_;  // per node, up to the last that sends
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

/// The sizes of the transfers, in bytes, and their numbers of addresses, each pair once: many
/// transfers of one message, cut into many packets, are much to look at.
std::set<std::pair<std::int64_t, int>> sizes_sent(const Schedule& schedule);

/// The directions that transfers name, or may name, each once, ascending.
std::vector<Direction> directions_of(const Schedule& schedule);

/// What a collective may know of the network beside its graph.
struct CollectiveContext {
  const Topology& topology;
  const RoutingFunction& routing;  ///< The routes its messages will take.
  int ports = 1;                   ///< Local ports per node: sends at a time.
};

/// Kinds of collective: parameters, demand, network -> Schedule.
using Collectives = Registry<Schedule(const Demand&, const CollectiveContext&)>;

}  // namespace flitwave
