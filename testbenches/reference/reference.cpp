// testbenches/reference/reference.cpp: see reference.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/reference/reference.hpp"

#include <algorithm>
#include <tuple>

#include "flitwave/testbenches/reference/credit_links.hpp"
#include "flitwave/testbenches/reference/interfaces.hpp"
#include "flitwave/testbenches/reference/ready_links.hpp"
#include "flitwave/testbenches/reference/routers.hpp"

namespace flitwave::reference {

namespace {

/// The loop, and when it ends.
template <class Links, Index fixed_vcs>
class Loop {
 public:
  explicit Loop(const Params& params)
      : params_(params),
        wiring_(params),
        packets_(wiring_.nodes),
        links_(params, wiring_),
        routers_(params, wiring_, packets_, links_, fingerprint_),
        interfaces_(params, wiring_, packets_, links_, fingerprint_, results_) {
    routers_.count_blocked(interfaces_.window_begin(), interfaces_.window_end());
  }

  Results run() {
    Cycle now = 0;
    while (!done_) cycle(++now);
    results_.cycles = results_.complete ? std::max<Cycle>(1, fingerprint_.last()) : now;
    results_.fingerprint = fingerprint_.value();
    results_.transits = fingerprint_.count();
    results_.made = packets_.made();
    results_.blocked = routers_.blocked();
    std::sort(results_.packets.begin(), results_.packets.end(),
              [](const PacketTimes& a, const PacketTimes& b) {
                return std::tie(a.source, a.number) < std::tie(b.source, b.number);
              });
    return std::move(results_);
  }

 private:
  void cycle(Cycle now) {
    links_.begin(now);
    fingerprint_.begin(now);
    interfaces_.tick(now);
    routers_.tick(now);
    links_.finish();
    if (settling_) {
      results_.complete = interfaces_.at_rest();
      done_ = results_.complete || now >= params_.limit;
      return;
    }
    // The window is over and its packets had arrived before this cycle, or they are given up.
    const bool all_arrived = interfaces_.tagged_arrived_before(now);
    if (now >= interfaces_.window_end() + (all_arrived ? 0 : params_.drain)) {
      settling_ = true;
      results_.saturated = !interfaces_.tagged_arrived();
      interfaces_.stop();
    }
    done_ = now >= params_.limit;
  }

  const Params& params_;
  Wiring wiring_;
  Packets packets_;
  Links links_;
  Fingerprint fingerprint_;
  Results results_;
  Routers<Links, fixed_vcs> routers_;
  Interfaces<Links> interfaces_;
  bool settling_ = false;
  bool done_ = false;
};

}  // namespace

Results run(const Params& params) {
  if (params.handshake == Handshake::ready_valid) return Loop<ReadyLinks, 0>(params).run();
  if (params.vcs == 1) return Loop<CreditLinks<1>, 1>(params).run();
  return Loop<CreditLinks<0>, 0>(params).run();
}

}  // namespace flitwave::reference
