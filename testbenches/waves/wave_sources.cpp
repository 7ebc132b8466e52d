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

/// The wires of a channel end: pulses that nothing commits, or wires that the clock domain commits,
/// or plain sc_signals.
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
        shown_((std::uint64_t{1} << end.signals.size()) - 1),
        has_credits_alone_(!wires_.ready && !wires_.request && first_ == WaveSignal::valid) {
    read_wires();
  }

  bool listen(ChangeMark mark) override {
    if (watch_ && !mark) watch_->stop();
    if (is_plain_) return false;
    if (watch_) watch_->set_mark(port_, mark);
    wires_.forward.set_mark(mark);
    if (wires_.back) wires_.back->set_mark(mark);
    if (wires_.request) wires_.request->set_mark(mark);
    if (wires_.ready) wires_.ready->set_mark(mark);
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

  bool sample() override {
    if (std::exchange(at_once_, false)) settled_ = sampled_;
    dirty_ |= read_wires();
    return has_pulse();
  }
  bool is_stale() const override {
    EndSource now = *this;
    now.read_wires();
    return now.sampled_ != sampled_ || now.head_blocked_since_ != head_blocked_since_;
  }

  /// While a flit, a credit or a request is not valid its fields keep their values.
  unsigned settle(ValueSink* sink) override {
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
    write(sink, settled_, changed);
    return facts_of(settled_);
  }
  unsigned record(ValueSink* sink) override {
    at_once_ = true;
    if (!has_credits_alone_) {
      write(sink, sampled_, read_wires());
      return facts_of(sampled_) | (has_pulse() ? with_pulse : nothing);
    }
    write(sink, sampled_, sample_flit() | sample_credit());
    const unsigned flits = std::exchange(begins_, false) ? with_flit : nothing;
    const bool pulses = (sampled_[WaveSignal::valid] | sampled_[WaveSignal::credit]) != 0;
    return flits | (pulses ? with_pulse : nothing);
  }
  const WaveSignal::Values* end() const override { return at_once_ ? &sampled_ : &settled_; }
  std::int64_t head_blocked_since() const override { return head_blocked_since_; }
  void write_all(ValueSink& sink) const override {
    sink.change(first_variable_, end()->data() + first_, shown_);
  }

 private:
  /// These functions return the samples that have changed, a bit for each.
  std::uint64_t read_wires() {
    const std::uint64_t changed = sample_flit();
    return changed | (has_credits_alone_ ? sample_credit() : sample_others());
  }
  std::uint64_t set(WaveSignal::Place place, std::uint64_t value) {
    if (sampled_[place] == value) return 0;
    sampled_[place] = value;
    return bit_of(place);
  }
  std::uint64_t sample_flit() {
    const bool has_flit = wires_.forward.valid();
    std::uint64_t changed = 0;
    if (has_flit) {
      const Flit flit = wires_.forward.payload();
      if (sampled_[WaveSignal::valid] == 0 || flit != flit_) changed = decode(flit);
    }
    return changed | set(WaveSignal::valid, has_flit ? 1 : 0);
  }
  std::uint64_t decode(Flit flit) {
    constexpr std::uint64_t body_code = 1;
    std::uint64_t changed =
        set(WaveSignal::kind, body_code + (flit.head() ? 1 : 0) + (flit.tail() ? 2 : 0)) |
        set(WaveSignal::vc, static_cast<std::uint64_t>(flit.vc())) |
        set(WaveSignal::sequence, static_cast<std::uint64_t>(flit.sequence()));
    // A handle may be that of another packet before, whose head came first.
    if (flit.head() || flit.packet_bits() != flit_.packet_bits()) changed |= identify(flit);
    flit_ = flit;
    begins_ = true;
    return changed;
  }
  std::uint64_t identify(Flit flit) {
    const Packet* const packet = packets_.find(flit);
    return set(WaveSignal::packet, packet ? packet_value(flit.source(), packet->number) : 0) |
           set(WaveSignal::source, packet ? flit.source().index() : 0) |
           set(WaveSignal::destination, packet ? packet->header.destination.index() : 0);
  }
  std::uint64_t sample_others() {
    std::uint64_t changed =
        wires_.ready ? set(WaveSignal::credit, wires_.ready->bits()) : sample_credit();
    if (wires_.request) changed |= sample_request();
    if (first_ == WaveSignal::state)
      changed |= set(WaveSignal::state, static_cast<std::uint64_t>(state()));
    if (watch_) head_blocked_since_ = watch_->head_blocked_since(port_);
    return changed;
  }
  std::uint64_t sample_credit() {
    const bool credit = wires_.back->valid();
    const std::uint64_t vc = credit ? set(WaveSignal::credit_vc, wires_.back->payload()) : 0;
    return vc | set(WaveSignal::credit, credit ? 1 : 0);
  }
  std::uint64_t sample_request() {
    const bool request = wires_.request->valid();
    const std::uint64_t its_class =
        request ? set(WaveSignal::request_class, wires_.request->payload()) : 0;
    return its_class | set(WaveSignal::request, request ? 1 : 0);
  }
  /// Plain wires report the ends of pulses, too, and ready wires are none.
  bool has_pulse() const {
    if (is_plain_) return false;
    const std::uint64_t credit = wires_.ready ? 0 : sampled_[WaveSignal::credit];
    return (sampled_[WaveSignal::valid] | sampled_[WaveSignal::request] | credit) != 0;
  }
  /// Writes the settled values that have changed.
  void write(ValueSink* sink, const WaveSignal::Values& settled, std::uint64_t changed) const {
    changed = changed >> first_ & shown_;
    if (sink && changed != 0) sink->change(first_variable_, settled.data() + first_, changed);
  }
  unsigned facts_of(const WaveSignal::Values& settled) {
    const bool begins = std::exchange(begins_, false) && settled[WaveSignal::valid] != 0;
    const unsigned flits = begins ? with_flit : nothing;
    const bool waits = is_blocked(static_cast<ChannelState>(settled[WaveSignal::state]));
    return flits | (waits ? stalled : nothing);
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
  bool has_credits_alone_;   // beside flits: no requests, no state
  Flit flit_;                // on the wires, or the last one that was
  bool begins_ = false;      // `flit_` has come since the wires settled last
  std::uint64_t dirty_ = 0;  // a bit per sample that is to be compared with the settled value
  std::int64_t head_blocked_since_ = -1;
  bool at_once_ = true;  // each sample is settled at once, and `settled_` is not used
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

  bool listen(ChangeMark mark) override {
    if (!mark) watch_->stop();
    if (is_plain_) return false;
    watch_->set_mark_of_values(mark);
    return true;
  }
  std::vector<const sc_core::sc_event*> events() const override { return {&watch_->changed()}; }

  bool sample() override {
    watch_->take_changes([this](std::size_t i, std::uint64_t changed) {
      unsettled_[i] |= changed;
      for_each_bit(changed, [&](int bit) {
        const std::size_t variable = i * 64 + static_cast<std::size_t>(bit);
        sampled_[variable] = watch_->values()[variable];
      });
    });
    return false;
  }
  bool is_stale() const override { return watch_->has_changes(); }
  /// A router ticks once at a time, so that a sample differs from the settled value before.
  unsigned settle(ValueSink* sink) override {
    for (std::size_t i = 0; i < unsettled_.size(); ++i) {
      const std::uint64_t changed = std::exchange(unsettled_[i], 0);
      if (sink && changed != 0) sink->change(first_variable_ + i * 64, &sampled_[i * 64], changed);
    }
    return nothing;
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

  bool listen(ChangeMark) override { return false; }
  std::vector<const sc_core::sc_event*> events() const override { return {wire_.changed}; }

  bool sample() override {
    sampled_ = wire_.value();
    return false;
  }
  bool is_stale() const override { return sampled_ != wire_.value(); }

  unsigned settle(ValueSink* sink) override {
    if (settled_ == sampled_) return nothing;
    settled_ = sampled_;
    if (sink) write_all(*sink);
    return nothing;
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
  explicit Watches(const WavePlan& plan)
      : packets_(plan.packets), times_heads_(plan.trigger.blocked > 0) {}

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
    if (!watch) watch = std::make_shared<RouterWatch>(router, packets_, times_heads_);
    return watch;
  }

 private:
  const PacketPool& packets_;
  bool times_heads_;
  std::map<const Router*, std::shared_ptr<RouterWatch>> routers_;
  std::map<const NetworkInterface*, std::shared_ptr<InterfaceWatch>> interfaces_;
};

}  // namespace

std::vector<std::unique_ptr<WaveSource>> sources_of(const WavePlan& plan) {
  std::vector<std::unique_ptr<WaveSource>> sources;
  Watches watches(plan);
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
