// modules/clock/observed_ticks.cpp: ticks with listeners, and the check that a tick of a sleeping
// module has no effect; see clock_domain.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "configs/error.hpp"
#include "modules/clock/clock_domain.hpp"
#include "modules/clock/clocked.hpp"

namespace flitwave {

void ClockDomain::listen(Clocked& module, TickListener* listener) {
  if (module.tick_listener_) --observers_;
  module.tick_listener_ = listener;
  if (listener) ++observers_;
}

void ClockDomain::run_observed_ticks() {
  if (audits_) return tick_and_audit();
  commits().active.visit([this](int index) { return run_observed(index); });
}

/// A tick, and its listener. Returns: as Clocked::run_tick.
bool ClockDomain::run_observed(int index) {
  Clocked& module = *modules_[static_cast<std::size_t>(index)].module;
  const bool again = module.run_tick();
  if (module.tick_listener_) module.tick_listener_->ticked();
  return again;
}

/// Ticks the active modules, then audits the sleeping ones. A module that was woken by the active
/// ones is not asleep.
void ClockDomain::tick_and_audit() {
  std::vector<bool> ticked(modules_.size(), false);
  commits().active.visit([&](int index) {
    ticked[static_cast<std::size_t>(index)] = true;
    return run_observed(index);
  });
  for (std::size_t index = 0; index < modules_.size(); ++index)
    if (!ticked[index] && !commits().active.contains(static_cast<int>(index)))
      audit(*modules_[index].module);
}

/// Throws: ModelError when a tick of the sleeping module has any effect.
void ClockDomain::audit(Clocked& module) {
  const CommitQueue& queue = commits();
  const std::size_t flits = queue.flits.driven.size();
  const std::size_t backs = queue.backs.driven.size();
  const std::size_t credits = queue.credits.size();
  const std::size_t readies = queue.readies.size();
  const bool again = module.run_tick();
  std::string done;
  if (queue.flits.driven.size() > flits)
    done = "would have driven " + queue.flits.driven.back()->name();
  else if (queue.backs.driven.size() > backs)
    done = "would have driven " + queue.backs.driven.back()->name();
  else if (queue.credits.size() > credits)
    done = "would have returned a credit";
  else if (queue.readies.size() > readies && queue.readies.back()->changes())
    done = "would have driven a ready wire";
  else if (again)
    done = "would have stayed awake";
  else
    return;
  throw ModelError("cycle " + std::to_string(now_) + ": " + module.name() +
                   " slept, since its ports have not changed, but it " + done +
                   "; call stay_awake() or wake_at(cycle) in a tick after which the module "
                   "waits for anything else");
}

}  // namespace flitwave
