// tools/commands/model_hops.cpp: flitwave model hops: messages by the routers on their paths.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "algorithms/cost_models/hop_model.hpp"
#include "configs/quantity.hpp"
#include "tools/commands/model.hpp"

namespace flitwave {

namespace {

struct HopsOptions {
  std::string name;
  std::vector<std::string> messages;
  int hops = 6;
  std::string relay;
  std::string address = "3B";
};

/// The longest path that is printed: one across the largest cube of a job.
constexpr int most_hops = 20;

int list_models() {
  fmt::print("{:<12} {:>10} {:>10} {:>15}\n", "", "tau_s (us)", "tau_p (us)", "tau_t (us/byte)");
  for (const HopMachine& known : hop_machines())
    fmt::print("{:<12} {:>10.6g} {:>10.6g} {:>15.5g}  {}; {}\n", known.name, known.model.ends,
               known.model.decision, known.model.per_byte, known.system, known.source);
  return 0;
}

std::string duration(std::int64_t cycles, double period) {
  const auto picoseconds = static_cast<std::int64_t>(std::llround(period * 1e6));
  return to_string(Duration{cycles * picoseconds});
}

/// Routers that store whole messages, with a clock cycle for each byte. Of a router's time two
/// cycles are the handshake with the previous router, and of that at the ends four are those with
/// the processors and the field that names the source.
int print_job(const HopMachine& known) {
  const HopModel& model = known.model;
  const auto cycles = [&model](double time) {
    return static_cast<std::int64_t>(std::llround(time / model.per_byte));
  };
  const std::int64_t selection = std::max<std::int64_t>(1, cycles(model.decision) - 2);
  const std::int64_t overheads = std::max<std::int64_t>(0, cycles(model.ends) - 4);
  const TauPoint neighbour = model.one_hop();
  fmt::print("# {}; {}\n", known.system, known.source);
  fmt::print(
      "# tau_s {:g} us, tau_p {:g} us, tau_t {:g} us/byte; to a neighbour {:g} us and {:g} "
      "us/byte\n",
      model.ends, model.decision, model.per_byte, neighbour.startup, neighbour.per_byte);
  fmt::print(
      "# in whole cycles of tau_t; the transfer into the receiving processor, a cycle for each "
      "byte of data, is not in the model\n");
  fmt::print("topology: {{kind: hypercube, dimensions: 6}}\n");
  fmt::print("clock: {{period: {}}}\n", duration(1, model.per_byte));
  fmt::print("channel: {{width: 1 B, handshake: request, buffer: 4096 flit}}\n");
  fmt::print(
      "router: {{kind: greedy_multicast, switching: store_and_forward, selection: {} "
      "cycle}}\n",
      selection);
  fmt::print("node: {{send_overhead: {}, receive_overhead: {}}}\n",
             duration(overheads / 2, model.per_byte),
             duration(overheads - overheads / 2, model.per_byte));
  return 0;
}

/// A row for each message, a column for each distance. Unit: us
template <class Time>
void print_times(const HopsOptions& options, Time time) {
  fmt::print("{:>10}", "bytes");
  for (int hops = 1; hops <= options.hops; ++hops)
    fmt::print(" {:>10}", fmt::format("{} hop{}", hops, hops > 1 ? "s" : ""));
  fmt::print("\n");
  for (const std::string& message : options.messages) {
    const auto bytes = static_cast<double>(bytes_of("--messages", message));
    fmt::print("{:>10}", bytes);
    for (int hops = 1; hops <= options.hops; ++hops) fmt::print(" {:>10.7g}", time(hops, bytes));
    fmt::print("\n");
  }
}

int print_table(const HopMachine& known, const HopsOptions& options) {
  HopModel model = known.model;
  if (options.relay.empty()) {
    fmt::print("store and forward, us\n");
    print_times(options,
                [&model](int hops, double bytes) { return model.store_and_forward(hops, bytes); });
    return 0;
  }
  model.decision = microseconds("--relay", options.relay);
  const auto address = static_cast<double>(bytes_of("--address", options.address));
  for (const std::string& message : options.messages)
    if (static_cast<double>(bytes_of("--messages", message)) < address)
      throw ConfigError("--messages", "a message is shorter than its address part",
                        "give " + options.address + " or more");
  fmt::print("relay, us\n");
  print_times(options, [&](int hops, double bytes) { return model.relay(hops, bytes, address); });
  return 0;
}

int hops(const HopsOptions& options) {
  if (options.hops < 1 || options.hops > most_hops)
    throw ConfigError("--hops", fmt::format("a path in a cube cannot have {} hops", options.hops),
                      fmt::format("give 1 .. {}", most_hops));
  if (options.name.empty()) return list_models();
  const HopMachine& known = hop_machine(options.name);
  return options.messages.empty() ? print_job(known) : print_table(known, options);
}

}  // namespace

Command model_hops_command() {
  const auto options = std::make_shared<HopsOptions>();
  return {"hops",
          "machines whose messages were measured over several hops; for one, lines for a job, or "
          "times",
          {{"NAME", &options->name, "name of a machine"},
           Option("--messages", &options->messages, "prints times of these messages, e.g. 64B,1KiB")
               .comma_separated()
               .needs("NAME"),
           Option("--hops", &options->hops, "greatest number of hops; 6").needs("--messages"),
           Option("--relay", &options->relay,
                  "routers that forward when they have the addresses, and decide in this time, "
                  "e.g. 1us")
               .needs("--messages"),
           Option("--address", &options->address, "length of the address part of a message; 3B")
               .needs("--messages")},
          [options] { return hops(*options); },
          {}};
}

}  // namespace flitwave
