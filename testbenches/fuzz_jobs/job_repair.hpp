// testbenches/fuzz_jobs/job_repair.hpp: a rejected job changed by what its error message names.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/fuzz_jobs/job_draw.hpp"

namespace flitwave::fuzz_jobs {

/// The job as the remedy of the message says, or with one setting redrawn, set to a word or a
/// number of the message, or left out: the one that the message is about, one that encloses it, or
/// one that the message mentions. What is pinned stays.
ConfigNode repaired(const ConfigNode& job, const Refusal& refusal, const JobKinds& kinds,
                    const std::vector<Item>& pins, ValueDraw& values);

/// The job with an item more: its section drawn with that kind or word, or a list made longer.
ConfigNode with_item(const ConfigNode& job, const Item& item, const JobKinds& kinds,
                     const std::vector<Item>& pins, ValueDraw& values);

}  // namespace flitwave::fuzz_jobs
