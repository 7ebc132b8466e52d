// testbenches/experiments/timeline.cpp: reads what happened from the tables of a run; see
// timeline.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "configs/node.hpp"
#include "configs/schema.hpp"
#include "configs/table.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

namespace {

namespace fs = std::filesystem;

using Slices = std::vector<TimelineSlice>;

/// A table of the results with its file, for errors.
struct RunTable {
  std::string path;
  Table table;

  std::size_t rows() const { return table.rows.size(); }
  double number(std::size_t row, const char* column) const {
    return table.number(row, column, path);
  }
  const std::string& text(std::size_t row, const char* column) const {
    return table.rows[row][table.column(column, path)];
  }
  /// The row of a table, of which there are `rows`, whose number is in a cell.
  /// Throws: SystemFailure when there is none.
  std::size_t row_in(std::size_t row, const char* column, std::size_t rows) const {
    const double number = this->number(row, column);
    if (number < 0 || number >= static_cast<double>(rows) || number != std::floor(number))
      throw SystemFailure(
          fmt::format("{}: row {}, column `{}`: there is no row {}; run the job again", path,
                      row + 1, column, text(row, column)));
    return static_cast<std::size_t>(number);
  }
};

constexpr const char* not_delivered = " (not delivered)";  // behind the name of a slice

std::string packet_name(const std::string& source, const std::string& number) {
  return source + "#" + number;
}

/// Throws: SystemFailure
Slices checked(Slices slices, const RunTable& table) {
  for (const TimelineSlice& slice : slices)
    if (slice.end < slice.begin)
      throw SystemFailure(fmt::format("{}: {} of {} ends before it begins; run the job again",
                                      table.path, slice.name, slice.track));
  return slices;
}

/// Throws: SystemFailure when transfers have no times, or are not distinguished.
void check_transfers(const RunTable& table) {
  if (table.rows() > 0 && !table.table.has("after"))
    throw SystemFailure(table.path +
                        " is of an evaluation without a clock, or of an earlier version; run the "
                        "job again, with `evaluation: timed`");
}

/// Throws: SystemFailure when it is not known what packets serve.
void check_packets(const RunTable& table) {
  for (const char* column : {"part", "transfer", "transaction"})
    if (table.rows() > 0 && !table.table.has(column))
      throw SystemFailure(table.path + " is of an earlier version; run the job again");
}

/// In the order of their beginning. Gives each the first lane of its track that is free then.
void give_lanes(Slices& slices) {
  std::stable_sort(
      slices.begin(), slices.end(),
      [](const TimelineSlice& a, const TimelineSlice& b) { return a.begin < b.begin; });
  std::map<std::string, std::vector<double>> ends;  // by track, of the last slice of each lane
  for (TimelineSlice& slice : slices) {
    std::vector<double>& lanes = ends[slice.track];
    const auto free =
        std::find_if(lanes.begin(), lanes.end(), [&](double end) { return end <= slice.begin; });
    slice.lane = static_cast<int>(free - lanes.begin());
    if (free == lanes.end())
      lanes.push_back(slice.end);
    else
      *free = slice.end;
  }
}

/// Transfers that did not begin are left out; those that have no end last until that of the run.
Slices read_messages(const RunTable& table, const Timeline& timeline) {
  std::vector<std::size_t> order;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.number(row, "ready_cycle") >= 0) order.push_back(row);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return table.number(a, "ready_cycle") < table.number(b, "ready_cycle");
  });
  std::vector<int> places(table.rows(), -1);  // by row
  Slices slices;
  for (const std::size_t row : order) {
    places[row] = static_cast<int>(slices.size());
    const double end = table.number(row, "done_cycle");
    TimelineSlice& slice = slices.emplace_back();
    slice.track = table.text(row, "from");
    slice.row = static_cast<int>(row);
    slice.begin = table.number(row, "ready_cycle");
    slice.end = end >= 0 ? end : static_cast<double>(timeline.cycles);
    slice.name = fmt::format("message {} to {}{}", table.text(row, "message"),
                             table.text(row, "to"), end >= 0 ? "" : not_delivered);
    slice.details = {{"step", table.text(row, "step")}};
    if (!table.text(row, "after").empty())
      slice.cause = places[table.row_in(row, "after", table.rows())];
  }
  return slices;
}

