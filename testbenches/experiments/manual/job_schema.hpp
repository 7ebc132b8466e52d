// testbenches/experiments/manual/job_schema.hpp: the settings of a job as JSON Schema for editors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbenches/job/catalog.hpp"

namespace flitwave {

/// A JSON Schema (draft 2020-12) of job files, generated from everything that the catalogue
/// describes. Quantities are texts with a unit; ranges that depend on the unit are only given in
/// descriptions.
std::string job_schema(const Catalog& catalog);

}  // namespace flitwave
