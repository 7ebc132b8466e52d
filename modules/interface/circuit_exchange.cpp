// modules/interface/circuit_exchange.cpp: see circuit_exchange.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/circuit_exchange.hpp"

#include <algorithm>
#include <exception>
#include <string>

#include "configs/error.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

/// The rest of the packet may follow, or its probe must be sent again.
void CircuitExchange::on_return(Injection& injection, Cycle now) {
  const CircuitAnswer got = injection.port->answer();
  const auto prober =
      std::find_if(injection.senders.begin(), injection.senders.end(), [&got](const auto& sender) {
        return sender->in_packet && sender->sent == 1 && sender->vc == got.slot;
      });
  if (prober == injection.senders.end())
    throw ModelError(std::string(site_.interface.name()) + ": a reply arrived for no probe");
  Sender& sender = **prober;
  if (got.answer != Answer::granted) return retry(sender, now);
  sender.path_is_set = true;
  ++counts_.granted;
  counts_.longest_wait = std::max(counts_.longest_wait, now - sender.first_probe);
}

void CircuitExchange::retry(Sender& sender, Cycle now) {
  const CircuitRetry& rule = site_.site.retry;
  sender.sent = 0;
  sender.port.release(sender.vc);
  ++counts_.refused;
  counts_.most_refused = std::max(counts_.most_refused, ++sender.refused);
  if (sender.refused >= rule.limit) end_run(sender);
  Cycle window = 2 * rule.backoff;
  for (std::int64_t i = 1; i < sender.refused && window < 2 * rule.longest; ++i) window *= 2;
  window = std::min(window, 2 * rule.longest);
  sender.open_at =
      now + 1 + static_cast<Cycle>(backoffs_.below(static_cast<std::uint64_t>(window)));
  site_.interface.domain().at(sender.open_at, sender);
}

void CircuitExchange::end_run(const Sender& sender) const {
  const InterfaceSite& site = site_.site;
  const Flit head(site.node, sender.slot, 0, true, false, 0);
  site_.interface.domain().end_run(
      site_.interface,
      std::make_exception_ptr(Livelock(
          std::string(site_.interface.name()) + ": packet " +
          std::to_string(site.packets.packet(head).number) + " to node " +
          site.topology.label(sender.current.message.destination) + " was denied a circuit " +
          counted(sender.refused, "time") + "; router.attempts allows no more")));
}

void CircuitExchange::on_head(int port, Flit head) {
  site_.receivers[index(port)].port->answer({Answer::granted, head.vc()});
}

void CircuitExchange::begin(Sender& sender, Packet packet, Cycle now) {
  site_.source.add(sender, packet, now);
  sender.path_is_set = false;
}

/// Data are sent in their slot; a probe is sent if the slot is free, and takes it.
bool CircuitExchange::is_in_turn(Sender& sender, Cycle now) {
  const Cycle taken = now + sender.port.channel().params().latency.count;
  const int slot = static_cast<int>(taken % sender.port.vcs());
  if (sender.sent > 0) return sender.vc == slot;
  if ((sender.port.free_vcs() & word_bit(slot)) == 0) return false;
  sender.vc = slot;
  sender.port.claim(slot, 0);
  return true;
}

}  // namespace flitwave
