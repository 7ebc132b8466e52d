// testbenches/reference/networks/staged_routers.hpp: all routers with clocked stages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "configs/error.hpp"
#include "testbenches/reference/fingerprint.hpp"
#include "testbenches/reference/matching.hpp"
#include "testbenches/reference/message_vcs.hpp"
#include "testbenches/reference/packets.hpp"
#include "testbenches/reference/window.hpp"
#include "testbenches/reference/word.hpp"

namespace flitwave::reference {

/// Input-queued routers with pipeline stages; docs/timing.md, "Clocked stages" and "The router with
/// clocked stages, exactly". Queues are numbered as in routers.hpp.
template <class Links>
class StagedRouters {
 public:
  StagedRouters(const Params& params, const Wiring& wiring, Packets& packets, Links& links,
                Fingerprint& fingerprint, Window& window)
      : params_(params),
        wiring_(wiring),
        packets_(packets),
        links_(links),
        fingerprint_(fingerprint),
        window_(window),
        vcs_(params.vcs),
        queues_(wiring.nodes * wiring.ports * params.vcs, Queue()),
        route_until_(wiring.nodes, -1),
        vc_until_(wiring.nodes, -1),
        switch_until_(wiring.nodes, -1),
        grants_(wiring.nodes, Grants()),
        passages_(wiring.nodes, Passages()),
        vc_matchings_(params, "vc allocator", wiring.nodes, wiring.ports * vcs_,
                      wiring.ports * vcs_),
        switch_matchings_(params, "switch allocator", wiring.nodes, wiring.ports, wiring.ports),
        port_arbiters_(params, "vc choice", streams_of_ports(wiring), params.vcs) {
    class_vcs_ = Field<Mask>(params.routing->vc_classes(), 0);
    for (int vc = 0; vc < params.vcs; ++vc) {
      class_of_.push_back(params.routing->class_of_vc(vc, params.vcs));
      class_vcs_[class_of_[vc]] |= bit(vc);
    }
    local_vcs_ = vcs_of_messages(*params.routing, params.vcs);
  }

  /// One cycle of all routers.
  void tick(Cycle now) {
    now_ = now;
    for (router_ = 0; router_ < wiring_.nodes; ++router_) {
      first_end_ = wiring_.router_end(router_, 0);
      accept(links_.arrivals(router_));
      links_.collect(router_);
      route_stage();
      begin_vcs();
      begin_switch();
      end_vcs();
      end_switch();
      links_.choose(router_);
    }
  }

 private:
  struct Buffered {
    Word flit;
    Cycle arrived;
  };
  enum class Stage { idle, arrived, routing, routed, active };
  struct Queue {
    std::deque<Buffered> flits;
    Index tails = 0;
    Stage stage = Stage::idle;
    Cycle from = 0;  ///< Earliest cycle of the next stage.
    Route route;
    Index output = 0;     ///< Port, when active.
    Index output_vc = 0;  ///< When active.
  };
  struct Claim {
    Index queue;   // within the router
    Index output;  // port * vcs + vc
  };
  using Grants = std::vector<Claim>;
  struct Passage {
    Index queue;
    Index output;  // port
  };
  using Passages = std::vector<Passage>;
  struct Bid {
    Index vc;    // of the input
    Index rank;  // 1: speculative
  };

  Index count() const { return wiring_.ports * vcs_; }
  Queue& queue(Index number) { return queues_[router_ * count() + number]; }
  bool stores() const { return params_.switching == Switching::store_and_forward; }

  void accept(Mask ports) {
    for_each(ports, [this](Index port) {
      const Index end = first_end_ + port;
      const Word flit = links_.take(end);
      fingerprint_.crossed(wiring_.channel_of[end], packets_.key[packet_of(flit)], flit);
      Queue& in = queue(port * vcs_ + vc_of(flit));
      in.flits.push_back({flit, now_});
      if (static_cast<int>(in.flits.size()) > params_.depth)
        throw ModelError("reference: flit at a full buffer");
      in.tails += is_tail(flit) ? 1 : 0;
      if (in.stage == Stage::idle) start_packet(in, now_);
    });
  }

  void start_packet(Queue& in, Cycle from) {
    if (in.flits.empty() || (stores() && in.tails == 0)) return;
    if (!is_head(in.flits.front().flit)) throw ModelError("reference: a packet without its head");
    in.stage = params_.route == 0 ? Stage::routed : Stage::arrived;
    in.from = from;
  }

