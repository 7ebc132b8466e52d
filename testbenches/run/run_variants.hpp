// testbenches/run/run_variants.hpp: one job in every scheduling and build order, and how runs
// differ.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/run/simulate.hpp"

namespace flitwave {

/// The first thing in which two runs differ: outcome, message, cycles, fingerprint, a metric, a
/// table; empty when they do not differ at all.
std::string difference(const Results& found, const Results& expected);

/// How a job is run; see clock.scheduling and build_order.
struct RunVariant {
  std::string scheduling = "batched";
  std::string order = "forward";
};

/// Every scheduling in both build orders.
std::vector<RunVariant> all_run_variants();

/// The job, to be run so.
Scenario with_variant(const Scenario& job, const RunVariant& variant);

/// The first difference of a job's runs in these variants from its run as it is written; empty when
/// there is none.
std::string difference_between(const Scenario& job, const std::vector<RunVariant>& variants,
                               const Catalog& catalog = standard_catalog());

}  // namespace flitwave
