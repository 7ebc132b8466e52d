// routers/relay/relay_reports.cpp: the reports of a relay router about its message units.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "routers/relay/relay_router.hpp"

namespace flitwave {

std::vector<std::string> names_of(UnitState) { return {"wait", "input", "processing", "output"}; }

namespace {

/// How many of a message's first fields are kept in the data buffer of Lan's router. The buffer has
/// the source and the data, and the list too if the message is for more nodes than the Store has
/// rows.
/// `named`: destinations that the header lists. `list`: it is such a message. `source`: its header
/// ends with the source, not with a control vector.
/// Source: Lan 1988, sections 6.4.2 and 7.4; where a long list is stored is ours
std::int64_t fields_in_buffer(std::int64_t named, bool list, bool source, std::int64_t fields) {
  const std::int64_t before_list = 1;
  const std::int64_t addresses = std::clamp<std::int64_t>(fields - before_list, 0, named);
  const std::int64_t rest = std::max<std::int64_t>(fields - before_list - named, 0);
  return (list ? addresses : 0) + (source ? rest : std::max<std::int64_t>(rest - 1, 0));
}

}  // namespace

UnitSite RelayRouter::site_of(UnitPlace unit) const {
  return {node(), local(unit.input) ? -1 : dimension_of(unit.input), unit.number};
}

void RelayRouter::report_entry(const MessageUnit& unit, UnitState state, Cycle from) const {
  if (UnitProbe* probe = messages_.probe()) probe->entered({site_of(unit.place()), state, from});
}

/// Reports a unit that has just decided.
void RelayRouter::report_selections(const MessageUnit& unit,
                                    const CubeDecision<CubeHeader>& decision) const {
  UnitProbe* const probe = messages_.probe();
  if (!probe) return;
  report_entry(unit, UnitState::processing, now_);
  report_entry(unit, UnitState::output, unit.selected());
  // The last of them has ended when the state ends.
  Cycle cycle =
      unit.selected() - static_cast<Cycle>(decision.branches.size()) * settings_.selection.count;
  for (const CubeBranch<CubeHeader>& branch : decision.branches) {
    cycle += settings_.selection.count;
    UnitSelection selection{site_of(unit.place()), cycle, branch.dimension, {}};
    for (const CubeAddress destination : branch.message.destinations)
      selection.destinations.emplace_back(static_cast<int>(destination));
    probe->selected(selection);
  }
}

/// A field is in the data buffer from its last flit's arrival until each branch has begun to send
/// it. While dimensions are being selected, no field leaves.
/// Source: Lan 1988, section 6.4.2
std::int64_t RelayRouter::flits_held() const {
  std::int64_t held = 0;
  for (const InputGateway& gateway : inputs_)
    for (const MessageUnit& unit : gateway.units())
      if (unit.received() > 0 && !unit.is_truncated()) held += fields_held(unit);
  return held * messages_.format().field;
}

/// The same for a list that is in the buffer. A copy for the processor skips the list in the cycle
/// after the one in which it opens.
std::int64_t RelayRouter::fields_read(const MessageUnit& unit, const MessageBranch& branch,
                                      std::int64_t begun, bool opens) const {
  const std::int64_t named = unit.arriving().named();
  if (local(branch.output)) return opens ? 0 : named + begun;
  const bool source = messages_.format().header == HeaderFormat::source;
  return fields_in_buffer(named, true, source, begun);
}

std::int64_t RelayRouter::fields_held(const MessageUnit& unit) const {
  const RelayFormat& format = messages_.format();
  const bool list = !rules_.greedy(unit.header());
  const bool source = format.header == HeaderFormat::source;
  const std::int64_t written =
      fields_in_buffer(unit.arriving().named(), list, source, unit.received() / format.field);
  if (unit.state() == UnitState::input || now() < unit.selected()) return written;
  std::int64_t read = written;
  for (const MessageBranch& branch : unit.branches()) {
    if (branch.phase == MessageBranch::Phase::sent) continue;
    const std::int64_t begun = (branch.sent + format.field - 1) / format.field;
    const std::int64_t from_buffer =
        list ? fields_read(unit, branch, begun, now() == unit.selected())
             : std::max<std::int64_t>(begun - branch.own / format.field, 0);
    read = std::min(read, from_buffer);
  }
  return written - read;
}

}  // namespace flitwave
