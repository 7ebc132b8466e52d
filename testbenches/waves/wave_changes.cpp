// testbenches/waves/wave_changes.cpp: see wave_changes.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/wave_changes.hpp"

#include <exception>
#include <utility>

namespace flitwave {

/// Runs once in each delta cycle after signals of one source have changed.
class WaveChanges::Watcher final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Watcher);
  Watcher(const sc_core::sc_module_name& name, WaveChanges& changes, std::size_t source)
      : sc_module(name), changes_(changes), source_(source) {
    SC_METHOD(on_event);
    for (const sc_core::sc_event* event : changes.sources_[source]->events()) sensitive << *event;
    dont_initialize();
  }

 private:
  void on_event() {
    try {
      changes_.changed_.insert(static_cast<int>(source_));
      changes_.report();
    } catch (...) {
      changes_.domain_.fail(std::current_exception());
    }
  }

  WaveChanges& changes_;
  std::size_t source_;
};

WaveChanges::WaveChanges(const std::vector<std::unique_ptr<WaveSource>>& sources,
                         ClockDomain& domain, std::function<void()> on_changes)
    : sources_(sources), domain_(domain), on_changes_(std::move(on_changes)) {
  changed_.resize(static_cast<int>(sources.size()));
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i]->listen({changed_, static_cast<int>(i)})) continue;
    watchers_.push_back(
        std::make_unique<Watcher>(sc_core::sc_gen_unique_name("wave_watcher"), *this, i));
  }
  domain.set_commit_listener([this] { report(); });
}

WaveChanges::~WaveChanges() {
  stop();
  domain_.set_commit_listener(nullptr);
}

void WaveChanges::stop() {
  if (stopped_) return;
  stopped_ = true;
  for (const auto& source : sources_) source->listen({});
}

}  // namespace flitwave
