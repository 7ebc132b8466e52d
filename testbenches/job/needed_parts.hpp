// testbenches/job/needed_parts.hpp: the key `needs` of a job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "configs/node.hpp"

namespace flitwave {

/// Why this program cannot run `needs: rtl`; empty if it can.
std::string why_no_rtl();

/// Whether this program has the part that a job needs, as far as its key `needs` states it.
/// `written`: the job.
/// Throws: ConfigError, located, for a part that does not exist.
bool has_needed_part(const ConfigNode& written);

/// Throws: MissingPart, located, unless `has_needed_part`.
void check_needed_part(const ConfigNode& written);

}  // namespace flitwave
