// routers/parts/stages.cpp: see stages.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/parts/stages.hpp"

#include <algorithm>
#include <tuple>

namespace flitwave {

namespace {

std::uint64_t place_of(const RouterSite& site) {
  return static_cast<std::uint64_t>(site.node.value());
}

}  // namespace

std::vector<std::string> names_of(StageModel) { return {"merged", "clocked"}; }

Stages::Stages(const StageRule& stage_rule, const RouterSite& site, int vcs)
    : rule(stage_rule),
      vc_allocator(stage_rule.allocator, site.ports() * vcs, site.ports() * vcs, site.seed,
                   "vc allocator", place_of(site)),
      switch_allocator(stage_rule.allocator, site.ports(), site.ports(), site.seed,
                       "switch allocator", place_of(site)),
      first_try(index(site.ports() * vcs)) {
  for (int port = 0; port < site.ports(); ++port)
    vc_arbiters.emplace_back(
        stage_rule.allocator.arbitration, vcs,
        Random(site.seed, "vc choice", place_of(site) * 64 + static_cast<std::uint64_t>(port)));
}

void Stages::sort_bids() {
  const auto rank = [](const Bid& bid) { return std::tuple(bid.output, bid.vc, bid.speculative); };
  std::sort(bids.begin(), bids.end(),
            [&](const Bid& a, const Bid& b) { return rank(a) < rank(b); });
  bids.erase(std::unique(bids.begin(), bids.end(),
                         [&](const Bid& a, const Bid& b) { return rank(a) == rank(b); }),
             bids.end());
}

}  // namespace flitwave
