// testbenches/waves/wave_sources.cpp: see wave_sources.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/wave_sources.hpp"

#include <map>

#include "modules/signals/bits.hpp"
#include "testbenches/waves/router_watch.hpp"

namespace flitwave {

namespace {

/// The wires of one channel end; null where it has none of a kind.
struct EndWires {
  explicit EndWires(ChannelEnd& end)
      : forward(end.forward.wires()),
        back(end.back ? &end.back->wires() : nullptr),
        request(end.request ? &end.request->wires() : nullptr),
        ready(end.ready.get()) {}

  LinkWires<Flit>& forward;
  LinkWires<VcIndex>* back;
  LinkWires<VcIndex>* request;
  ReadyWires* ready;
};

/// The decoded signals of one channel end.
class EndSample {
 public:
  /// `waiting`: the state while no flit is on the wires.
  void take(const EndWires& end, const PacketPool& packets, ChannelState waiting) {
    const bool has_flit = end.forward.valid();
    if (has_flit) {
      const Flit flit = end.forward.payload();
      if (values_[WaveSignal::valid] == 0 || flit != flit_) decode(flit, packets);
    }
    values_[WaveSignal::valid] = has_flit ? 1 : 0;
    ChannelState state = has_flit ? ChannelState::moving : waiting;
    if (end.ready) {
      values_[WaveSignal::credit] = end.ready->bits();
      if (has_flit && (end.ready->bits() >> flit_.vc() & 1) == 0) state = ChannelState::no_credit;
    } else if (end.back->valid()) {
      values_[WaveSignal::credit] = 1;
      values_[WaveSignal::credit_vc] = end.back->payload();
    } else {
      values_[WaveSignal::credit] = 0;
    }
    values_[WaveSignal::state] = static_cast<std::uint64_t>(state);
    if (!end.request) return;
    values_[WaveSignal::request] = end.request->valid() ? 1 : 0;
    if (values_[WaveSignal::request] != 0)
      values_[WaveSignal::request_class] = end.request->payload();
  }
  const WaveSignal::Values& values() const { return values_; }

 private:
  void decode(Flit flit, const PacketPool& packets) {
    constexpr std::uint64_t body_code = 1;
    const Packet* owner = packets.find(flit);
    flit_ = flit;
    values_[WaveSignal::kind] = body_code + (flit.head() ? 1 : 0) + (flit.tail() ? 2 : 0);
    values_[WaveSignal::vc] = static_cast<std::uint64_t>(flit.vc());
    values_[WaveSignal::sequence] = static_cast<std::uint64_t>(flit.sequence());
    values_[WaveSignal::packet] = values_[WaveSignal::source] = values_[WaveSignal::destination] =
        0;
    if (!owner) return;
    values_[WaveSignal::packet] = packet_value(flit.source(), owner->number);
    values_[WaveSignal::source] = static_cast<std::uint64_t>(flit.source().value());
    values_[WaveSignal::destination] =
        static_cast<std::uint64_t>(owner->header.destination.value());
  }

  Flit flit_;
  WaveSignal::Values values_{};
};

/// The wires of a channel end: committed by the clock domain, or plain sc_signals.
class EndSource final : public WaveSource {
 public:
  /// `watch`: of the module that sends; null: none.
  EndSource(const WaveEnd& end, std::size_t first_variable, const WavePlan& plan,
            std::shared_ptr<SenderWatch> watch)
      : wires_(*end.wires),
        packets_(plan.packets),
        watch_(std::move(watch)),
        port_(end.sender.port),
        is_plain_(plan.domain.scheduling() == Scheduling::per_module),
        first_variable_(first_variable),
        first_(end.signals.front().show == WaveSignal::Show::state ? WaveSignal::state
                                                                   : WaveSignal::valid),
        shown_((std::uint64_t{1} << end.signals.size()) - 1) {
    sample();
    settled_ = sampled_.values();
  }

