// routers/verilated/design_use.cpp: see design_use.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/design_use.hpp"

#include "configs/random.hpp"

namespace flitwave {

std::unique_ptr<LockStep> DesignUse::lock_step(const RouterSite& site,
                                               const std::string& router) const {
  if (!compared) return nullptr;
  return std::make_unique<LockStep>(
      "compared", *compared, site,
      router + " (" + design->name + ") compared with " + compared_kind);
}

std::uint64_t DesignUse::seed_at(const RouterSite& site) {
  return mix(site.init_seed + static_cast<std::uint64_t>(site.node.value()));
}

}  // namespace flitwave
