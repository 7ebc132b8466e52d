// tools/commands/model_machines.cpp: flitwave model machines: the known machines.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "algorithms/cost_models/machines.hpp"
#include "configs/quantity.hpp"
#include "tools/commands/model.hpp"

namespace flitwave {

namespace {

int list_machines(const std::string& name) {
  if (name.empty()) {
    fmt::print("{:<18} {:>10} {:>13} {:>10}\n", "", "alpha (us)", "beta (us)", "gamma (us)");
    for (const Machine& known : machines())
      fmt::print("{:<18} {:>10.6g} {:>13.5g} {:>10.6g}  {}; {}\n", known.name, known.cost.alpha,
                 known.cost.beta, known.cost.gamma, known.system, known.source);
    return 0;
  }
  const Machine& known = machine(name);
  const auto duration = [](double time) {
    return to_string(Duration{static_cast<std::int64_t>(std::llround(time * 1e6))});
  };
  fmt::print("# {}; {}\n", known.system, known.source);
  for (const std::string& note : known.notes) fmt::print("# {}\n", note);
  fmt::print("clock: {{period: {}}}\nchannel: {{width: 1 B}}\n", duration(known.cost.beta));
  const std::string combine =
      known.combine ? "combine_overhead: " + duration(*known.combine) + ", " : "";
  fmt::print("node: {{send_overhead: {}, receive_overhead: {}, {}overhead: serialized}}\n",
             duration(known.cost.alpha), duration(known.cost.gamma), combine);
  return 0;
}

}  // namespace

Command model_machines_command() {
  const auto name = std::make_shared<std::string>();
  return {"machines",
          "machines by name; for one, lines for a job",
          {{"NAME", name.get(), "name of a machine"}},
          [name] { return list_machines(*name); },
          {}};
}

}  // namespace flitwave