  bool listen(LinkListener* listener) override {
    if (watch_ && !listener) watch_->stop();
    if (is_plain_) return false;
    if (watch_ && listener) watch_->listen(port_, *listener);
    wires_.forward.set_listener(listener);
    if (wires_.back) wires_.back->set_listener(listener);
    if (wires_.request) wires_.request->set_listener(listener);
    if (wires_.ready) wires_.ready->set_listener(listener);
    return true;
  }
  std::vector<const sc_core::sc_event*> events() const override {
    std::vector<const sc_core::sc_event*> events;
    const auto add = [&](auto& wires) {
      events.push_back(&wires.valid_wire().value_changed_event());
      events.push_back(&wires.payload_wire().value_changed_event());
    };
    add(wires_.forward);
    if (wires_.back) add(*wires_.back);
    if (wires_.request) add(*wires_.request);
    for (int vc = 0; wires_.ready && vc < wires_.ready->vcs(); ++vc)
      events.push_back(&wires_.ready->wire(vc).value_changed_event());
    if (watch_) events.push_back(&watch_->changed());
    return events;
  }

  void sample() override { sampled_.take(wires_, packets_, waiting()); }
  bool is_stale() const override {
    EndSample now = sampled_;
    now.take(wires_, packets_, waiting());
    return now.values() != sampled_.values();
  }

  /// While a flit, a credit or a request is not valid its fields keep their values.
  void settle(ValueSink* sink) override {
    const WaveSignal::Values& values = sampled_.values();
    std::uint64_t changed = 0;
    const auto compare = [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k <= last; ++k)
        changed |= static_cast<std::uint64_t>(values[k] != settled_[k]) << k;
    };
    compare(WaveSignal::state, WaveSignal::valid);
    if (values[WaveSignal::valid] != 0) compare(WaveSignal::kind, WaveSignal::destination);
    compare(WaveSignal::credit, WaveSignal::credit);
    if (values[WaveSignal::credit] != 0) compare(WaveSignal::credit_vc, WaveSignal::credit_vc);
    compare(WaveSignal::request, WaveSignal::request);
    if (values[WaveSignal::request] != 0)
      compare(WaveSignal::request_class, WaveSignal::request_class);
    if (changed == 0) return;
    for_each_bit(changed, [&](int bit) {
      const auto k = index(bit);
      settled_[k] = values[k];
    });
    changed = changed >> first_ & shown_;
    if (sink && changed != 0) sink->change(first_variable_, settled_.data() + first_, changed);
  }
  bool has_flit() const override { return settled_[WaveSignal::valid] != 0; }
  bool is_blocked() const override {
    return flitwave::is_blocked(static_cast<ChannelState>(settled_[WaveSignal::state]));
  }
  void write_all(ValueSink& sink) const override {
    sink.change(first_variable_, settled_.data() + first_, shown_);
  }

 private:
  ChannelState waiting() const { return watch_ ? watch_->state(port_) : ChannelState::idle; }

  EndWires wires_;
  const PacketPool& packets_;
  std::shared_ptr<SenderWatch> watch_;
  PortId port_;
  bool is_plain_;
  std::size_t first_variable_;
  WaveSignal::Place first_;  // the first signal that this end has
  std::uint64_t shown_;      // a bit per signal that this end has, from the first one on
  EndSample sampled_;
  WaveSignal::Values settled_;
};

/// The virtual channels of a router's ports.
class RouterSource final : public WaveSource {
 public:
  RouterSource(const WaveRouter& router, std::size_t first_variable,
               std::shared_ptr<RouterWatch> watch)
      : router_(router), first_variable_(first_variable), watch_(std::move(watch)) {
    sampled_.resize(variables_of(router).size(), 0);
    settled_ = sampled_;
  }

  bool listen(LinkListener* listener) override {
    if (!listener) watch_->stop();
    if (router_.router->domain().scheduling() == Scheduling::per_module) return false;
    if (listener) watch_->listen_to_buffers(*listener);
    return true;
  }
  std::vector<const sc_core::sc_event*> events() const override { return {&watch_->changed()}; }

