// modules/channel/channel.cpp: see channel.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/channel.hpp"

#include "configs/error.hpp"

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
      .optional("handshake", &ChannelParams::handshake, "how a receiver says that it has room")
      .optional("credit_delay", &ChannelParams::credit_delay,
                "from a credit's arrival at a router to its use", between(0, 64));
}

ChannelEnd::ChannelEnd(CommitQueue& queue, const ChannelParams& params)
    : forward_wires_(queue, "valid", "flit"), forward(forward_wires_.lane()) {
  switch (params.handshake) {
    case Handshake::credit:
      back_wires_ = std::make_unique<LaneWires<VcIndex>>(queue, "credit", "credit_vc");
      break;
    case Handshake::acknowledge:
      back_wires_ = std::make_unique<LaneWires<VcIndex>>(
          queue, "answer", params.vcs == 1 ? "busy" : "slot_and_busy");
      break;
    case Handshake::request:
      back_wires_ = std::make_unique<LaneWires<VcIndex>>(queue, "acknowledge", "acknowledge_class");
      request_wires_ = std::make_unique<LaneWires<VcIndex>>(queue, "request", "request_class");
      request = &request_wires_->lane();
      break;
    case Handshake::ready_valid:
      ready = std::make_unique<ReadyLane>(queue, params.vcs);
      forward_wires_.show();  // an offer's level says whether it is taken
      break;
  }
  if (back_wires_) back = &back_wires_->lane();
}

/// One register stage of a ready_valid channel: two flits per virtual channel, registered ready.
class Channel::Slice {
 public:
  explicit Slice(int vcs) : sender(vcs, 2), ready(all(vcs)), vcs_(vcs) {}

  std::uint64_t room() const {
    std::uint64_t bits = 0;
    for (int vc = 0; vc < vcs_; ++vc) bits |= static_cast<std::uint64_t>(sender.has_room(vc)) << vc;
    return bits;
  }

  ReadySender sender;
  std::uint64_t ready;    ///< As registered: what the stage before sees.
  bool offering = false;  ///< Whether the sender's offer stands.

 private:
  static std::uint64_t all(int vcs) {
    return vcs == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << vcs) - 1;
  }

  int vcs_;
};

namespace {

/// The second end of a channel with latency above one hangs below a scope of its own, so that
/// plain signals do not clash in name with the first end's.
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
  upstream_->forward.set_reader({&arrivals_, 0, module_index()});
  if (upstream_->request) upstream_->request->set_reader({&asked_, 0, module_index()});
  if (downstream_->back) {
    downstream_->back->set_reader({&returns_, 0, module_index()});
    return;
  }
  downstream_->ready->set_reader(module_index());
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
  int total = static_cast<int>(flits_.size());
  for (const auto& slice : slices_) total += slice->sender.size();
  return total;
}

int Channel::flits_on_wires() const {
  if (params_.handshake == Handshake::ready_valid) return 0;
  int total = upstream_->forward.valid() ? 1 : 0;
  if (downstream_ && downstream_->forward.valid()) ++total;
  return total;
}

void Channel::end_pulses() {
  downstream().forward.end_tick();
  if (upstream_->back) upstream_->back->end_tick();
  if (downstream().request) downstream().request->end_tick();
}

void Channel::tick() {
  if (params_.handshake == Handshake::ready_valid ? pass_slices() : shift()) stay_awake();
}

bool Channel::shift() {
  const CommitQueue& queue = domain().commits();
  const Lane<Flit>& sent = upstream_->forward;
  const Lane<VcIndex>& returned = *downstream_->back;
  const bool flits = shift_flits(queue.plain ? sent.valid() : arrivals_.take(queue) != 0);
  const bool credits = shift_credits(queue.plain ? returned.valid() : returns_.take(queue) != 0);
  const bool requests = upstream_->request && shift_requests();
  return flits || credits || requests;
}

bool Channel::shift_flits(bool arrives) {
  if (arrives) flits_.push(upstream_->forward.received(), now() + params_.latency.count - 2);
  if (flits_.due(now())) {
    downstream_->forward.drive(flits_.front());
    flits_.pop();
  }
  return !flits_.empty();
}

bool Channel::shift_credits(bool returns) {
  if (returns) credits_.push(downstream_->back->received(), now() + params_.latency.count - 2);
  if (credits_.due(now())) {
    upstream_->back->drive(credits_.front());
    credits_.pop();
  }
  return !credits_.empty();
}

bool Channel::shift_requests() {
  const CommitQueue& queue = domain().commits();
  const Lane<VcIndex>& asked = *upstream_->request;
  if (queue.plain ? asked.valid() : asked_.take(queue) != 0)
    requests_.push(asked.received(), now() + params_.latency.count - 2);
  if (requests_.due(now())) {
    downstream_->request->drive(requests_.front());
    requests_.pop();
  }
  return !requests_.empty();
}

bool Channel::pass_slices() {
  const std::size_t last = slices_.size() - 1;
  const std::uint64_t ready_below = downstream_->ready->bits();
  const auto ready_after = [&](std::size_t stage) {
    return stage == last ? ready_below : slices_[stage + 1]->ready;
  };
  // All stages look at what stood before the edge: what each takes is found first.
  std::vector<std::pair<Slice*, Flit>>& taken = taken_;
  taken.clear();
  const Lane<Flit>& in = upstream_->forward;
  if (in.valid() && (slices_[0]->ready >> in.payload().vc() & 1) != 0)
    taken.emplace_back(slices_[0].get(), in.payload());
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
  return drive_slices();
}

bool Channel::drive_slices() {
  bool busy = upstream_->forward.valid();
  for (const auto& slice : slices_) {
    const std::uint64_t room = slice->room();
    if (slice == slices_.front())
      for_each_bit(room ^ slice->ready,
                   [&](int vc) { upstream_->ready->drive(vc, (room >> vc & 1) != 0); });
    slice->ready = room;
    busy = busy || !slice->sender.empty();
  }
  const Slice& exit = *slices_.back();
  if (exit.offering) downstream_->forward.drive(exit.sender.offer());
  return busy;
}

}  // namespace flitwave
