// routers/verilated/boundary_progress.cpp: whether a router in RTL does what it could do.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "modules/signals/bits.hpp"
#include "routers/verilated/router_boundary.hpp"

namespace flitwave {

/// Without this, a flit or a credit that is lost inside would keep a run from ending.
void RouterBoundary::check_progress(Cycle cycle) {
  for (int port = 0; port < ports(); ++port) {
    if (!inputs_[index(port)].attached) continue;
    for (int vc = 0; vc < design_.vcs; ++vc) {
      check_returns(port, vc, cycle);
      check_front(port, vc, cycle);
    }
  }
}

/// Slots of an empty buffer are free. A design that acknowledges does so when a flit waits.
void RouterBoundary::check_returns(int port, int vc, Cycle cycle) const {
  const Input& input = inputs_[index(port)];
  const Queue& queue = input.queues[index(vc)];
  if (!queue.tags.empty()) return;
  if (queue.owed > 0 && cycle - queue.changed >= patience)
    throw error(cycle, input_name(port), "credit",
                fmt::format("{} for vc {}, all flits of which have left", queue.owed, vc),
                fmt::format("none since cycle {}", queue.changed));
  if (design_.handshake == Handshake::credit || (input.ready >> vc & 1) != 0) return;
  Cycle since = std::max(queue.changed, input.ready_changed);
  if (design_.acknowledges) {
    if (queue.waiting_since < 0) return;
    since = std::max(since, queue.waiting_since);
  }
  if (cycle - since >= patience)
    throw error(cycle, input_name(port), fmt::format("ready[{}]", vc),
                "1, since no flit of this virtual channel is inside",
                fmt::format("0 since cycle {}", since));
}

void RouterBoundary::check_front(int port, int vc, Cycle cycle) {
  Queue& queue = inputs_[index(port)].queues[index(vc)];
  if (queue.tags.empty()) return;
  const Cycle since = queue.movable_since < 0 ? cycle : queue.movable_since;
  queue.movable_since = can_leave(port, vc, since) ? since : -1;
  if (queue.movable_since < 0 || cycle - since < patience) return;
  const FlitTable::Entry& entry = *table_.find(queue.tags.front());
  throw error(
      cycle, input_name(port), "flit",
      fmt::format("that it leaves, since its outputs have space and are idle since cycle {}",
                  since),
      fmt::format("inside since cycle {}", entry.entered), coder_.text(entry.flit));
}

bool RouterBoundary::has_space(int output, int vc) const {
  const Output& port = outputs_[index(output)];
  if (design_.handshake == Handshake::ready_valid) return (port.ready >> vc & 1) != 0;
  return port.vcs[index(vc)].credits > 0;
}

/// Whether all slots behind an output are free, as far as that is known: a head may wait for space
/// for its whole packet, or for an empty buffer.
bool RouterBoundary::has_all_space(int output, int vc) const {
  return has_space(output, vc) && (design_.handshake == Handshake::ready_valid ||
                                   outputs_[index(output)].vcs[index(vc)].credits == depth_);
}

/// Whether the packet of the first flit is inside as far as its buffer can hold it: a head may wait
/// for that.
bool RouterBoundary::is_whole(const Queue& queue) const {
  if (static_cast<int>(queue.tags.size()) >= depth_) return true;
  const std::uint64_t packet = table_.find(queue.tags.front())->flit.packet_bits();
  return std::any_of(queue.tags.begin(), queue.tags.end(), [&](Tag tag) {
    const Flit flit = table_.find(tag)->flit;
    return flit.packet_bits() != packet || flit.tail();
  });
}

/// Whether on all virtual channels that the first flit of a buffer may take there is space and no
/// other packet, and nothing has been sent by their outputs since a cycle.
bool RouterBoundary::can_leave(int port, int vc, Cycle idle_since) const {
  const Queue& queue = inputs_[index(port)].queues[index(vc)];
  const auto is_idle = [&](int output) {
    return outputs_[index(output)].attached && outputs_[index(output)].sent <= idle_since;
  };
  const FlitTable::Entry& entry = *table_.find(queue.tags.front());
  if (!entry.flit.head()) {
    const Path* path = path_of(queue, entry.flit.packet_bits());
    return path && is_idle(path->output) && has_space(path->output, path->vc);
  }
  if (!is_whole(queue)) return false;
  const auto is_free = [&](int output, std::uint64_t vcs) {
    bool free = is_idle(output);
    for_each_bit(vcs, [&](int wanted) {
      free = free && outputs_[index(output)].vcs[index(wanted)].holder < 0 &&
             has_all_space(output, wanted);
    });
    return free;
  };
  Route route;
  coder_.route(entry.flit, port, vc, route);
  for (const Candidate& candidate : route.candidates()) {
    if (!candidate.local()) {
      if (!is_free(candidate.port.value(), vcs_of(candidate))) return false;
      continue;
    }
    for (int local = 0; local < site_.local_ports(); ++local)
      if (!is_free(design_.network_ports + local, vcs_of(candidate))) return false;
  }
  return true;
}

}  // namespace flitwave
