// testbenches/observers/anatomy.cpp: see anatomy.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/anatomy.hpp"

#include <algorithm>
#include <sstream>

#include "configs/error.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

namespace {

using Kind = ChannelSite::Kind;

[[noreturn]] void fail(Flit flit, const std::string& problem) {
  std::ostringstream text;
  text << "anatomy: " << problem << " (" << flit << ")";
  throw ModelError(text.str());
}

}  // namespace

Anatomy::Anatomy(AnatomySite site) : site_(std::move(site)), offers_(site_.channels.size()) {
  for (std::size_t i = 0; i < site_.channels.size(); ++i) {
    const AnatomyChannel& channel = site_.channels[i];
    if (channel.kind != Kind::injection)
      channel_of_[{channel.from.value(), channel.output.value()}] = static_cast<int>(i);
  }
}

void Anatomy::passed(const Passage& passage) {
  packets_[passage.flit.packet_bits()].passages.push_back(passage);
  if (site_.handshake != Handshake::ready_valid) return;
  const int channel = channel_of_.at({passage.node.value(), passage.output.value()});
  offers_[index(channel)][passage.flit.vc()].due.push_back(passage.left + passage.least.traversal +
                                                           site_.channels[index(channel)].latency);
}

Anatomy::Moment Anatomy::crossed(Cycle cycle, int channel, Flit flit, const Packet& packet) {
  const Kind kind = site_.channels[index(channel)].kind;
  const Cycle at = cycle + 1;
  const auto found = packets_.try_emplace(flit.packet_bits()).first;
  InFlight& state = found->second;
  if (kind == Kind::injection)
    inject(at, channel, flit, packet, state);
  else
    advance(at, channel, flit, state);
  const Moment& now = state.flit(flit).here;
  if (now.at != at || now.parts.total() != at - packet.created)
    fail(flit, "in cycle " + std::to_string(at) + " the parts of its time since cycle " +
                   std::to_string(packet.created) + " sum to " + std::to_string(now.parts.total()));
  if (kind != Kind::ejection) return now;
  if (flit.head()) {
    state.head_ejected = now;
    state.ejection = channel;
  }
  if (!flit.tail()) {
    for (; state.first < flit.sequence(); ++state.first) state.flits.pop_front();
    return now;
  }
  if (!state.passages.empty()) fail(flit, "a router reported a passage, but no flit crossed");
  Moment whole = now;
  packets_.erase(found);
  return whole;
}

/// On the channel from its source's interface.
void Anatomy::inject(Cycle at, int channel, Flit flit, const Packet& packet, InFlight& state) {
  Moment now{packet.created, {}};
  if (flit.head()) {  // for a circuit, possibly a repeated probe
    state.flits.clear();
    state.hops.assign(1, {});
    state.first = 0;
    now.pass(Part::source_queue, 1);
    now.wait(Part::source_queue, packet.started - now.at, -1);
    now.pass(Part::injection, 1);
  } else if (flit.sequence() == 1 && site_.handshake == Handshake::acknowledge) {
    now = state.head_ejected;  // its acknowledgement returns; others may precede it
    now.pass(Part::injection, at - now.at);
  } else if (flit.sequence() == 1 && packet.set_up) {
    now = state.head_ejected;
    now.wait(Part::ejection, packet.head_taken - now.at, state.ejection);
  } else {
    now = state.hops.front().taken;
    now.pass(Part::serialisation, 1);
  }
  if (now.at > at || packet.started <= packet.created) fail(flit, "it was injected too early");
  now.wait(Part::injection, at - now.at, channel);
  state.flits.push_back({now, 0});
  state.hops.front().taken = now;
}

/// Through a router and over the channel that leaves it.
void Anatomy::advance(Cycle at, int channel, Flit flit, InFlight& state) {
  const std::int64_t place = flit.sequence() - state.first;
  if (place < 0 || place >= static_cast<std::int64_t>(state.flits.size()))
    fail(flit, "it crosses a channel without having been injected");
  Travelling& self = state.flit(flit);
  if (state.hops.size() == self.hop + 1) state.hops.emplace_back();
  Hop& hop = state.hops[self.hop];
  Hop& next = state.hops[self.hop + 1];
  const AnatomyChannel& site = site_.channels[index(channel)];
  const Cycle sent = at - site.latency;
  if (!site_.reports_passages[site.from.index()])
    hop.left = leave_unreported(sent, channel, flit, state);
  else if (site_.handshake == Handshake::acknowledge && !flit.head())
    hop.left = follow(flit, 0, state);  // a circuit's data are sent as they arrive
  else
    hop.left = leave_reported(channel, flit, state);
  Moment now = hop.left;
  now.pass(Part::switch_wait, hop.traversal);
  now.pass(site.kind == Kind::ejection ? Part::ejection : Part::link, site.latency);
  if (site_.handshake == Handshake::ready_valid && site_.reports_passages[site.from.index()])
    be_taken(at, channel, flit, next, now);
  self.here = next.taken = now;
  ++self.hop;
}

