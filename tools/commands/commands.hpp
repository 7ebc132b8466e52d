// tools/commands/commands.hpp: the sub-commands of flitwave.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/run/programs/command_line.hpp"

namespace flitwave {

// One file each.
Command run_command();
Command check_command();
Command resolve_command();
Command list_command();
Command describe_command();
Command schema_command();
Command plot_command();
Command model_command();

/// The version of the program, e.g. "0.1.0".
const char* version();

}  // namespace flitwave