/// Steps of which no transfer began are left out; those that are not over last until the end of the
/// run.
Slices read_steps(const RunTable& table, const Timeline& timeline) {
  struct Step {
    double begin = -1;  // -1: not yet
    double end = 0;
    int transfers = 0;
    bool done = true;
    bool is_barrier = true;
  };
  std::map<int, Step> steps;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!table.text(row, "release_cycle").empty()) continue;
    Step& step = steps[static_cast<int>(table.number(row, "step"))];
    const double begin = table.number(row, "ready_cycle");
    const double end = table.number(row, "done_cycle");
    if (begin >= 0) step.begin = step.begin < 0 ? begin : std::min(step.begin, begin);
    step.end = std::max(step.end, end);
    step.done = step.done && end >= 0;
    step.is_barrier = step.is_barrier && table.text(row, "kind") == "barrier";
    ++step.transfers;
  }
  Slices slices;
  for (const auto& [number, step] : steps) {
    if (step.begin < 0) continue;
    TimelineSlice& slice = slices.emplace_back();
    slice.track = "collective";
    slice.begin = step.begin;
    slice.end = step.done ? step.end : static_cast<double>(timeline.cycles);
    slice.name = fmt::format("step {}{}{}", number, step.is_barrier ? " (barrier)" : "",
                             step.done ? "" : not_delivered);
    slice.details = {{"transfers", std::to_string(step.transfers)}};
  }
  return slices;
}

/// A group of slices, for finding those of the rows of its table.
struct Listed {
  int group = -1;
  std::vector<int> slices;  // by row; -1: none. Shape: [rows]
};

/// What packets serve.
struct Served {
  const Timeline& timeline;
  Listed transfers;
  Listed transactions;
};

/// The slice of a row that a cell names; not valid when the cell is empty, or the row has no slice
/// since it did not begin.
TimelineSlice::Place slice_of(const RunTable& table, std::size_t row, const char* column,
                              const Listed& listed, std::size_t rows) {
  if (table.text(row, column).empty()) return {};
  const std::size_t named = table.row_in(row, column, rows);
  return named < listed.slices.size() ? TimelineSlice::Place{listed.group, listed.slices[named]}
                                      : TimelineSlice::Place{};
}

TimelineSlice::Place served_by(const RunTable& table, std::size_t row, const Served& served) {
  // A table of transfers may be cut, and a packet of a later one has no arrow.
  constexpr std::size_t most_transfers = INT32_MAX;
  const TimelineSlice::Place transfer =
      slice_of(table, row, "transfer", served.transfers, most_transfers);
  if (transfer.valid()) return transfer;
  return slice_of(table, row, "transaction", served.transactions,
                  served.transactions.slices.size());
}

TimelineSlice packet_slice(const RunTable& table, std::size_t row, const Served& served) {
  TimelineSlice slice;
  slice.track = table.text(row, "source");
  slice.begin = table.number(row, "created");
  slice.name = packet_name(slice.track, table.text(row, "number"));
  slice.details = {{"destination", table.text(row, "destination")},
                   {"flits", table.text(row, "flits")},
                   {"part", table.text(row, "part")}};
  slice.serves = served_by(table, row, served);
  if (!slice.serves.valid()) return slice;
  const TimelineSlice& reason = served.timeline.slice(slice.serves);
  if (slice.begin < reason.begin)
    throw SystemFailure(fmt::format("{}: {} begins before {}, which it serves; run the job again",
                                    table.path, slice.name, reason.full_name()));
  slice.details.emplace_back("serves", reason.full_name());
  return slice;
}

