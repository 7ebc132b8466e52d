// testbenches/observers/kinds/latency.cpp: packet latencies, measured on injection and ejection
// channels.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "modules/processor/traffic_control.hpp"
#include "testbenches/job/observer.hpp"
#include "testbenches/job/results/statistics.hpp"
#include "testbenches/observers/transaction_list.hpp"
#include "testbenches/observers/transfer_times.hpp"

namespace flitwave {
namespace {

struct LatencyParams {
  bool packets = false;
};

/// The latencies of the packets of one part of the job. Total latency: from the hand-over to the
/// interface to the last flit's ejection. Network latency: from the head on the injection channel.
/// Head latency: until the head's ejection.
struct OfPart {
  OfPart(JobPart its_part, const ObserverSite& site)
      : part(its_part),
        batches(site.window.begin, site.window.end),
        accepted(index(site.topology.nodes()), 0) {}

  JobPart part;
  BatchMeans batches;
  Sample total;
  Sample network;
  Sample head;
  std::vector<std::int64_t> accepted;  // flits in the window, by source. Shape: [nodes]
};

/// What the tables of packets list.
struct ListedPacket {
  explicit ListedPacket(const Packet& packet)
      : source(packet.header.source),
        destination(packet.header.destination),
        number(packet.number),
        flits(packet.length),
        part(packet.part),
        serves(packet.serves),
        created(packet.created),
        injected(packet.injected) {}

  std::pair<int, std::int64_t> identity() const { return {source.value(), number}; }

  NodeId source;
  NodeId destination;
  std::int64_t number;
  std::int64_t flits;
  JobPart part;
  std::int64_t serves;
  Cycle created;
  Cycle injected;
  Cycle head_taken = 0;
  Cycle taken = 0;
};

/// Latencies of the packets that the measurement counts; for a collective with background load, of
/// all packets of each. Each of several parts of a job has metrics of its own, latency.PART.mean
/// and so on.
class Latency final : public Observer {
 public:
  Latency(const LatencyParams& params, const ObserverSite& site)
      : params_(params), site_(site), heads_(index(site.topology.nodes())) {
    for (const JobPart part : site.parts) {
      place_[index(part)] = parts_.size();
      parts_.emplace_back(part, site);
    }
    if (parts_.empty())
      parts_.emplace_back(JobPart::background, site);  // packets of foreign modules
  }

  std::vector<ChannelSite::Kind> channels() const override { return {ChannelSite::Kind::ejection}; }

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    const Cycle taken = cycle + 1;
    const bool in_window = site_.window.holds(cycle);
    for (const Transit& transit : transits) {
      if (in_window) ++part_of(transit.flit).accepted[transit.flit.source().index()];
      if (transit.flit.head()) head_taken_of(transit.flit) = taken;
      if (!transit.flit.tail()) continue;
      OfPart& part = part_of(transit.flit);
      const Packet& packet = site_.packets.packet(transit.flit);
      if (in_window) part.accepted[transit.flit.source().index()] -= packet.lead;
      if (!counts(part, packet)) continue;
      add(part, packet, head_taken_of(transit.flit), taken);
    }
  }

  void on_delivery(const PacketDelivery& delivery) override {
    const Packet& packet = delivery.packet;
    OfPart& part = part_of(packet);
    part.accepted[packet.header.source.index()] += flits_in_window(delivery);
    if (counts(part, packet)) add(part, packet, delivery.head_taken, delivery.taken);
  }

  void report(const RunSummary& run, Results& results) const override {
    for (const OfPart& part : parts_) {
      results.add(name(part, "latency") + ".packets", static_cast<double>(part.total.count()),
                  "packet");
      if (part.total.count() > 0 && !run.saturated) {
        flitwave::report(part.total, name(part, "latency"), results);
        if (!is_whole(part)) flitwave::report(part.batches, name(part, "latency"), results);
        flitwave::report(part.network, name(part, "latency") + ".network", results);
        flitwave::report(part.head, name(part, "latency") + ".head", results);
        report_warmup(part, results);
      }
      if (site_.traffic && part.part != JobPart::collective) report_throughput(part, run, results);
    }
    if (!params_.packets) return;
    const Rows transactions = site_.transactions ? site_.transactions->rows() : Rows{};
    results.tables["packets"] = packet_table(transactions);
    Table undelivered = undelivered_table(run.cycles, transactions);
    if (!undelivered.rows.empty()) results.tables["undelivered"] = std::move(undelivered);
  }

 private:
  using Rows = std::map<std::int64_t, std::size_t>;

  void add(OfPart& part, const Packet& packet, Cycle head_taken, Cycle taken) {
    check_order(packet, head_taken, taken);
    part.total.add(taken - packet.created);
    if (site_.window.holds(packet.created))
      part.batches.add(packet.created, taken - packet.created);
    part.network.add(taken - packet.injected);
    part.head.add(head_taken - packet.created);
    if (!params_.packets) return;
    ListedPacket& arrived = arrived_.emplace_back(packet);
    arrived.head_taken = head_taken;
    arrived.taken = taken;
  }

