// testbenches/observers/kinds/flit_log.cpp: every flit on every channel, as a table.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "testbenches/job/observer.hpp"

namespace flitwave {
namespace {

struct FlitLogParams {
  int limit = 1'000'000;
};

/// Stores all transits, in the order of cycle and channel, up to a limit.
class FlitLog final : public Observer {
 public:
  FlitLog(const FlitLogParams& params, const ObserverSite& site) : params_(params), site_(site) {}

  std::vector<ChannelSite::Kind> channels() const override {
    return {ChannelSite::Kind::network, ChannelSite::Kind::injection, ChannelSite::Kind::ejection};
  }

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    // Channels report in the order in which they were created: a cycle is stored whole until the
    // log is cut.
    if (entries_.size() >= limit() && entries_.back()[0] < cycle) {
      cut_ = true;
      return;
    }
    for (const Transit& transit : transits) {
      const Packet& packet = site_.packets.packet(transit.flit);
      entries_.push_back({cycle, transit.channel, packet.number, packet.header.source.value(),
                          packet.header.destination.value(),
                          static_cast<std::int64_t>(transit.flit.bits() & 0x3fffffff)});
    }
  }

  void report(const RunSummary&, Results& results) const override {
    Table table{{"cycle", "channel", "packet", "source", "destination", "sequence", "kind", "vc"},
                {}};
    std::vector<Entry> entries = entries_;
    std::sort(entries.begin(), entries.end());
    const bool cut = cut_ || entries.size() > limit();
    if (cut) entries.resize(limit());
    for (const Entry& entry : entries) {
      const Flit flit = Flit::from_bits(static_cast<std::uint64_t>(entry[5]));
      const char* kind =
          flit.head() ? (flit.tail() ? "single" : "head") : (flit.tail() ? "tail" : "body");
      table.rows.push_back({std::to_string(entry[0]), site_.channels[index(entry[1])].label,
                            std::to_string(entry[2]), label(entry[3]), label(entry[4]),
                            std::to_string(flit.sequence()), kind, std::to_string(flit.vc())});
    }
    results.tables["flit_log"] = std::move(table);
    if (cut)
      results.notes.push_back("flit_log: cut at " + std::to_string(params_.limit) +
                              " entries, its limit");
  }

 private:
  using Entry = std::array<std::int64_t, 6>;

  std::size_t limit() const { return index(params_.limit); }

  std::string label(std::int64_t node) const {
    return site_.topology.label(NodeId(static_cast<int>(node)));
  }

  FlitLogParams params_;
  ObserverSite site_;
  std::vector<Entry> entries_;
  bool cut_ = false;
};

}  // namespace

void register_flit_log(Observers& observers) {
  observers.add("flit_log", {"a table of every flit that crossed a channel", ""},
                Schema<FlitLogParams>{}.optional("limit", &FlitLogParams::limit,
                                                 "entries after which the log is cut", at_least(1)),
                [](const FlitLogParams& params, const ObserverSite& site) {
                  return std::unique_ptr<Observer>(std::make_unique<FlitLog>(params, site));
                });
}

}  // namespace flitwave
