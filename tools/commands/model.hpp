// tools/commands/model.hpp: the sub-commands of flitwave model, and their common parts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/cost_models/alpha_beta_gamma.hpp"
#include "algorithms/cost_models/tau_model.hpp"
#include "tools/commands/commands.hpp"

namespace flitwave {

// One file each.
Command model_broadcast_command();
Command model_tau_command();
Command model_fit_command();
Command model_hops_command();
Command model_machines_command();
Command model_schedule_command(const Catalog& catalog);

/// A machine by name, or by its figures.
struct MachineOptions {
  std::string name;
  std::string alpha;
  std::string beta;
  std::string gamma;
};
/// `options` and those that name a machine.
std::vector<Option> with_machine(std::vector<Option> options, MachineOptions& machine);
/// Throws: ConfigError
AlphaBetaGamma cost_of(const MachineOptions& options);

/// A time given by an option, e.g. "0.5us".
/// Unit: us
/// Throws: ConfigError, naming the option.
double microseconds(const char* option, const std::string& text);

/// A length given by an option.
/// Unit: byte. Range: 1 ..
/// Throws: ConfigError, naming the option.
std::int64_t bytes_of(const char* option, const std::string& text);

/// Prints every point; then the least one by length. `bytes`: adds a column for this length, when
/// positive.
void print_points(const std::vector<TauTrace::Point>& points, double bytes);

/// For the option --plot: an SVG file name, or none.
/// Throws: ConfigError when the name is that of another file type.
void require_picture(const std::string& file);

/// Plots a tau-plot and prints the name of its file; nothing when the name is empty.
void draw(const std::vector<TauTrace>& traces, const std::string& title, const std::string& file);

}  // namespace flitwave
