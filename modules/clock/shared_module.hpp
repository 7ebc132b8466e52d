// modules/clock/shared_module.hpp: a module that all routers of a network share, e.g. a cable.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "modules/clock/clocked.hpp"

namespace flitwave {

/// What the routers of one model are attached to beside their channels. The netlist makes it
/// before its routers and hands it to each of them.
class SharedModule : public Clocked {
 public:
  /// A number for the results of a run.
  struct Count {
    std::string name;
    std::int64_t value = 0;
    std::string unit;
  };

  /// What it has counted, in cycles 1 .. now().
  virtual std::vector<Count> counts() const = 0;

 protected:
  using Clocked::Clocked;
};

}  // namespace flitwave
