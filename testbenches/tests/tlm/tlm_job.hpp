// testbenches/tests/tlm/tlm_job.hpp: jobs with TLM sockets on a mesh.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "configs/scenario.hpp"

namespace flitwave::test {

/// A mesh of 4x4 nodes, all of them with sockets; node X_Y serves the 64 KiB from 0xXY0000 on.
/// Settings are YAML, e.g. {{"channel.vcs", "2"}}.
Scenario tlm_mesh(const std::vector<std::pair<std::string, std::string>>& settings = {});

/// The first address of a node of this mesh.
std::uint64_t address_of(int x, int y);

}  // namespace flitwave::test
