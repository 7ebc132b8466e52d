// routers/kinds/station.cpp: carrier sense, collision detection and back-off on a shared medium.
// interface -> [station] -> channel -> [station] -> interface
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>

#include "configs/error.hpp"
#include "modules/router.hpp"
#include "modules/shared_medium.hpp"
#include "modules/signals/bits.hpp"
#include "routers/parts/needs.hpp"

namespace flitwave {
namespace {

/// The parameters of an Ethernet of 10 Mb/s, at one byte per cycle of 0.8 us.
struct StationParams {
  Cycles preamble{8};
  Cycles gap{12};
  Cycles slot{64};
  Cycles jam{4};
  int backoff_limit = 10;
  int attempts = 16;
};

/// The medium-access controller of a node that has a channel to every other node; one of all these
/// channels at a time carries flits. A packet is a frame: it is sent as a whole, one flit per
/// cycle, after a preamble without a collision, so that flits never collide. A packet with copies
/// is one frame, whose flits cross to all their receivers at once.
///
/// A station with a frame begins as soon as it has sensed no carrier for a gap. When it detects a
/// collision during its preamble, it jams, and waits for 0 .. 2^min(n, backoff_limit) - 1 slots
/// after collision number n of the frame. A frame begins only when its receivers have space for all
/// of it.
/// Source: Metcalfe and Boggs 1976; IEEE 802.3-1985, section 4.2.3 (CSMA/CD)
class Station final : public Router {
 public:
  Station(const sc_core::sc_module_name& name, const StationParams& params, const RouterSite& site);

  sc_core::sc_out<bool> transmit{"transmit"};
  sc_core::sc_in<bool> carrier{"carrier"};
  sc_core::sc_in<bool> collision{"collision"};

  void report_waits(std::vector<WaitPoint>& points) const override;
  bool at_rest() const override { return state_ == State::idle && Router::at_rest(); }
  std::int64_t flits_copied() const override { return copied_; }

 private:
  enum class State : std::uint8_t {
    idle,       ///< No frame, or none for which the receivers have space.
    deferring,  ///< A frame waits for the medium.
    preamble,   ///< It transmits, and may still collide.
    sending,    ///< Flits of the frame cross.
    ending,     ///< The last flit has been sent.
    jamming,    ///< It has collided.
  };

  /// A receiver of a frame.
  struct Branch {
    int output;
    int slot;  // of the packet for the receiver
  };

  void tick() override;
  void sense_carrier();
  void eject();
  bool is_local(int input) const;
  int ejection_for(int input, std::uint64_t taken) const;
  void choose_frame();
  int output_for(Flit head) const;
  std::vector<Branch> branches_of(Flit head) const;
  int full_output(const std::vector<Branch>& branches, std::int64_t length) const;
  void contend();
  void back_off();
  void send();
  void drive(bool level);
  std::int64_t length_of(Flit flit) const { return site().packets.packet(flit).length; }

