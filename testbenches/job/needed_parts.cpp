// testbenches/job/needed_parts.cpp: see needed_parts.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/needed_parts.hpp"

#include "configs/codec.hpp"
#include "configs/error.hpp"
#include "routers/verilated/router_design.hpp"

namespace flitwave {

std::string why_no_rtl() {
  return RouterDesigns::names().empty() ? "this program was built without routers in Verilog" : "";
}

bool has_needed_part(const ConfigNode& written) {
  const ConfigNode* needs = written.find("needs");
  if (!needs) return true;
  const std::string part = Codec<std::string>::read(*needs);
  if (part != "rtl")
    throw needs->error(detail::in_quotes(part) + " is no part of the program",
                       "write `needs: rtl`, for routers in Verilog");
  return why_no_rtl().empty();
}

void check_needed_part(const ConfigNode& written) {
  if (!has_needed_part(written))
    throw MissingPart(written.at("needs").place(), "needs", why_no_rtl());
}

}  // namespace flitwave