  void sample() override {
    visit([this](std::size_t variable, std::uint64_t value) { sampled_[variable] = value; });
  }
  bool is_stale() const override {
    bool stale = false;
    visit([&](std::size_t variable, std::uint64_t value) {
      stale = stale || sampled_[variable] != value;
    });
    return stale;
  }
  void settle(ValueSink* sink) override {
    for (std::size_t i = 0; i < settled_.size(); ++i) {
      if (settled_[i] == sampled_[i]) continue;
      settled_[i] = sampled_[i];
      if (sink) sink->change(first_variable_ + i, settled_[i]);
    }
  }
  void write_all(ValueSink& sink) const override {
    for (std::size_t i = 0; i < settled_.size(); ++i) sink.change(first_variable_ + i, settled_[i]);
  }

 private:
  /// Calls `take(variable, value)`, in the order of `variables_of`.
  template <class Take>
  void visit(Take take) const {
    std::size_t variable = 0;
    for (const PortId input : router_.inputs)
      for (int vc = 0; vc < router_.vcs; ++vc) {
        const RouterWatch::Buffer& buffer = watch_->buffer(input, vc);
        take(variable++, static_cast<std::uint64_t>(buffer.fill));
        take(variable++, buffer.front);
      }
    for (const PortId output : router_.outputs)
      for (int vc = 0; vc < router_.vcs; ++vc) take(variable++, watch_->owner(output, vc));
  }

  const WaveRouter& router_;
  std::size_t first_variable_;
  std::shared_ptr<RouterWatch> watch_;
  std::vector<std::uint64_t> sampled_;  // Shape: [variables]
  std::vector<std::uint64_t> settled_;
};

/// A wire within a router.
class InnerSource final : public WaveSource {
 public:
  InnerSource(const InnerWire& wire, std::size_t variable)
      : wire_(wire), variable_(variable), sampled_(wire.value()), settled_(sampled_) {}

  bool listen(LinkListener*) override { return false; }
  std::vector<const sc_core::sc_event*> events() const override { return {wire_.changed}; }

  void sample() override { sampled_ = wire_.value(); }
  bool is_stale() const override { return sampled_ != wire_.value(); }

  void settle(ValueSink* sink) override {
    if (settled_ == sampled_) return;
    settled_ = sampled_;
    if (sink) write_all(*sink);
  }
  void write_all(ValueSink& sink) const override { sink.change(variable_, settled_); }

 private:
  const InnerWire& wire_;
  std::size_t variable_;
  std::uint64_t sampled_;
  std::uint64_t settled_;
};

}  // namespace

namespace {

/// One watch per module, created when the first of its channels is shown.
class Watches {
 public:
  explicit Watches(const PacketPool& packets) : packets_(packets) {}

  /// Null where the state of the sender is not shown.
  std::shared_ptr<SenderWatch> of(const WaveSender& sender) {
    if (sender.router) return of(*sender.router);
    if (!sender.interface) return nullptr;
    std::shared_ptr<InterfaceWatch>& watch = interfaces_[sender.interface];
    if (!watch) watch = std::make_shared<InterfaceWatch>(*sender.interface);
    return watch;
  }
  std::shared_ptr<RouterWatch> of(Router& router) {
    std::shared_ptr<RouterWatch>& watch = routers_[&router];
    if (!watch) watch = std::make_shared<RouterWatch>(router, packets_);
    return watch;
  }

 private:
  const PacketPool& packets_;
  std::map<const Router*, std::shared_ptr<RouterWatch>> routers_;
  std::map<const NetworkInterface*, std::shared_ptr<InterfaceWatch>> interfaces_;
};

}  // namespace

std::vector<std::unique_ptr<WaveSource>> sources_of(const WavePlan& plan) {
  std::vector<std::unique_ptr<WaveSource>> sources;
  Watches watches(plan.packets);
  std::size_t variable = 0;
  for (const WaveEnd& end : plan.ends) {
    sources.push_back(std::make_unique<EndSource>(end, variable, plan, watches.of(end.sender)));
    variable += end.signals.size();
  }
  for (const WaveRouter& router : plan.routers) {
    sources.push_back(std::make_unique<RouterSource>(router, variable, watches.of(*router.router)));
    variable += variables_of(router).size();
  }
  for (const InnerWire& wire : plan.inner)
    sources.push_back(std::make_unique<InnerSource>(wire, variable++));
  return sources;
}

}  // namespace flitwave
