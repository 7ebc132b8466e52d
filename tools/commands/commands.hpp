// tools/commands/commands.hpp: the sub-commands of flitwave.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/catalog.hpp"
#include "testbenches/run/programs/command_line.hpp"

namespace flitwave {

// One file each. The catalogue must outlive the command.
Command run_command(const Catalog& catalog);
Command check_command(const Catalog& catalog);
Command resolve_command(const Catalog& catalog);
Command list_command(const Catalog& catalog);
Command describe_command(const Catalog& catalog);
Command schema_command(const Catalog& catalog);
Command plot_command();
Command timeline_command();
Command model_command(const Catalog& catalog);

}  // namespace flitwave
