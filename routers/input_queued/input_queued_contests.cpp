// routers/input_queued/input_queued_contests.cpp: arbitration among heads and flits of an
// input-queued router; few ticks need it.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#include "modules/signals/bits.hpp"
#include "routers/input_queued/input_queued.hpp"

namespace flitwave {

/// Stores the route of a head, which then waits for a virtual channel.
template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::look_up(InputVc& in, int port) {
  compute_route(in, port, route_of(in));
  in.state = State::waiting;
}

/// The members of `vcs` whose buffer has space for the whole packet. A head does not claim a
/// virtual channel earlier, since it would block packets that need less space.
template <int FixedVcs, class Listener>
std::uint64_t InputQueued<FixedVcs, Listener>::with_room(std::uint64_t vcs, int output,
                                                         const InputVc& in, int port) const {
  std::uint64_t found = 0;
  const int ring = site().rings[index(output)];
  const bool enters = ring >= 0 && site().rings[index(port)] != ring;
  const std::int64_t length = site().packets.packet(in.head).length;
  for_each_bit(vcs, [&](int vc) {
    const OutputPort& out = out_port(output);
    const bool room = params_.bubble && ring >= 0 ? out.free_packet_slots(vc) >= (enters ? 2 : 1)
                                                  : out.has_room(vc, length, now_);
    if (room) found |= word_bit(vc);
  });
  return found;
}

/// Grants each virtual channel that several heads request to one of them.
template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::settle_claims() {
  for (std::size_t i = 0; i < claims_.size(); ++i) {
    const int output = claims_[i].output;
    if (output < 0) continue;
    requests_.clear();
    for (std::size_t j = i; j < claims_.size(); ++j)
      if (claims_[j].output == output)
        requests_.push_back(request(claims_[j].input, vcs_[claims_[j].input]));
    const int winner = requests_[vc_arbiters_[output].pick(requests_)].index;
    for (std::size_t j = i; j < claims_.size(); ++j) {
      if (claims_[j].output != output) continue;
      claims_[j].output = -1;
      if (claims_[j].input == winner) continue;
      // The loser requests again, perhaps another virtual channel.
      again_ = true;
      wait(vcs_[claims_[j].input], claims_[j].input / vc_count());
      listener_.on_lost_claim(claims_[j].input, winner);
    }
    grant({winner, output});
  }
}

template <int FixedVcs, class Listener>
Request InputQueued<FixedVcs, Listener>::request(int index, const InputVc& in) const {
  const Cycle created = params_.arbitration == Arbitration::oldest_packet
                            ? site().packets.packet(in.head).created
                            : 0;
  return {index, in.ready_at, created};
}

/// Chooses the virtual channel of an input that requests its output.
template <int FixedVcs, class Listener>
int InputQueued<FixedVcs, Listener>::nominate(int port, std::uint64_t vcs) {
  again_ = true;  // for those that lose
  requests_.clear();
  for_each_bit(vcs, [&](int vc) {
    Request entry = request(vc, at(port, vc));
    entry.since = in_port(port).front(vc).arrived;
    requests_.push_back(entry);
  });
  const int winner = requests_[input_arbiters_[port].pick(requests_)].index;
  listener_.on_nomination(port, vcs, winner);
  return winner;
}

/// Chooses the input to which an output is granted. `nominees`: per input port its virtual channel.
template <int FixedVcs, class Listener>
int InputQueued<FixedVcs, Listener>::choose_input(int output, std::uint64_t inputs,
                                                  const std::int16_t* nominees) {
  again_ = true;  // for those that lose
  requests_.clear();
  for_each_bit(inputs, [&](int port) {
    const int vc = nominees[port];
    Request entry = request(port, at(port, vc));
    entry.since = in_port(port).front(vc).arrived;
    requests_.push_back(entry);
  });
  const int winner = requests_[output_arbiters_[output].pick(requests_)].index;
  listener_.on_passage_grant(inputs, nominees, winner);
  return winner;
}

template class InputQueued<0, Unobserved>;
template class InputQueued<1, Unobserved>;
template class InputQueued<0, StallReporter<0>>;
template class InputQueued<1, StallReporter<1>>;

}  // namespace flitwave