Slices read_packets(const RunTable& table, const Served& served) {
  check_packets(table);
  Slices slices;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    TimelineSlice& slice = slices.emplace_back(packet_slice(table, row, served));
    slice.end = table.number(row, "ejected");
    const double injected = table.number(row, "injected");
    const double arrived = table.number(row, "head_ejected");
    slice.stages = {{"source queue", slice.begin, injected},
                    {"head in the network", injected, arrived},
                    {"tail", arrived, slice.end}};
  }
  return slices;
}

/// They last until the end of the run, in the stage that they have reached.
Slices read_undelivered(const RunTable& table, const Served& served) {
  check_packets(table);
  Slices slices;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    TimelineSlice& slice = slices.emplace_back(packet_slice(table, row, served));
    slice.name += not_delivered;
    slice.end = static_cast<double>(served.timeline.cycles);
    const auto or_end = [&](const char* column) {
      const bool known = !table.text(row, column).empty();
      return known ? std::min(table.number(row, column), slice.end) : slice.end;
    };
    const double injected = or_end("injected");
    const double arrived = or_end("head_ejected");
    slice.stages.push_back({"source queue", slice.begin, injected});
    if (injected < slice.end) slice.stages.push_back({"head in the network", injected, arrived});
    if (arrived < slice.end) slice.stages.push_back({"tail", arrived, slice.end});
  }
  return slices;
}

Slices read_channels(const RunTable& log) {
  Slices slices;
  std::map<std::string, std::size_t> last;  // by track: its last slice
  for (std::size_t row = 0; row < log.rows(); ++row) {
    const std::string track =
        fmt::format("{} vc {}", log.text(row, "channel"), log.text(row, "vc"));
    const std::string name = packet_name(log.text(row, "source"), log.text(row, "packet"));
    const double cycle = log.number(row, "cycle");
    const auto found = last.find(track);
    if (found != last.end() && slices[found->second].name == name) {
      slices[found->second].end = cycle + 1;
      continue;
    }
    last[track] = slices.size();
    TimelineSlice& slice = slices.emplace_back();
    slice.track = track;
    slice.begin = cycle;
    slice.end = cycle + 1;
    slice.name = name;
    slice.details = {{"destination", log.text(row, "destination")}};
  }
  return slices;
}

/// Those that have no end last until that of the run.
Slices read_transactions(const RunTable& table, const Timeline& timeline) {
  const double ns_per_cycle = static_cast<double>(timeline.period) / 1000;
  const auto run_end = static_cast<double>(timeline.cycles);
  const auto at = [&](std::size_t row, const char* column) {
    if (table.text(row, column).empty()) return run_end;
    return table.number(row, column) / ns_per_cycle - static_cast<double>(timeline.before);
  };
  constexpr const char* stages[][3] = {{"begun_ns", "requested_ns", "waits for a clock edge"},
                                       {"requested_ns", "arrived_ns", "request"},
                                       {"arrived_ns", "answered_ns", "target"},
                                       {"answered_ns", "replied_ns", "waits for a clock edge"},
                                       {"replied_ns", "ended_ns", "reply"}};
  Slices slices;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const bool has_ended = !table.text(row, "ended_ns").empty();
    if (!has_ended && at(row, "begun_ns") > run_end) continue;  // after an annotated delay
    TimelineSlice& slice = slices.emplace_back();
    slice.track =
        fmt::format("{} socket {}", table.text(row, "initiator"), table.text(row, "socket"));
    slice.row = static_cast<int>(row);
    slice.begin = at(row, "begun_ns");
    slice.end = at(row, "ended_ns");
    slice.name = fmt::format("{} {} #{}{}", table.text(row, "command"), table.text(row, "address"),
                             table.text(row, "number"), has_ended ? "" : " (not ended)");
    for (const char* column : {"target", "device", "bytes", "status"})
      slice.details.emplace_back(column, table.text(row, column));
    if (table.text(row, "target").empty()) continue;  // no device serves the address
    for (const auto& [begin, end, name] : stages)
      if (has_ended || at(row, begin) < run_end)
        slice.stages.push_back({name, at(row, begin), std::min(at(row, end), slice.end)});
  }
  return slices;
}