  StationParams params_;
  SharedMedium& medium_;
  Random backoffs_;
  State state_ = State::idle;
  bool carrier_on_ = false;  // at the last tick
  Cycle now_ = 0;
  Cycle clear_at_ = 0;  // end of the gap after the last carrier
  Cycle retry_at_ = 0;  // end of the back-off
  Cycle phase_ends_ = 0;
  int frame_ = -1;                // its input
  std::vector<Branch> branches_;  // of the frame
  std::int64_t copied_ = 0;       // flits
  int collisions_ = 0;            // of the frame
  int next_local_ = 0;            // the local port with the highest priority
  std::uint64_t occupied_ = 0;    // inputs with flits
  std::vector<int> ejecting_;     // per input: the output that its packet holds, or -1
};

Station::Station(const sc_core::sc_module_name& name, const StationParams& params,
                 const RouterSite& site)
    : Router(name, site, 0, VcReallocation::non_atomic),
      params_(params),
      medium_(dynamic_cast<SharedMedium&>(*site.shared)),
      backoffs_(site.seed, "station backoff", static_cast<std::uint64_t>(site.node.value())),
      ejecting_(index(site.ports()), -1) {
  transmit(medium_.transmit[site.node.index()]);
  carrier(medium_.carrier);
  collision(medium_.collision);
  medium_.attach(*this);
}

void Station::tick() {
  now_ = this_cycle();
  for_each_bit(arrivals_, [this](int port) {
    in_port(port).accept(now_);
    occupied_ |= word_bit(port);
  });
  sense_carrier();
  eject();
  if (state_ == State::ending) {
    drive(false);
    state_ = State::idle;
  }
  if (state_ == State::jamming) back_off();
  if (state_ == State::idle) choose_frame();
  if (state_ == State::deferring) contend();
  if (state_ == State::preamble || state_ == State::sending) send();
}

/// The gap counts from the end of a transmission, which the station senses later.
void Station::sense_carrier() {
  const bool on = carrier.read();
  if (carrier_on_ && !on) clear_at_ = now_ + params_.gap.count - SharedMedium::hearing_delay;
  carrier_on_ = on;
}

/// Ejects flits that have arrived by a channel, and flits that the node sends to itself.
void Station::eject() {
  std::uint64_t sent = 0;  // outputs that drive a flit in this cycle
  for_each_bit(occupied_, [this, &sent](int input) {
    if (!is_local(input)) return;
    const Flit front = in_port(input).front(0).flit;
    int& output = ejecting_[index(input)];
    if (output < 0) {
      output = ejection_for(input, sent);
      if (output < 0) return;
      out_port(output).claim(0, input);
    }
    if (!out_port(output).can_send(0)) return;
    out_port(output).send(in_port(input).pop(0), 0, now_);
    sent |= word_bit(output);
    if (front.tail()) output = -1;
    if (in_port(input).empty(0)) occupied_ &= ~word_bit(input);
  });
}

/// Whether the packet at the front of an input is for this node, so that it needs no medium.
bool Station::is_local(int input) const {
  return input < site().network_ports ||
         site().packets.packet(in_port(input).front(0).flit).header.destination == node();
}

/// A free local port, not in `taken`, that has space for the packet at the front of an input, or
/// -1.
int Station::ejection_for(int input, std::uint64_t taken) const {
  const std::int64_t length = length_of(in_port(input).front(0).flit);
  for (int i = 0; i < site().local_ports(); ++i) {
    const int output = site().network_ports + (input + i) % site().local_ports();
    if ((taken & word_bit(output)) == 0 && out_port(output).free_vcs() != 0 &&
        out_port(output).has_room(0, length, now_))
      return output;
  }
  return -1;
}

/// Chooses the frames of local ports in round-robin order.
void Station::choose_frame() {
  for (int i = 0; i < site().local_ports(); ++i) {
    const int local = (next_local_ + i) % site().local_ports();
    const int input = site().network_ports + local;
    if ((occupied_ & word_bit(input)) == 0 || is_local(input)) continue;
    const Flit head = in_port(input).front(0).flit;
    std::vector<Branch> branches = branches_of(head);
    if (full_output(branches, length_of(head)) >= 0) continue;
    next_local_ = (local + 1) % site().local_ports();
    frame_ = input;
    branches_ = std::move(branches);
    collisions_ = 0;
    for (const Branch& branch : branches_) out_port(branch.output).claim(0, input);
    state_ = State::deferring;
    return;
  }
}

int Station::output_for(Flit head) const {
  Route route;
  site().routing.route(node(), Arrival{PortId{}, 0}, site().packets.packet(head).header, route);
  return route.candidates().front().port.value();
}

std::vector<Station::Branch> Station::branches_of(Flit head) const {
  std::vector<Branch> branches{{output_for(head), head.slot()}};
  for (int slot : site().packets.copies(head))
    branches.push_back({output_for(Flit(head.source(), slot, 0, true, false, 0)), slot});
  return branches;
}

/// An output whose receiver has no space for the frame, or -1.
int Station::full_output(const std::vector<Branch>& branches, std::int64_t length) const {
  for (const Branch& branch : branches)
    if (!out_port(branch.output).has_room(0, length, now())) return branch.output;
  return -1;
}

void Station::contend() {
  if (carrier_on_) return;  // ticked again when that changes
  const Cycle open = std::max(clear_at_, retry_at_);
  if (now_ < open) return wake_at(open);
  drive(true);
  state_ = State::preamble;
  phase_ends_ = now_ + params_.preamble.count;
  wake_at(phase_ends_);
}

/// Ends the jam and chooses a random back-off.
void Station::back_off() {
  if (now_ < phase_ends_) return wake_at(phase_ends_);
  drive(false);
  if (++collisions_ >= params_.attempts)
    domain().end_run(
        *this,
        std::make_exception_ptr(Livelock(
            std::string(name()) + ": packet " +
            std::to_string(site().packets.packet(in_port(frame_).front(0).flit).number) +
            " collided " + counted(collisions_, "time") + "; router.attempts allows no more")));
  const std::uint64_t slots = std::uint64_t{1} << std::min(collisions_, params_.backoff_limit);
  retry_at_ = now_ + static_cast<Cycle>(backoffs_.below(slots)) * params_.slot.count;
  state_ = State::deferring;
}

void Station::send() {
  if (state_ == State::preamble) {
    if (collision.read()) {
      state_ = State::jamming;
      phase_ends_ = now_ + params_.jam.count;
      return wake_at(phase_ends_);
    }
    if (now_ < phase_ends_) return wake_at(phase_ends_);
    state_ = State::sending;
  }
  if (collision.read()) throw ModelError(std::string(name()) + ": a collision within a frame");
  if (in_port(frame_).empty(0)) return;  // ticked again when the next flit arrives
  const Flit flit = in_port(frame_).pop(0);
  if (in_port(frame_).empty(0)) occupied_ &= ~word_bit(frame_);
  for (const Branch& branch : branches_)
    out_port(branch.output)
        .send(Flit(flit.source(), branch.slot, flit.sequence(), flit.head(), flit.tail(), 0), 0,
              now_);
  copied_ += static_cast<std::int64_t>(branches_.size()) - 1;
  if (flit.tail()) state_ = State::ending;
}

void Station::drive(bool level) {
  transmit.write(level);
  medium_.notice();
}

/// A frame that waits for the medium is movable: it gets the medium, or the run ends as a livelock.
void Station::report_waits(std::vector<WaitPoint>& points) const {
  for_each_bit(occupied_, [&](int input) {
    WaitPoint point;
    point.input = PortId(input);
    point.front = in_port(input).front(0).flit;
    point.free = in_port(input).depth() - in_port(input).count(0);
    const int length = static_cast<int>(length_of(point.front));
    const int claimed = ejecting_[index(input)];
    if (!is_local(input)) {
      const bool chosen = state_ != State::idle && input == frame_;
      const int full = chosen ? -1 : full_output(branches_of(point.front), length);
      point.movable = full < 0;
      if (!point.movable) point.waits_for.push_back({true, PortId(full), 0, length});
    } else if (claimed >= 0) {
      point.movable = out_port(claimed).can_send(0);
      if (!point.movable) point.waits_for.push_back({true, PortId(claimed), 0, 1});
    } else {
      point.movable = ejection_for(input, 0) >= 0;
      for (int i = 0; i < site().local_ports() && !point.movable; ++i) {
        const int output = site().network_ports + i;
        const int holder = out_port(output).holder(0);
        if (holder >= 0)
          point.waits_for.push_back({false, PortId(holder), 0, 1, 0, PortId(output)});
        else
          point.waits_for.push_back({true, PortId(output), 0, length});
      }
    }
    points.push_back(std::move(point));
  });
}

RouterNeeds station_needs() {
  const std::string one_frame = "the medium carries one frame at a time";
  return needs::all(
      {needs::no_other_routers(
           "stations share a medium and cannot be mixed with other router kinds", "station"),
       needs::credit_flow_control("a station begins a frame when it has credits for all of it"),
       needs::no_message_classes(one_frame + "; replies cannot have virtual channels of their own"),
       needs::one_virtual_channel(one_frame),
       needs::channels_to_all("stations need a direct channel between every two nodes"),
       needs::buffers_of_whole_packets("station")});
}

RouterModel station(const StationParams& params) {
  RouterModel model;
  model.switching = Switching::virtual_cut_through;
  model.needs = station_needs();
  model.supports.copying = Copying::at_once;
  model.share = [](const SharedSite& site) {
    return std::make_unique<SharedMedium>("medium", site.domain, site.topology.nodes());
  };
  model.build = [params](const char* name, const RouterSite& site) {
    return std::make_unique<Station>(name, params, site);
  };
  return model;
}

}  // namespace

void register_station(Routers& routers) {
  using P = StationParams;
  routers.add(
      "station",
      {"no router: a node's access to one shared medium (CSMA/CD)",
       "Metcalfe and Boggs 1976; IEEE 802.3; Tsai 1997, section 5.5"},
      Schema<P>{}
          .optional("preamble", &P::preamble,
                    "time of the preamble before the first flit of a frame",
                    between(static_cast<double>(SharedMedium::collision_window), 65536))
          .optional("gap", &P::gap, "silence after a transmission before the next one",
                    between(static_cast<double>(SharedMedium::hearing_delay), 65536))
          .optional("slot", &P::slot, "unit of the wait after a collision", between(1, 65536))
          .optional("jam", &P::jam, "how long a station continues to transmit after a collision",
                    between(1, 65536))
          .optional("backoff_limit", &P::backoff_limit,
                    "collisions of a frame after which the range of the wait no longer doubles",
                    between(0, 30))
          .optional("attempts", &P::attempts, "collisions of a frame that count as livelock",
                    between(1, 1000000)),
      station);
}

}  // namespace flitwave
