// testbenches/tests/cosim/counted_design.hpp: counts what crosses the pins of routers in Verilog.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "routers/verilated/router_design.hpp"
#include "testbenches/run/simulate.hpp"

namespace flitwave::test {

/// What crossed the pins of an instance. All but `edges` are of cycles out of reset, of the
/// adapter `evaluated` and the handshake credit only.
struct PinCounts {
  std::int64_t edges = 0;      ///< Rising edges of its clock.
  std::int64_t flits_in = 0;   ///< Valid flits at inputs.
  std::int64_t flits_out = 0;  ///< Valid flits at outputs.
  std::int64_t delivered = 0;  ///< Those of them at local outputs.
  std::int64_t returned = 0;   ///< Credits that it returned, at inputs.
  std::int64_t received = 0;   ///< Credits that it received, at outputs.
};

/// A design under another name, whose instances count. It reads their pins itself, by what the
/// design declares about them.
class CountedDesign {
 public:
  /// `model`: a design that is built in.
  explicit CountedDesign(const std::string& model);
  ~CountedDesign();
  CountedDesign(const CountedDesign&) = delete;
  CountedDesign& operator=(const CountedDesign&) = delete;

  const std::string& name() const { return name_; }
  /// For a simulation whose results are to have the counts.
  static SimulateOptions options();
  /// Of each instance, in the order in which they were built: by node, if all are built forward.
  static std::vector<PinCounts> counts(const Results& results);

 private:
  std::string name_;
};

}  // namespace flitwave::test