  void route_stage() {
    if (route_until_[router_] < now_) {
      for (Index number = 0; number < count(); ++number) {
        Queue& in = queue(number);
        if (in.stage != Stage::arrived || in.from > now_) continue;
        in.stage = Stage::routing;
        route_until_[router_] = now_ + params_.route - 1;
      }
    }
    if (route_until_[router_] != now_) return;
    for (Index number = 0; number < count(); ++number) {
      Queue& in = queue(number);
      if (in.stage != Stage::routing) continue;
      in.stage = Stage::routed;
      in.from = now_ + 1;
    }
  }

  void find_route(Queue& in, Index number) {
    const Index port = number / vcs_;
    Arrival arrival;
    if (port < wiring_.network_ports)
      arrival = {PortId(static_cast<int>(port)), class_of_[number % vcs_]};
    in.route.clear();
    params_.routing->route(NodeId(static_cast<int>(router_)), arrival,
                           packets_.header[packet_of(in.flits.front().flit)], in.route);
  }

  Cycle created(const Queue& in) const {
    return packets_.times[packet_of(in.flits.front().flit)].created;
  }

  /// Calls `visit(port, virtual channels, rank)` for the free virtual channels of a head's
  /// candidates. Escapes rank behind the others; local ports have all of their virtual channels.
  template <class Visit>
  void for_each_free(Queue& in, Index number, Visit visit) {
    find_route(in, number);
    for (const Candidate& candidate : in.route.candidates()) {
      const Index locals = candidate.local() ? wiring_.locals[router_] : 1;
      for (Index i = 0; i < locals; ++i) {
        const Index port =
            candidate.local() ? wiring_.network_ports + i : Index{candidate.port.value()};
        const Mask allowed = (candidate.local() ? local_vcs_ : class_vcs_)[candidate.vc_class];
        visit(port, with_room(links_.free_vcs(first_end_ + port) & allowed, in, number, port),
              candidate.escape ? 1 : 0);
      }
    }
  }

  Mask with_room(Mask vcs, const Queue& in, Index number, Index port) const {
    if (!moves_whole_packets(params_.switching)) return vcs;
    return links_.with_room(vcs, first_end_ + number / vcs_, first_end_ + port,
                            packets_.length[packet_of(in.flits.front().flit)]);
  }

  void add_vc_wishes(Index number, std::vector<Wish>& wishes) {
    Queue& in = queue(number);
    for_each_free(in, number, [&](Index port, Mask vcs, Index rank) {
      for_each(vcs, [&](Index vc) {
        wishes.push_back({number, port * vcs_ + vc, rank, in.from, created(in)});
      });
    });
  }

  /// All waiting heads enter the stage, whether or not a virtual channel is free.
  void begin_vcs() {
    if (vc_until_[router_] >= now_) return;
    std::vector<Wish> wishes;
    for (Index number = 0; number < count(); ++number) {
      Queue& in = queue(number);
      if (in.stage != Stage::routed || in.from > now_) continue;
      vc_until_[router_] = now_ + params_.vc - 1;
      add_vc_wishes(number, wishes);
    }
    const std::vector<bool> granted = vc_matchings_.match(router_, wishes);
    for (std::size_t i = 0; i < wishes.size(); ++i)
      if (granted[i]) grants_[router_].push_back({wishes[i].input, wishes[i].output});
  }

  void end_vcs() {
    if (vc_until_[router_] != now_) return;
    for (const Claim& claim : grants_[router_]) {
      Queue& in = queue(claim.queue);
      const Mask given = bit(claim.output % vcs_);
      if (with_room(given, in, claim.queue, claim.output / vcs_) == 0) continue;
      note_wait(in, in.from + params_.vc - 1);
      in.stage = Stage::active;
      in.from = now_ + 1;
      in.output = claim.output / vcs_;
      in.output_vc = claim.output % vcs_;
      links_.claim(first_end_ + in.output, in.output_vc);
    }
    grants_[router_].clear();
  }

  /// All waiting flits enter the stage, whether or not they have credits.
  void begin_switch() {
    if (switch_until_[router_] >= now_) return;
    std::vector<Wish> wishes;
    std::vector<Passage> passages;  // per request
    for (Index port = 0; port < wiring_.ports; ++port) add_bids(port, wishes, passages);
    const std::vector<bool> granted = switch_matchings_.match(router_, wishes);
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      if (!granted[i]) continue;
      passages_[router_].push_back(passages[i]);
      port_arbiters_.served(first_end_ + wishes[i].input, passages[i].queue % vcs_);
    }
  }

