// testbenches/reference/matching.hpp: allocators that match inputs with requested outputs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/reference/arbiter.hpp"

namespace flitwave::reference {

/// A request of an input for an output.
struct Wish {
  Index input = 0;
  Index output = 0;
  Index rank = 0;  ///< Lower ranks have priority.
  Cycle since = 0;
  Cycle created = 0;
};

/// Separable allocators of one kind, one per router: docs/timing.md, "Clocked stages".
class Matchings {
 public:
  /// `purpose`: of the random streams, followed by " input" or " output".
  Matchings(const Params& params, const std::string& purpose, Index routers, Index inputs,
            Index outputs);

  /// Per request: whether it was granted. No input and no output has two grants.
  /// Needs: no two equal requests
  std::vector<bool> match(Index router, const std::vector<Wish>& wishes);

 private:
  using Chosen = std::vector<std::size_t>;  // positions of requests

  Index number(const Wish& wish, bool input) const { return input ? wish.input : wish.output; }
  Chosen choose_each(Index router, const std::vector<Wish>& wishes, const Chosen& open,
                     bool inputs);
  std::size_t choose(Index router, const std::vector<Wish>& wishes, Chosen own, bool input);

  Allocation kind_;
  Index iterations_;
  Index inputs_;
  Index outputs_;
  Arbiters input_arbiters_;   // among outputs
  Arbiters output_arbiters_;  // among inputs
};

}  // namespace flitwave::reference