/// For a flit that may leave `delay` cycles after its arrival, and not in the same cycle as the
/// previous flit: the constraint that held it last, without the delay if that was the previous
/// flit.
/// Returns: its time until it could leave.
Anatomy::Moment Anatomy::follow(Flit flit, Cycle delay, InFlight& state) const {
  const Travelling& self = state.flit(flit);
  const Hop& hop = state.hops[self.hop];
  Moment now = self.here;
  if (!flit.head() && hop.left.at + 1 >= now.at + delay) {
    now = hop.left;
    now.pass(Part::serialisation, 1);
  } else {
    now.pass(Part::switch_wait, delay);
  }
  return now;
}

Anatomy::Moment Anatomy::leave_reported(int channel, Flit flit, InFlight& state) {
  const Travelling& self = state.flit(flit);
  const Passage passage = take_passage(state, flit, site_.channels[index(channel)].from);
  if (passage.arrived != self.here.at)
    fail(flit, "a router reported a flit with another arrival time");
  const auto wait = [&](Moment& now, Part part, Cycle cycles) {
    if (cycles < 0) fail(flit, "a router reported a wait of " + std::to_string(cycles) + " cycles");
    now.wait(part, cycles, channel);
  };
  Moment now;
  if (flit.head()) {
    // A packet that is stored is complete when its tail has arrived.
    const Travelling& whole = passage.stored ? state.flits.back() : self;
    if (whole.hop != self.hop)
      fail(flit, "a router that stores packets sent it before its tail arrived");
    now = whole.here;
    wait(now, Part::vc_allocation_wait, passage.front - now.at);
    now.pass(Part::route_wait, passage.least.route);
    now.pass(Part::vc_allocation_wait, passage.least.vc);
    now.pass(Part::switch_wait, passage.least.passage);
    state.hops[self.hop].traversal = passage.least.traversal;
  } else {
    now = follow(flit, passage.least.clocked ? 0 : passage.least.passage, state);
    if (passage.least.clocked) now.pass(Part::switch_wait, passage.least.passage);
  }
  const bool last = site_.channels[index(channel)].kind == Kind::ejection;
  wait(now, Part::route_wait, passage.route_wait);
  wait(now, Part::vc_allocation_wait, passage.vc_wait);
  wait(now, Part::switch_wait, passage.switch_wait);
  wait(now, last ? Part::ejection : Part::credit_wait, passage.room_wait);
  if (now.at != passage.left)
    fail(flit, "a router reported that it left in cycle " + std::to_string(passage.left) +
                   " and times until cycle " + std::to_string(now.at));
  return now;
}

/// For a router that reports no passages, only the wires are known.
Anatomy::Moment Anatomy::leave_unreported(Cycle left, int channel, Flit flit,
                                          InFlight& state) const {
  Moment now = follow(flit, 0, state);
  if (now.at > left) fail(flit, "it left a router before it arrived");
  now.wait(Part::router, left - now.at, channel);
  return now;
}

/// Under ready_valid a flit that has left its buffer may have to wait on the wires until it is
/// accepted: because of the previous flit, of other virtual channels, or for buffer space.
void Anatomy::be_taken(Cycle at, int channel, Flit flit, const Hop& next, Moment& now) {
  const Cycle lost = take_offer(channel, flit.vc(), at);
  if (now.at == at) return;
  if (!flit.head() && next.taken.at + 1 >= now.at) {
    now = next.taken;
    now.pass(Part::serialisation, 1);
  }
  if (at - now.at < lost) fail(flit, "others were accepted before it, but it arrived earlier");
  const bool last = site_.channels[index(channel)].kind == Kind::ejection;
  now.wait(last ? Part::ejection : Part::credit_wait, at - now.at - lost, channel);
  now.wait(Part::switch_wait, lost, channel);
}

/// A flit of a virtual channel is accepted at the end of a channel.
/// Returns: the number of edges at which another virtual channel's flit was accepted while it could
///   have been.
Cycle Anatomy::take_offer(int channel, int vc, Cycle at) {
  std::map<int, Offers>& all = offers_[index(channel)];
  Offers& own = all[vc];
  const Cycle lost = own.lost;
  own.lost = 0;
  own.due.pop_front();
  for (auto& [other, offers] : all)
    if (other != vc && !offers.due.empty() && offers.due.front() <= at) ++offers.lost;
  return lost;
}

/// The oldest reported passage of a flit in a router.
Passage Anatomy::take_passage(InFlight& state, Flit flit, NodeId node) {
  const auto found =
      std::find_if(state.passages.begin(), state.passages.end(), [&](const Passage& passage) {
        return passage.flit.sequence() == flit.sequence() && passage.node == node;
      });
  if (found == state.passages.end()) fail(flit, "no router reported its passage");
  const Passage passage = *found;
  state.passages.erase(found);
  return passage;
}

}  // namespace flitwave
