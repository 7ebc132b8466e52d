// modules/channel/channel.cpp: see channel.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/channel.hpp"

#include "configs/error.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

std::vector<std::string> names_of(Handshake) {
  return {"credit", "ready_valid", "acknowledge", "request"};
}

Schema<ChannelParams> channel_schema() {
  return Schema<ChannelParams>{}
      .optional("latency", &ChannelParams::latency,
                "cycles from the sender's edge to the receiver's, and for a credit back",
                between(1, 1024))
      .optional("width", &ChannelParams::width, "bytes in a flit", between(1, 65536))
      .optional("vcs", &ChannelParams::vcs, "virtual channels per channel",
                between(1, Flit::max_vcs))
      .optional("buffer", &ChannelParams::buffer, "depth of each virtual channel's buffer",
                between(1, 65536))
      .optional("handshake", &ChannelParams::handshake, "how a receiver signals free buffer space")
      .optional("credit_delay", &ChannelParams::credit_delay,
                "from a credit's arrival at a router to its use", between(0, 64));
}

ChannelEnd::ChannelEnd(CommitQueue& queue, const ChannelParams& params)
    : forward_wires_(queue, "valid", "flit"), forward(forward_wires_.link()) {
  switch (params.handshake) {
    case Handshake::credit:
      back_wires_ = std::make_unique<LinkWires<VcIndex>>(queue, "credit", "credit_vc");
      break;
    case Handshake::acknowledge:
      back_wires_ = std::make_unique<LinkWires<VcIndex>>(
          queue, "answer", params.vcs == 1 ? "busy" : "slot_and_busy");
      break;
    case Handshake::request:
      back_wires_ = std::make_unique<LinkWires<VcIndex>>(queue, "acknowledge", "acknowledge_class");
      request_wires_ = std::make_unique<LinkWires<VcIndex>>(queue, "request", "request_class");
      request = &request_wires_->link();
      break;
    case Handshake::ready_valid:
      ready = std::make_unique<ReadyWires>(queue, params.vcs);
      break;
  }
  if (back_wires_) back = &back_wires_->link();
}

/// One register stage of a ready_valid channel: two flits per virtual channel, registered ready.
class Channel::Slice {
 public:
  explicit Slice(int vcs) : sender(vcs, 2), ready(first_bits(vcs)), vcs_(vcs) {}

  std::uint64_t ready_bits() const {
    std::uint64_t bits = 0;
    for (int vc = 0; vc < vcs_; ++vc) bits |= static_cast<std::uint64_t>(sender.has_room(vc)) << vc;
    return bits;
  }

  ReadySender sender;
  std::uint64_t ready;    ///< As registered: what the stage before observes.
  bool offering = false;  ///< Whether the sender offers a flit.

 private:
  int vcs_;
};

namespace {

/// The second end of a channel with a latency above one has a scope of its own, so that its plain
/// signals do not have the names of the first end's.
class Receiving final : public sc_core::sc_module {
 public:
  Receiving(const sc_core::sc_module_name& name, CommitQueue& queue, const ChannelParams& params,
            std::unique_ptr<ChannelEnd>& end)
      : sc_module(name) {
    end = std::make_unique<ChannelEnd>(queue, params);
  }
};

}  // namespace

Channel::Channel(const sc_core::sc_module_name& name, const ChannelParams& params,
                 ClockDomain& domain)
    : Clocked(name, domain, params.latency.count > 1), params_(params) {
  CommitQueue& queue = domain.commits();
  upstream_ = std::make_unique<ChannelEnd>(queue, params);
  if (params.latency.count == 1) return;
  far_scope_ = std::make_unique<Receiving>("receiving", queue, params, downstream_);
  flits_.attach(upstream_->forward, downstream_->forward, module_index());
  if (upstream_->request)
    requests_.attach(*upstream_->request, *downstream_->request, module_index());
  if (downstream_->back) {
    backs_.attach(*downstream_->back, *upstream_->back, module_index());
    return;
  }
  ready_in_ = downstream_->ready->reader();
  ready_in_.set_module(module_index());
  ready_out_ = upstream_->ready->writer();
  for (Cycle stage = 1; stage < params.latency.count; ++stage)
    slices_.push_back(std::make_unique<Slice>(params.vcs));
}

Channel::~Channel() = default;

