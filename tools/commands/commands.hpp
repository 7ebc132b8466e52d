// tools/commands/commands.hpp: the sub-commands of flitwave.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace flitwave {

/// What a sub-command does once the command line has been read; gives the exit code.
using Action = std::function<int()>;

// Each adds a sub-command to the program. The one that is called sets `action`.
void add_run(CLI::App& program, Action& action);
void add_check(CLI::App& program, Action& action);
void add_resolve(CLI::App& program, Action& action);
void add_list(CLI::App& program, Action& action);
void add_describe(CLI::App& program, Action& action);
void add_schema(CLI::App& program, Action& action);
void add_plot(CLI::App& program, Action& action);
void add_model(CLI::App& program, Action& action);

/// Of the program, e.g. "0.1.0".
const char* version();

}  // namespace flitwave