  /// Flits of a packet that are ejected in the window, if they are evenly spread from the first to
  /// the last.
  std::int64_t flits_in_window(const PacketDelivery& delivery) const {
    const Cycle first = delivery.head_taken - 1;
    const Cycle last = delivery.taken - 1;
    const std::int64_t flits = delivery.packet.length;
    if (site_.window.holds(first) && site_.window.holds(last)) return flits;
    if (last < site_.window.begin || first >= site_.window.end) return 0;
    std::int64_t inside = 0;
    for (std::int64_t flit = 0; flit < flits; ++flit)
      inside +=
          site_.window.holds(first + (last - first) * flit / std::max<std::int64_t>(1, flits - 1))
              ? 1
              : 0;
    return inside;
  }

  /// When the head of the packet in a flit's slot was accepted.
  Cycle& head_taken_of(Flit flit) {
    std::vector<Cycle>& slots = heads_[flit.source().index()];
    const auto slot = index(flit.slot());
    if (slot >= slots.size()) slots.resize(slot + 1, 0);
    return slots[slot];
  }

  /// Throws: ModelError when some latency would be negative, or shorter than one that it contains.
  void check_order(const Packet& packet, Cycle head_taken, Cycle taken) const {
    if (packet.created < packet.injected && packet.injected < head_taken && head_taken <= taken)
      return;
    throw ModelError(fmt::format(
        "latency: packet {} of node {} was created in cycle {}, injected in {}, its head ejected "
        "in {} and its tail in {}",
        packet.number, site_.topology.label(packet.header.source), packet.created, packet.injected,
        head_taken, taken));
  }

  OfPart& part_of(Flit flit) {
    return parts_.size() == 1 ? parts_.front() : part_of(site_.packets.packet(flit));
  }
  OfPart& part_of(const Packet& packet) {
    return parts_.size() == 1 ? parts_.front() : parts_[place_[index(packet.part)]];
  }

  /// A collective with background load is counted whole.
  bool is_whole(const OfPart& part) const {
    return part.part == JobPart::collective && site_.traffic;
  }

  bool counts(const OfPart& part, const Packet& packet) const {
    return is_whole(part) || site_.window.holds(packet.created);
  }

  std::string name(const OfPart& part, const char* metric) const {
    return parts_.size() == 1 ? metric : fmt::format("{}.{}", metric, name_of(part.part));
  }

  static Table empty_table(const std::vector<std::string>& times) {
    Table table{{"source", "destination", "number", "flits"}, {}};
    table.columns.insert(table.columns.end(), times.begin(), times.end());
    for (const char* column : {"part", "transfer", "transaction"}) table.columns.push_back(column);
    return table;
  }
  /// `transactions`: the rows of their table, by serial number.
  std::vector<std::string> row_of(const ListedPacket& packet, const std::vector<std::string>& times,
                                  const Rows& transactions) const {
    std::vector<std::string> row{site_.topology.label(packet.source),
                                 site_.topology.label(packet.destination),
                                 std::to_string(packet.number), std::to_string(packet.flits)};
    row.insert(row.end(), times.begin(), times.end());
    std::string transfer;
    std::string transaction;
    if (packet.part == JobPart::collective) {
      transfer = std::to_string(packet.serves);
    } else if (const auto found = transactions.find(packet.serves); found != transactions.end()) {
      transaction = std::to_string(found->second);
    }
    for (const std::string& cell : {std::string(name_of(packet.part)), transfer, transaction})
      row.push_back(cell);
    return row;
  }

  Table packet_table(const Rows& transactions) const {
    Table table = empty_table({"created", "injected", "head_ejected", "ejected"});
    std::vector<const ListedPacket*> order;
    for (const ListedPacket& packet : arrived_) order.push_back(&packet);
    std::sort(order.begin(), order.end(), [](const ListedPacket* a, const ListedPacket* b) {
      return a->identity() < b->identity();
    });
    for (const ListedPacket* packet : order)
      table.rows.push_back(
          row_of(*packet,
                 {std::to_string(packet->created), std::to_string(packet->injected),
                  std::to_string(packet->head_taken), std::to_string(packet->taken)},
                 transactions));
    return table;
  }

  /// The packets in the network or at the front of a source, whether they would count or not.
  /// `end`: of the run; what is known to take place later is left out.
  Table undelivered_table(Cycle end, const Rows& transactions) const {
    Table table = empty_table({"created", "injected", "head_ejected"});
    const auto text = [](Cycle cycle, bool known) { return known ? std::to_string(cycle) : ""; };
    // The last flit of a packet that has arrived may not have been taken from its buffer yet.
    std::set<std::pair<int, std::int64_t>> arrived;
    for (const ListedPacket& packet : arrived_) arrived.insert(packet.identity());
    for (const auto& [present, slot] : site_.packets.present()) {
      const ListedPacket packet(*present);
      if (arrived.count(packet.identity()) > 0) continue;
      // The times of a packet that had the slot before are earlier.
      const std::vector<Cycle>& heads = heads_[packet.source.index()];
      const Cycle head = slot < heads.size() ? heads[slot] : 0;
      const bool injected = packet.injected > 0 && packet.injected <= end;
      table.rows.push_back(row_of(packet,
                                  {std::to_string(packet.created), text(packet.injected, injected),
                                   text(head, injected && head > packet.injected)},
                                  transactions));
    }
    return table;
  }

