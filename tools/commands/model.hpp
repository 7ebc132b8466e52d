// tools/commands/model.hpp: the sub-commands of flitwave model, and what they share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "flitwave/algorithms/cost_models/alpha_beta_gamma.hpp"
#include "flitwave/algorithms/cost_models/tau_model.hpp"
#include "flitwave/tools/commands/commands.hpp"

namespace flitwave {

// One file each.
void add_model_broadcast(CLI::App& model, Action& action);
void add_model_tau(CLI::App& model, Action& action);
void add_model_fit(CLI::App& model, Action& action);
void add_model_hops(CLI::App& model, Action& action);
void add_model_machines(CLI::App& model, Action& action);
void add_model_schedule(CLI::App& model, Action& action);

/// A sub-command of `model` with its options; `perform` gets them and gives the exit code.
template <class Options, class Perform>
std::pair<CLI::App*, std::shared_ptr<Options>> add_to_model(CLI::App& model, Action& action,
                                                            const char* name, const char* what,
                                                            Perform perform) {
  CLI::App* command = model.add_subcommand(name, what);
  auto options = std::make_shared<Options>();
  command->callback(
      [options, perform, &action] { action = [options, perform] { return perform(*options); }; });
  return {command, options};
}

/// A machine by name, or by its figures.
struct MachineOptions {
  std::string name;
  std::string alpha;
  std::string beta;
  std::string gamma;
};
void add_machine(CLI::App& command, MachineOptions& machine);
/// Throws: ConfigError
AlphaBetaGamma cost_of(const MachineOptions& options);

/// A time that an option gives, e.g. "0.5us".
/// Unit: us
/// Throws: ConfigError, naming the option.
double microseconds(const char* option, const std::string& text);

/// A length that an option gives.
/// Unit: byte. Range: 1 ..
/// Throws: ConfigError, naming the option.
std::int64_t bytes_of(const char* option, const std::string& text);

/// Prints every point; then which is least for which lengths. `bytes`: one column more, when
/// positive.
void print_points(const std::vector<TauTrace::Point>& points, double bytes);

/// For the option --plot: a picture that `draw` can make, or none.
/// Throws: ConfigError when the file is named like another sort of picture.
void require_picture(const std::string& file);

/// Draws a tau-plot and prints the name of its file; nothing when that is empty.
void draw(const std::vector<TauTrace>& traces, const std::string& title, const std::string& file);

}  // namespace flitwave
