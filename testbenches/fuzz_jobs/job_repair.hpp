// testbenches/fuzz_jobs/job_repair.hpp: changes a rejected job as its error message suggests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/fuzz_jobs/job_draw.hpp"

namespace flitwave::fuzz_jobs {

/// The job changed as the remedy suggests, or with one setting generated anew, set to a word or a
/// number of the message, or left out. The setting is that of the message, an enclosing one, or one
/// that the message mentions. Pinned items are kept.
ConfigNode repaired(const ConfigNode& job, const Refusal& refusal, const JobKinds& kinds,
                    const std::vector<Item>& pins, ValueDraw& values);

/// The job with an additional item: its section is generated with that kind or word, or a list is
/// extended.
ConfigNode with_item(const ConfigNode& job, const Item& item, const JobKinds& kinds,
                     const std::vector<Item>& pins, ValueDraw& values);

}  // namespace flitwave::fuzz_jobs