/// Adds a group for each table in the folder that has rows.
/// Throws: SystemFailure
void add_groups(const std::string& folder, Timeline& timeline) {
  const auto load = [&](const char* table) {
    const std::string path = fmt::format("{}/{}.csv", folder, table);
    return RunTable{path, fs::exists(path) ? load_csv(path) : Table{}};
  };
  const auto add = [&](const char* name, Slices slices, std::size_t rows = 0) {
    Listed listed{static_cast<int>(timeline.groups.size()), std::vector<int>(rows, -1)};
    if (slices.empty()) return listed;
    give_lanes(slices);
    for (std::size_t i = 0; i < slices.size(); ++i)
      if (slices[i].row >= 0) listed.slices[index(slices[i].row)] = static_cast<int>(i);
    timeline.groups.push_back({name, std::move(slices)});
    return listed;
  };
  const RunTable transfers = load("transfers");
  check_transfers(transfers);
  add("steps", checked(read_steps(transfers, timeline), transfers));
  Served served{timeline, {}, {}};
  served.transfers =
      add("messages", checked(read_messages(transfers, timeline), transfers), transfers.rows());
  const RunTable transactions = load("transactions");
  served.transactions =
      add("transactions", checked(read_transactions(transactions, timeline), transactions),
          transactions.rows());
  const RunTable delivered = load("packets");
  Slices packets = checked(read_packets(delivered, served), delivered);
  const RunTable undelivered = load("undelivered");
  for (TimelineSlice& slice : checked(read_undelivered(undelivered, served), undelivered))
    packets.push_back(std::move(slice));
  add("packets", std::move(packets));
  const RunTable log = load("flit_log");
  add("channels", checked(read_channels(log), log));
}

/// The cycles of a run, from its results.
/// Throws: SystemFailure
std::int64_t cycles_of(const std::string& path) {
  const ConfigNode results = ConfigNode::load(path);
  const ConfigNode* cycles = results.find("cycles");
  if (!cycles) throw SystemFailure(path + " has no number of cycles; run the job again");
  return static_cast<std::int64_t>(Codec<std::uint64_t>::read(*cycles));
}

}  // namespace

const TimelineSlice& Timeline::slice(const TimelineSlice::Place& place) const {
  return groups[index(place.group)].slices[index(place.slice)];
}

std::int64_t Timeline::picoseconds(double cycle) const {
  return std::llround((cycle + static_cast<double>(before)) * static_cast<double>(period));
}

Timeline Timeline::of(const std::string& folder) {
  if (!fs::exists(folder + "/job.yaml") || !fs::exists(folder + "/results.json"))
    throw SystemFailure(folder + " contains no results: job.yaml or results.json is missing");
  const ConfigNode job = ConfigNode::load(folder + "/job.yaml");
  const ConfigNode* written_period = job.find_path("clock.period");
  if (!written_period)
    throw SystemFailure(folder +
                        " has no results of a single run; run one job, and name its folder");
  Timeline timeline;
  timeline.period = Codec<Duration>::read(*written_period).picoseconds;
  if (const ConfigNode* reset = job.find_path("clock.reset"))
    timeline.before = Codec<Cycles>::read(*reset).count - 1;
  if (const ConfigNode* wave = job.find_path("wave.file")) timeline.wave = wave->text();
  timeline.cycles = cycles_of(folder + "/results.json");
  add_groups(folder, timeline);
  if (timeline.groups.empty())
    throw ConfigError("observe",
                      folder + " has no transfers, packets, flits or transactions to show",
                      "run the job with `observe: [{kind: latency, packets: true}, {kind: "
                      "flit_log}]`");
  return timeline;
}

}  // namespace flitwave
