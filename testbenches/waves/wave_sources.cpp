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

constexpr std::uint64_t bit_of(WaveSignal::Place place) { return std::uint64_t{1} << place; }

/// The signals of a flit.
constexpr std::uint64_t flit_fields = bit_of(WaveSignal::kind) | bit_of(WaveSignal::vc) |
                                      bit_of(WaveSignal::packet) | bit_of(WaveSignal::sequence) |
                                      bit_of(WaveSignal::source) | bit_of(WaveSignal::destination);

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
    read_wires();
    dirty_ = 0;
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

  void sample() override {
    if (std::exchange(at_once_, false)) settled_ = sampled_;
    read_wires();
  }
  bool is_stale() const override {
    EndSource now = *this;
    now.read_wires();
    return now.sampled_ != sampled_;
  }

  /// While a flit, a credit or a request is not valid its fields keep their values.
  Settled settle(ValueSink* sink) override {
    std::uint64_t compared = dirty_;
    if (sampled_[WaveSignal::valid] == 0) compared &= ~flit_fields;
    if (sampled_[WaveSignal::credit] == 0) compared &= ~bit_of(WaveSignal::credit_vc);
    if (sampled_[WaveSignal::request] == 0) compared &= ~bit_of(WaveSignal::request_class);
    dirty_ &= ~compared;
    std::uint64_t changed = 0;
    for_each_bit(compared, [&](int bit) {
      const auto k = static_cast<std::size_t>(bit);
      if (settled_[k] == sampled_[k]) return;
      settled_[k] = sampled_[k];
      changed |= std::uint64_t{1} << k;
    });
    return write(sink, settled_, changed);
  }
  Settled record(ValueSink* sink) override {
    at_once_ = true;
    read_wires();
    return write(sink, sampled_, std::exchange(dirty_, 0));
  }
  const WaveSignal::Values* end() const override { return at_once_ ? &sampled_ : &settled_; }
  void write_all(ValueSink& sink) const override {
    sink.change(first_variable_, end()->data() + first_, shown_);
  }

 private:
  void read_wires() {
    sample_flit();
    sample_replies();
    if (wires_.request) sample_request();
    if (first_ == WaveSignal::state) set(WaveSignal::state, static_cast<std::uint64_t>(state()));
  }
  void set(WaveSignal::Place place, std::uint64_t value) {
    if (sampled_[place] == value) return;
    sampled_[place] = value;
    dirty_ |= bit_of(place);
  }
  void sample_flit() {
    const bool has_flit = wires_.forward.valid();
    if (has_flit) {
      const Flit flit = wires_.forward.payload();
      if (sampled_[WaveSignal::valid] == 0 || flit != flit_) decode(flit);
    }
    set(WaveSignal::valid, has_flit ? 1 : 0);
  }
  void decode(Flit flit) {
    constexpr std::uint64_t body_code = 1;
    set(WaveSignal::kind, body_code + (flit.head() ? 1 : 0) + (flit.tail() ? 2 : 0));
    set(WaveSignal::vc, static_cast<std::uint64_t>(flit.vc()));
    set(WaveSignal::sequence, static_cast<std::uint64_t>(flit.sequence()));
    // A handle may be that of another packet before, whose head came first.
    if (flit.head() || flit.packet_bits() != flit_.packet_bits()) identify(flit);
    flit_ = flit;
  }
  void identify(Flit flit) {
    const Packet* const packet = packets_.find(flit);
    set(WaveSignal::packet, packet ? packet_value(flit.source(), packet->number) : 0);
    set(WaveSignal::source, packet ? flit.source().index() : 0);
    set(WaveSignal::destination, packet ? packet->header.destination.index() : 0);
  }
  void sample_replies() {
    if (wires_.ready) return set(WaveSignal::credit, wires_.ready->bits());
    const bool credit = wires_.back->valid();
    set(WaveSignal::credit, credit ? 1 : 0);
    if (credit) set(WaveSignal::credit_vc, wires_.back->payload());
  }
  void sample_request() {
    set(WaveSignal::request, wires_.request->valid() ? 1 : 0);
    if (wires_.request->valid()) set(WaveSignal::request_class, wires_.request->payload());
  }
  /// Writes the settled values that have changed.
  Settled write(ValueSink* sink, const WaveSignal::Values& settled, std::uint64_t changed) const {
    changed = changed >> first_ & shown_;
    if (sink && changed != 0) sink->change(first_variable_, settled.data() + first_, changed);
    return {settled[WaveSignal::valid] != 0,
            is_blocked(static_cast<ChannelState>(settled[WaveSignal::state]))};
  }
  ChannelState state() const {
    if (sampled_[WaveSignal::valid] == 0) return watch_ ? watch_->state(port_) : ChannelState::idle;
    const bool is_taken = !wires_.ready || (wires_.ready->bits() >> flit_.vc() & 1) != 0;
    return is_taken ? ChannelState::moving : ChannelState::no_credit;
  }

  EndWires wires_;
  const PacketPool& packets_;
  std::shared_ptr<SenderWatch> watch_;
  PortId port_;
  bool is_plain_;
  std::size_t first_variable_;
  WaveSignal::Place first_;  // the first signal that this end has
  std::uint64_t shown_;      // a bit per signal that this end has, from the first one on
  Flit flit_;                // on the wires, or the last one that was
  std::uint64_t dirty_ = 0;  // a bit per sampled signal that is to be compared with the settled one
  bool at_once_ = true;      // each sample is settled at once, and `settled_` is not used
  WaveSignal::Values sampled_{};
  WaveSignal::Values settled_{};
};