FlitWords& Channel::words() {
  if (params_.handshake == Handshake::ready_valid)
    throw ModelError(std::string(name()) + ": flits carry no words under ready_valid");
  if (!words_) words_ = std::make_unique<FlitWords>(params_.latency.count);
  return *words_;
}

void Channel::tap(TransitFeed& feed, int channel) {
  ChannelEnd& end = downstream();
  end.forward.wires().tap(feed, channel, end.ready.get());
}

int Channel::flits_inside() const {
  int total = static_cast<int>(flits_.line.size());
  for (const auto& slice : slices_) total += slice->sender.size();
  return total;
}

int Channel::flits_on_wires() const {
  if (params_.handshake == Handshake::ready_valid) return 0;
  int total = upstream_->forward.valid() ? 1 : 0;
  if (downstream_ && downstream_->forward.valid()) ++total;
  return total;
}

template <class T>
void Channel::Pipe<T>::attach(Link<T>& from, Link<T>& to, int module) {
  in = from.reader();
  in.set_slot({&inbox, 0, module});
  out = to.writer();
}

template <class T>
bool Channel::Pipe<T>::arrives(const CommitQueue& queue) {
  return queue.plain ? in.valid() : inbox.take(queue) != 0;
}

template <class T>
bool Channel::Pipe<T>::shift(const CommitQueue& queue, Cycle now, Cycle registers) {
  if (arrives(queue)) line.push(in.received(), now + registers - 1);
  if (line.due(now)) {
    out.drive(line.front());
    line.pop();
  }
  return !line.empty();
}

void Channel::end_pulses() {
  flits_.out.end_tick();
  if (backs_.out) backs_.out.end_tick();
  if (requests_.out) requests_.out.end_tick();
}

void Channel::tick() {
  if (params_.handshake == Handshake::ready_valid)
    pass_slices();
  else
    shift();
}

void Channel::shift() {
  const CommitQueue& queue = domain().commits();
  const Cycle registers = params_.latency.count - 1;
  const bool flits = flits_.shift(queue, now(), registers);
  const bool backs = backs_.shift(queue, now(), registers);
  const bool requests = requests_.in && requests_.shift(queue, now(), registers);
  if (flits || backs || requests) stay_awake();
}

void Channel::pass_slices() {
  const std::size_t last = slices_.size() - 1;
  const std::uint64_t ready_below = ready_in_.bits();
  const auto ready_after = [&](std::size_t stage) {
    return stage == last ? ready_below : slices_[stage + 1]->ready;
  };
  // All stages act on the state before the edge, so the flits that they take are found first.
  std::vector<std::pair<Slice*, Flit>>& taken = taken_;
  taken.clear();
  const bool arrived = flits_.arrives(domain().commits());
  if (arrived && (slices_[0]->ready >> flits_.in.received().vc() & 1) != 0)
    taken.emplace_back(slices_[0].get(), flits_.in.received());
  for (std::size_t stage = 1; stage <= last; ++stage) {
    const Slice& before = *slices_[stage - 1];
    if (before.offering && (slices_[stage]->ready >> before.sender.offer().vc() & 1) != 0)
      taken.emplace_back(slices_[stage].get(), before.sender.offer());
  }
  for (std::size_t stage = 0; stage <= last; ++stage)
    slices_[stage]->sender.complete(ready_after(stage), now());
  for (const auto& [slice, flit] : taken) slice->sender.push(flit, now());
  for (std::size_t stage = 0; stage <= last; ++stage) {
    Slice& slice = *slices_[stage];
    slice.offering = slice.sender.choose(ready_after(stage), now());
  }
  if (drive_slices() || arrived) stay_awake();
}

/// Returns: whether a slice holds flits.
bool Channel::drive_slices() {
  bool busy = false;
  for (const auto& slice : slices_) {
    const std::uint64_t free = slice->ready_bits();
    if (slice == slices_.front())
      for_each_bit(free ^ slice->ready,
                   [&](int vc) { ready_out_.drive(vc, (free >> vc & 1) != 0); });
    slice->ready = free;
    busy = busy || !slice->sender.empty();
  }
  const Slice& exit = *slices_.back();
  if (exit.offering) flits_.out.drive(exit.sender.offer());
  return busy;
}

}  // namespace flitwave
