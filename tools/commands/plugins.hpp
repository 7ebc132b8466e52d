// tools/commands/plugins.hpp: kinds from shared libraries that a user names on the command line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbenches/job/catalog.hpp"

namespace flitwave {

/// Adds the kinds of a plug-in, a shared library made by `flitwave_add_plugin`, which stays loaded
/// until the process ends. A kind with the name of another replaces it. `path`: relative to the
/// working directory, or absolute.
/// Throws: SystemFailure when it cannot be loaded, or throws itself; ConfigError when it is no
///   plug-in, or one of another version of Flitwave.
void load_plugin(const std::string& path, Catalog& catalog);

}  // namespace flitwave