  /// Adds a note when packets of the first tenth of the window took longer or less long than the
  /// rest.
  void report_warmup(const OfPart& part, Results& results) const {
    if (part.part != JobPart::background || !part.batches.interval()) return;
    const std::optional<Cycle> early = part.batches.too_early();
    if (early == Cycle{0}) return;
    const Cycle warmup = site_.window.begin - TransferTimes::start;
    results.notes.push_back(
        "warmup too short: latencies in the first tenth of the window differ from the rest by more "
        "than their intervals; " +
        (early ? fmt::format("a warmup of {} cycle would be sufficient", warmup + *early)
               : "with half of the window left out they still do: measure for longer"));
  }

  /// Means over all nodes, and the source with the least accepted share of its offered load.
  void report_throughput(const OfPart& part, const RunSummary& run, Results& results) const {
    const Cycle cycles = std::min(run.cycles, site_.window.end) - site_.window.begin;
    if (cycles <= 0) return;
    const std::vector<std::int64_t>& by_source = site_.traffic->offered_by(part.part);
    const auto rate = [cycles](double flits) { return flits / static_cast<double>(cycles); };
    double offered = 0;
    double accepted = 0;
    std::size_t worst = 0;
    double worst_share = std::numeric_limits<double>::infinity();
    for (std::size_t node = 0; node < by_source.size(); ++node) {
      const auto own = static_cast<double>(by_source[node]);
      const auto taken = static_cast<double>(part.accepted[node]);
      offered += own;
      accepted += taken;
      if (own <= 0 || taken / own >= worst_share) continue;
      worst = node;
      worst_share = taken / own;
    }
    const double nodes = site_.topology.nodes();
    const std::string throughput = name(part, "throughput");
    results.add(throughput + ".offered", rate(offered) / nodes, "flit/node/cycle");
    results.add(throughput + ".cycles", static_cast<double>(cycles), "cycle");
    const double mean = rate(accepted) / nodes;
    const bool vague = !run.accepted_interval || *run.accepted_interval > widest_share * mean;
    if (run.stopped_early && vague) return;
    results.add(throughput + ".accepted", mean, "flit/node/cycle");
    if (run.accepted_interval && part.part == JobPart::background)
      results.add(throughput + ".accepted.ci95", *run.accepted_interval, "flit/node/cycle");
    if (offered <= 0) return;
    results.add(throughput + ".worst", rate(static_cast<double>(part.accepted[worst])),
                "flit/cycle");
    results.add(throughput + ".worst_share", worst_share, "");
  }

  /// The interval of the mean: omitted where the interval over a shortened window is wider.
  static constexpr double widest_share = 0.02;

  LatencyParams params_;
  ObserverSite site_;
  std::vector<OfPart> parts_;
  std::array<std::size_t, job_parts> place_{};  // in parts_, by part
  std::vector<std::vector<Cycle>> heads_;       // Shape: [nodes][slots used]
  std::vector<ListedPacket> arrived_;
};

MetricInfos latency_metrics() {
  constexpr auto by_part = MetricInfo::Forms::by_part;
  const char* const rate = "flit/node/cycle";
  MetricInfos all{
      {"latency.packets", "packet", "packets of the window that arrived", by_part},
      {"throughput.offered", rate, "flits that sources made", by_part, "offered load"},
      {"throughput.cycles", "cycle", "length of the window that was measured", by_part},
      {"throughput.accepted", rate, "flits delivered", by_part, "accepted load"},
      {"throughput.accepted.ci95", rate, "half the 95 % interval of throughput.accepted", by_part},
      {"throughput.worst", "flit/cycle", "flits delivered of the source with the least share",
       by_part},
      {"throughput.worst_share", "", "least share of a source's flits that were delivered",
       by_part},
  };
  for (const MetricInfos& more :
       {sample_metrics("latency", "times from a packet's creation to its tail's arrival", "latency",
                       by_part),
        interval_metrics("latency", by_part),
        sample_metrics("latency.network", "times from a packet's injection to its tail's arrival",
                       "network latency", by_part),
        sample_metrics("latency.head", "times from a packet's creation to its head's arrival",
                       "latency of heads", by_part)})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

void register_latency(Observers& observers) {
  ObserverTraits traits;
  traits.by_packet = true;
  traits.metrics = latency_metrics();
  observers.add(
      "latency", {"total, network and head latency of packets; offered and accepted load", ""},
      Schema<LatencyParams>{}.optional("packets", &LatencyParams::packets,
                                       "also write a table with every packet's times and what it "
                                       "serves, and one of packets that are in the network when "
                                       "the run ends"),
      [](const LatencyParams& params, const ObserverSite& site) {
        return std::unique_ptr<Observer>(std::make_unique<Latency>(params, site));
      },
      traits);
}

}  // namespace flitwave