/// The virtual channels of a router's ports.
class RouterSource final : public WaveSource {
 public:
  RouterSource(const WaveRouter& router, std::size_t first_variable,
               std::shared_ptr<RouterWatch> watch)
      : is_plain_(router.router->domain().scheduling() == Scheduling::per_module),
        first_variable_(first_variable),
        watch_(std::move(watch)),
        sampled_(watch_->show(router), 0),
        unsettled_((sampled_.size() + 63) / 64, 0) {}

  bool listen(LinkListener* listener) override {
    if (!listener) watch_->stop();
    if (is_plain_) return false;
    if (listener) watch_->listen_to_buffers(*listener);
    return true;
  }
  std::vector<const sc_core::sc_event*> events() const override { return {&watch_->changed()}; }

  void sample() override {
    watch_->take_changes([this](std::size_t i, std::uint64_t changed) {
      unsettled_[i] |= changed;
      for_each_bit(changed, [&](int bit) {
        const std::size_t variable = i * 64 + static_cast<std::size_t>(bit);
        sampled_[variable] = watch_->values()[variable];
      });
    });
  }
  bool is_stale() const override { return watch_->has_changes(); }
  /// A router ticks once at a time, so that a sample differs from the settled value before.
  Settled settle(ValueSink* sink) override {
    for (std::size_t i = 0; i < unsettled_.size(); ++i) {
      const std::uint64_t changed = std::exchange(unsettled_[i], 0);
      if (sink && changed != 0) sink->change(first_variable_ + i * 64, &sampled_[i * 64], changed);
    }
    return {};
  }
  void write_all(ValueSink& sink) const override {
    for (std::size_t i = 0; i < sampled_.size(); ++i) sink.change(first_variable_ + i, sampled_[i]);
  }

 private:
  bool is_plain_;
  std::size_t first_variable_;
  std::shared_ptr<RouterWatch> watch_;
  std::vector<std::uint64_t> sampled_;    // Shape: [variables]
  std::vector<std::uint64_t> unsettled_;  // a bit per variable that was sampled, but not settled
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

  Settled settle(ValueSink* sink) override {
    if (settled_ == sampled_) return {};
    settled_ = sampled_;
    if (sink) write_all(*sink);
    return {};
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
