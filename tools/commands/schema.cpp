// tools/commands/schema.cpp: flitwave schema: JSON Schema of a job file, for editors.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "testbenches/experiments/manual/job_schema.hpp"
#include "tools/commands/commands.hpp"

namespace flitwave {

namespace {

int schema(const Catalog& catalog) {
  fmt::print("{}", job_schema(catalog));
  return 0;
}

}  // namespace

Command schema_command(const Catalog& catalog) {
  return {"schema",
          "print the JSON Schema of a job file, for editors",
          {},
          [&catalog] { return schema(catalog); },
          {}};
}

}  // namespace flitwave
