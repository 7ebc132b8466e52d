// routers/relay/blocks/checkers.cpp: see checkers.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/checkers.hpp"

#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "configs/error.hpp"

namespace flitwave {

TypeChecker::TypeChecker(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name), params_(params) {
  SC_METHOD(latch);
  sensitive << clk.pos();
  dont_initialize();
}

void TypeChecker::latch() {
  if (!fld_k.read()) return;
  const CubeBits k = cube_bits(fld.read());
  if (k == 0) throw ModelError(std::string(name()) + ": header.k: a message without destinations");
  const bool everybody = k == static_cast<CubeBits>(params_.everybody());
  const bool greedily = type_checker(k, params_.capacity) && !everybody;
  if (!params_.broadcaster && !greedily)
    throw ConfigError("header.k",
                      std::to_string(k) + " destinations, and the router has no broadcaster",
                      "name " + std::to_string(params_.capacity) + " at most");
  drive(k_reg, k);
  type.write(greedily);
  is_bcast.write(everybody);
}

MatchingChecker::MatchingChecker(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_METHOD(compare);
  sensitive << clk.pos();
  dont_initialize();
}

void MatchingChecker::compare() {
  if (clear.read())
    match.write(false);
  else if (fld_d.read() && matching_checker(cube_bits(rel.read())))
    match.write(true);
}

}  // namespace flitwave
