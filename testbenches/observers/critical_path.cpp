// testbenches/observers/critical_path.cpp: see critical_path.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/critical_path.hpp"

#include <algorithm>

#include "configs/error.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

namespace {

using After = OverheadStart::After;
using Until = CriticalLink::Until;

/// Follows the path backwards. `now_` is the cycle that it has reached.
class Tracer {
 public:
  Tracer(const Schedule& schedule, const TransferTimes& times,
         const std::vector<TransferTravel>& travels)
      : schedule_(schedule), times_(times), travels_(travels) {}

  std::vector<CriticalLink> trace();

 private:
  /// The continuation of the path, back from `now_`; transfer -1: it is complete.
  struct Next {
    int transfer = -1;
    Until until = Until::received;
  };

  Next follow(CriticalLink& link);
  bool follow_receive(CriticalLink& link, Next& next);
  bool follow_network(CriticalLink& link, Next& next);
  Next follow_send(CriticalLink& link);
  bool waits_for_transfer(const OverheadStart& start, CriticalLink& link);
  Next after(const OverheadStart& start, int transfer) const;
  int sender_before(int transfer) const;
  Cycle end_of(const Next& next) const;
  void go_back_to(Cycle cycle, int transfer);

  const Schedule& schedule_;
  const TransferTimes& times_;
  const std::vector<TransferTravel>& travels_;
  Cycle now_ = 0;
};

std::vector<CriticalLink> Tracer::trace() {
  Next next{0, Until::received};
  for (int i = 1; i < static_cast<int>(travels_.size()); ++i)
    if (times_.done_at(index(i)) > times_.done_at(index(next.transfer))) next.transfer = i;
  std::vector<CriticalLink> path;
  now_ = end_of(next);
  while (next.transfer >= 0) {
    CriticalLink link;
    link.transfer = next.transfer;
    link.until = next.until;
    link.end = now_ - TransferTimes::start;
    next = follow(link);
    link.begin = now_ - TransferTimes::start;
    const Cycle sum =
        link.send_overhead + link.receive_overhead + link.node_busy + link.network.total();
    if (sum != link.end - link.begin || (next.transfer >= 0 && end_of(next) != now_))
      throw ModelError("critical path: the stretch of transfer " + std::to_string(link.transfer) +
                       " from cycle " + std::to_string(link.begin) + " to " +
                       std::to_string(link.end) +
                       " does not consist of its parts, or does not "
                       "adjoin the stretch before");
    path.push_back(std::move(link));
    if (path.size() > 3 * travels_.size()) throw ModelError("critical path: it has no beginning");
  }
  const Transfer& first = schedule_.transfer(path.back().transfer);
  const Cycle release = schedule_.release_of(first);
  const Cycle begin = times_.begin_of(first.from);
  if (now_ != begin + release)
    throw ModelError("critical path: it begins " + std::to_string(now_ - begin) +
                     " cycles after the program, and its data are released after " +
                     std::to_string(release));
  std::reverse(path.begin(), path.end());
  return path;
}

Tracer::Next Tracer::follow(CriticalLink& link) {
  Next next;
  if (link.until == Until::received && follow_receive(link, next)) return next;
  if (link.until != Until::handed_over && follow_network(link, next)) return next;
  return follow_send(link);
}

/// Returns: whether the path continues with another transfer here.
bool Tracer::follow_receive(CriticalLink& link, Next& next) {
  const OverheadStart& start = times_.receive_of(index(link.transfer));
  link.receives = true;
  link.receive_overhead = now_ - start.at;
  go_back_to(start.at, link.transfer);
  if (!waits_for_transfer(start, link)) return false;
  next = after(start, link.transfer);
  return true;
}

/// Returns: whether the path continues with another transfer here.
bool Tracer::follow_network(CriticalLink& link, Next& next) {
  const TransferTravel& travel = travels_[index(link.transfer)];
  if (link.until == Until::sent) {
    link.network = travel.sent.parts;
    link.network.take_back(Part::injection, travel.sent.at - now_);
  } else {
    link.network = travel.delivered.parts;
    link.network.wait(Part::ejection, now_ - travel.delivered.at, travel.ejection);
  }
  next.transfer = sender_before(link.transfer);
  const bool waited = next.transfer >= 0;
  if (waited) link.network.skip_queue(travel.started - travel.created);
  next.until = Until::sent;
  go_back_to(waited ? travel.started : travel.created, link.transfer);
  return waited;
}

Tracer::Next Tracer::follow_send(CriticalLink& link) {
  const OverheadStart& start = times_.send_of(index(link.transfer));
  link.sends = true;
  link.send_overhead = now_ - start.at;
  go_back_to(start.at, link.transfer);
  if (waits_for_transfer(start, link)) return after(start, link.transfer);
  Next last;  // none: the node waited for its own data or not at all
  const Transfer& transfer = schedule_.transfer(link.transfer);
  for (int before : transfer.after)
    if (last.transfer < 0 || times_.done_at(index(before)) > times_.done_at(index(last.transfer)))
      last.transfer = before;
  const bool released_later =
      last.transfer >= 0 && times_.done_at(index(last.transfer)) < schedule_.release_of(transfer);
  return released_later ? Next{} : last;
}

/// Whether an overhead waited for a transfer last. Waits for messages outside the collective are
/// counted and skipped.
bool Tracer::waits_for_transfer(const OverheadStart& start, CriticalLink& link) {
  if (start.after == After::ready) return false;
  if (start.program == TransferTimes::program) return true;
  link.node_busy += start.at - start.ready;
  go_back_to(start.ready, link.transfer);
  return false;
}

Tracer::Next Tracer::after(const OverheadStart& start, int transfer) const {
  if (start.tag >= travels_.size() || static_cast<int>(start.tag) == transfer)
    throw ModelError("critical path: transfer " + std::to_string(transfer) +
                     " waited for something that is no other transfer");
  const Until until = start.after == After::receive ? Until::received
                      : start.after == After::send  ? Until::handed_over
                                                    : Until::sent;
  return {static_cast<int>(start.tag), until};
}

/// The transfer whose last flit freed a position in the interface's queue for one that waited, or
/// -1.
int Tracer::sender_before(int transfer) const {
  const TransferTravel& travel = travels_[index(transfer)];
  if (travel.started == travel.created + 1) return -1;
  for (std::size_t i = 0; i < travels_.size(); ++i)
    if (static_cast<int>(i) != transfer && times_.sent_at(i) == travel.started &&
        schedule_.transfers()[i].from == schedule_.transfers()[index(transfer)].from)
      return static_cast<int>(i);
  return -1;
}

/// The end of a send overhead is known only from the transfer that waited for it.
Cycle Tracer::end_of(const Next& next) const {
  switch (next.until) {
    case Until::received:
      return times_.done_at(index(next.transfer)) + TransferTimes::start;
    case Until::sent:
      return times_.sent_at(index(next.transfer));
    case Until::handed_over:
      break;
  }
  return now_;
}

void Tracer::go_back_to(Cycle cycle, int transfer) {
  if (cycle < TransferTimes::start || cycle > now_)
    throw ModelError("critical path: transfer " + std::to_string(transfer) + " waited for cycle " +
                     std::to_string(cycle) + ", from cycle " + std::to_string(now_) + " on");
  now_ = cycle;
}

}  // namespace

std::vector<std::string> names_of(CriticalLink::Until) {
  return {"received", "sent", "handed_over"};
}

std::vector<CriticalLink> critical_path(const Schedule& schedule, const TransferTimes& times,
                                        const std::vector<TransferTravel>& travels) {
  return Tracer(schedule, times, travels).trace();
}

}  // namespace flitwave
