// routers/verilated/design_use.hpp: how a design is used in a slot of the network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "configs/random.hpp"
#include "modules/router.hpp"
#include "routers/verilated/lock_step.hpp"
#include "routers/verilated/router_design.hpp"

namespace flitwave {

struct DesignUse {
  const RouterDesign* design = nullptr;  ///< Lives as long as the program.
  /// The router is not clocked while nothing is inside and nothing arrives.
  bool gated = false;
  /// What the router is compared with, and the name of its kind; null for nothing.
  std::shared_ptr<const RouterModel> compared;
  std::string compared_kind;

  /// A gated design at rest is clocked for so many more cycles.
  static constexpr Cycle cycles_to_rest = 8;

  /// Where the router is compared, the comparison, in the module under construction; else null.
  /// `site` outlives it. `router`: the name of the router.
  std::unique_ptr<LockStep> lock_step(const RouterSite& site, const std::string& router) const {
    if (!compared) return nullptr;
    return std::make_unique<LockStep>(
        "compared", *compared, site,
        router + " (" + design->name + ") compared with " + compared_kind);
  }
  /// The seed of the initial values of an instance.
  static std::uint64_t seed_at(const RouterSite& site) {
    return mix(site.init_seed + static_cast<std::uint64_t>(site.node.value()));
  }
};

}  // namespace flitwave
