// modules/clock/shared_module.hpp: a module that all routers of a network share, e.g. a cable.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "modules/clock/clocked.hpp"

namespace flitwave {

/// A module to which the routers of one model are attached beside their channels. The netlist
/// creates it before its routers and passes it to each of them.
class SharedModule : public Clocked {
 public:
  /// A number for the results of a run.
  struct Count {
    std::string name;
    std::int64_t value = 0;
    std::string unit;
  };

  /// The counts of cycles 1 .. now().
  virtual std::vector<Count> counts() const = 0;

 protected:
  using Clocked::Clocked;
};

}  // namespace flitwave
