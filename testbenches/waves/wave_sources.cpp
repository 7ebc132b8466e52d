// testbenches/waves/wave_sources.cpp: see wave_sources.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/wave_sources.hpp"

#include "modules/signals/bits.hpp"

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
  void take(const EndWires& end, const PacketPool& packets) {
    const bool has_flit = end.forward.valid();
    if (has_flit) {
      const Flit flit = end.forward.payload();
      if (values_[WaveSignal::valid] == 0 || flit != flit_) decode(flit, packets);
    }
    values_[WaveSignal::valid] = has_flit ? 1 : 0;
    if (end.ready) {
      values_[WaveSignal::credit] = end.ready->bits();
    } else if (end.back->valid()) {
      values_[WaveSignal::credit] = 1;
      values_[WaveSignal::credit_vc] = end.back->payload();
    } else {
      values_[WaveSignal::credit] = 0;
    }
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
    values_[WaveSignal::packet] = static_cast<std::uint64_t>(owner->number) & 0xffffffff;
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
  EndSource(const WaveEnd& end, std::size_t first_variable, const WavePlan& plan)
      : wires_(*end.wires),
        packets_(plan.packets),
        is_plain_(plan.domain.scheduling() == Scheduling::per_module),
        first_variable_(first_variable),
        shown_((std::uint64_t{1} << end.signals.size()) - 1) {
    sampled_.take(wires_, packets_);
    settled_ = sampled_.values();
  }

  bool listen(LinkListener* listener) override {
    if (is_plain_) return false;
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
    return events;
  }

  void sample() override { sampled_.take(wires_, packets_); }
  bool is_stale() const override {
    EndSample now = sampled_;
    now.take(wires_, packets_);
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
    compare(WaveSignal::valid, WaveSignal::valid);
    if (values[WaveSignal::valid] != 0) compare(WaveSignal::kind, WaveSignal::destination);
    compare(WaveSignal::credit, WaveSignal::credit);
    if (values[WaveSignal::credit] != 0) compare(WaveSignal::credit_vc, WaveSignal::credit_vc);
    compare(WaveSignal::request, WaveSignal::request);
    if (values[WaveSignal::request] != 0)
      compare(WaveSignal::request_class, WaveSignal::request_class);
    changed &= shown_;
    if (changed == 0) return;
    for_each_bit(changed, [&](int bit) {
      const auto k = index(bit);
      settled_[k] = values[k];
    });
    if (sink) sink->change(first_variable_, settled_.data(), changed);
  }
  bool has_flit() const override { return settled_[WaveSignal::valid] != 0; }
  void write_all(ValueSink& sink) const override {
    sink.change(first_variable_, settled_.data(), shown_);
  }

 private:
  EndWires wires_;
  const PacketPool& packets_;
  bool is_plain_;
  std::size_t first_variable_;
  std::uint64_t shown_;  // a bit per signal that this end has
  EndSample sampled_;
  WaveSignal::Values settled_;
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
  bool has_flit() const override { return false; }
  void write_all(ValueSink& sink) const override { sink.change(variable_, settled_); }

 private:
  const InnerWire& wire_;
  std::size_t variable_;
  std::uint64_t sampled_;
  std::uint64_t settled_;
};

}  // namespace

std::vector<std::unique_ptr<WaveSource>> sources_of(const WavePlan& plan) {
  std::vector<std::unique_ptr<WaveSource>> sources;
  std::size_t variable = 0;
  for (const WaveEnd& end : plan.ends) {
    sources.push_back(std::make_unique<EndSource>(end, variable, plan));
    variable += end.signals.size();
  }
  for (const InnerWire& wire : plan.inner)
    sources.push_back(std::make_unique<InnerSource>(wire, variable++));
  return sources;
}

}  // namespace flitwave
