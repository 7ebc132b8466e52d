// testbenches/experiments/manual/job_schema.hpp: what a job may say, as JSON Schema for editors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbenches/job/catalog.hpp"

namespace flitwave {

/// A JSON Schema (draft 2020-12) of job files, made from everything that the catalogue describes.
/// Quantities are texts with a unit; ranges that need the unit are told in descriptions only.
std::string job_schema(const Catalog& catalog);

}  // namespace flitwave