  /// The requests of an input's queues. Of several queues with the same output, one requests it:
  /// one with a virtual channel, if there is any.
  void add_bids(Index port, std::vector<Wish>& wishes, std::vector<Passage>& passages) {
    std::vector<std::vector<Bid>> bids(static_cast<std::size_t>(wiring_.ports));
    for (Index vc = 0; vc < vcs_; ++vc) add_bids_of(port * vcs_ + vc, bids);
    for (Index output = 0; output < wiring_.ports; ++output) {
      std::vector<Bid>& of_output = bids[static_cast<std::size_t>(output)];
      if (of_output.empty()) continue;
      const bool is_certain =
          std::any_of(of_output.begin(), of_output.end(), [](auto& bid) { return !bid.rank; });
      std::vector<Request> requests;
      for (const Bid& bid : of_output) {
        if (is_certain && bid.rank > 0) continue;
        const Queue& in = queue(port * vcs_ + bid.vc);
        requests.push_back({bid.vc, in.flits.front().arrived, created(in)});
      }
      const std::size_t chosen =
          requests.size() == 1 ? 0 : port_arbiters_.pick(first_end_ + port, requests);
      wishes.push_back(
          {port, output, is_certain ? 0 : 1, requests[chosen].since, requests[chosen].created});
      passages.push_back({port * vcs_ + requests[chosen].number, output});
    }
  }

  void add_bids_of(Index number, std::vector<std::vector<Bid>>& bids) {
    Queue& in = queue(number);
    if (in.flits.empty()) return;
    if (in.stage == Stage::active && in.from <= now_) {
      switch_until_[router_] = now_ + params_.passage - 1;
      if (links_.can_send(first_end_ + in.output, in.output_vc))
        bids[static_cast<std::size_t>(in.output)].push_back({number % vcs_, 0});
    }
    if (!params_.speculative || in.stage != Stage::routed || in.from > now_) return;
    if (vc_until_[router_] > now_ + params_.passage - 1) return;  // it would be lost
    switch_until_[router_] = now_ + params_.passage - 1;
    for_each_free(in, number, [&](Index port, Mask vcs, Index) {
      bool has_credit = false;
      for_each(vcs, [&](Index vc) {
        has_credit = has_credit || links_.can_send(first_end_ + port, vc);
      });
      std::vector<Bid>& of_output = bids[static_cast<std::size_t>(port)];
      if (has_credit && (of_output.empty() || of_output.back().vc != number % vcs_))
        of_output.push_back({number % vcs_, 1});
    });
  }

  void end_switch() {
    if (switch_until_[router_] != now_) return;
    for (const Passage& passage : passages_[router_]) {
      const Queue& in = queue(passage.queue);
      if (in.stage == Stage::active && in.output == passage.output &&
          links_.can_send(first_end_ + in.output, in.output_vc))
        cross(passage.queue);
    }
    passages_[router_].clear();
  }

  void cross(Index number) {
    Queue& in = queue(number);
    const Word flit = in.flits.front().flit;
    if (is_head(flit)) note_wait(in, in.from - 1 + passage_after_vc());
    in.flits.pop_front();
    links_.freed(first_end_ + number / vcs_, number % vcs_);
    links_.send(first_end_ + in.output, with_vc(flit, in.output_vc), in.output_vc, true);
    if (!is_tail(flit)) return;
    --in.tails;
    in.stage = Stage::idle;
    start_packet(in, now_ + 1);
  }

  /// Least time from the cycle in which a head gets its virtual channel to that in which it passes
  /// the switch.
  Cycle passage_after_vc() const {
    return params_.speculative ? std::max(params_.passage - params_.vc, 0) : params_.passage;
  }

  void note_wait(const Queue& in, Cycle since) {
    if (now_ > since) window_.add_blocked(created(in), now_ - since);
  }

  const Params& params_;
  const Wiring& wiring_;
  Packets& packets_;
  Links& links_;
  Fingerprint& fingerprint_;
  Window& window_;
  Index vcs_;
  Cycle now_ = 0;
  Index router_ = 0;     // current
  Index first_end_ = 0;  // of the current router
  Field<Queue> queues_;  // Shape: [routers][ports][vcs]
  // Per router: the last cycle in which a stage is busy, and its decisions.
  Field<Cycle> route_until_;
  Field<Cycle> vc_until_;
  Field<Cycle> switch_until_;
  Field<Grants> grants_;
  Field<Passages> passages_;
  Matchings vc_matchings_;      // of queues with output virtual channels
  Matchings switch_matchings_;  // of input with output ports
  Arbiters port_arbiters_;      // per input end: the queue that requests an output
  Field<int> class_of_;         // per virtual channel
  Field<Mask> class_vcs_;       // per class
  Field<Mask> local_vcs_;       // per message class, towards interfaces
};

}  // namespace flitwave::reference
