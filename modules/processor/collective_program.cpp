// modules/processor/collective_program.cpp: see collective_program.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/processor/collective_program.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "configs/error.hpp"
#include "modules/processor/step_barrier.hpp"

namespace flitwave {

CollectiveProgram::CollectiveProgram(NodeId node, int program, const Schedule& schedule,
                                     const PacketFormat& format, Payloads& payloads,
                                     TransferLog& log, const ProgramStart& start)
    : node_(node),
      program_(program),
      schedule_(schedule),
      format_(format),
      payloads_(payloads),
      log_(log),
      when_(start) {
  for (int index : schedule.sends_of(node)) {
    const Transfer& transfer = schedule.transfer(index);
    if (transfer.copy_of >= 0) {
      message(transfer.copy_of).copies.push_back(index);
      continue;
    }
    messages_.push_back({index, transfer.after.size() + (when_.delay > 0 ? 1 : 0), {}});
    for (int before : transfer.after) waits_.push_back({before, index});
    for (int piece : transfer.pieces) own(piece);
    if (when_.barrier && !when_.barrier->has_begun(schedule.stage_of(transfer), 0)) {
      ++messages_.back().missing;
      turns_.push_back({schedule.stage_of(transfer), index});
    }
    const Cycle release = schedule.release_of(transfer);
    if (release == 0) continue;
    ++messages_.back().missing;
    releases_.push_back({release, index});
  }
  std::stable_sort(waits_.begin(), waits_.end(),
                   [](const Wait& a, const Wait& b) { return a.transfer < b.transfer; });
  std::stable_sort(turns_.begin(), turns_.end(),
                   [](const Turn& a, const Turn& b) { return a.stage < b.stage; });
  std::stable_sort(releases_.begin(), releases_.end(),
                   [](const Release& a, const Release& b) { return a.at < b.at; });
}

CollectiveProgram::Message& CollectiveProgram::message(int transfer) {
  const auto found =
      std::lower_bound(messages_.begin(), messages_.end(), transfer,
                       [](const Message& m, int wanted) { return m.transfer < wanted; });
  if (found == messages_.end() || found->transfer != transfer)
    throw ModelError("node number " + std::to_string(node_.value()) + " does not send transfer " +
                     std::to_string(transfer));
  return *found;
}

/// The node's history of a piece, which begins with its own contribution if it has one.
PieceHistory& CollectiveProgram::own(int piece) {
  const auto [place, is_new] = held_.try_emplace(piece);
  const auto& sources = schedule_.delivery_of(piece).sources;
  if (is_new && std::binary_search(sources.begin(), sources.end(), node_))
    place->second.add({0, -1, Use::keep, contribution(piece, node_)});
  return place->second;
}

void CollectiveProgram::hold(std::function<void()> ended) {
  is_held_ = true;
  ended_ = std::move(ended);
  parts_ = messages_.size();
  for (const Transfer& transfer : schedule_.transfers()) parts_ += transfer.to == node_ ? 1 : 0;
  left_ = parts_;
  if (when_.delay == 0)
    for (Message& message : messages_) ++message.missing;
}

void CollectiveProgram::request(ProcessorNode& node) {
  start_ = node.domain().now();
  log_.part_begins(node_, start_);
  begin(node);
  sleep(node);
}

/// One of the events is over for which a held part waits.
void CollectiveProgram::count_down() {
  if (is_held_ && --left_ == 0) ended_();
}

void CollectiveProgram::start(ProcessorNode& node) {
  start_ = node.domain().now() + when_.delay;
  int last = 0;
  for (const Turn& turn : turns_)
    if (turn.stage != std::exchange(last, turn.stage)) when_.barrier->await(last, node, program_);
  if (is_held_) return;
  if (when_.delay > 0) return node.wake(program_, start_);
  begin(node);
  sleep(node);
}

/// Called in the cycle in which the node's part begins.
void CollectiveProgram::begin(ProcessorNode& node) {
  has_begun_ = true;
  for (Message& message : messages_) {
    if (when_.delay > 0 || is_held_) --message.missing;
    if (message.missing == 0) issue(node, message, start_);
  }
}

/// One of the conditions of a message is met.
void CollectiveProgram::pass(ProcessorNode& node, int message, Cycle ready) {
  Message& passed = this->message(message);
  if (--passed.missing == 0) issue(node, passed, ready);
}

void CollectiveProgram::sleep(ProcessorNode& node) {
  if (released_ < releases_.size()) node.wake(program_, start_ + releases_[released_].at);
}

void CollectiveProgram::woken(ProcessorNode& node) {
  const Cycle now = node.domain().now();
  if (!has_begun_ && !is_held_ && now >= start_) begin(node);
  if (when_.barrier) begin_stage(node);
  if (!has_begun_) return;
  for (; released_ < releases_.size() && start_ + releases_[released_].at == now; ++released_)
    pass(node, releases_[released_].message, now);
  sleep(node);
}

/// Calls `pass` for the messages whose stage has begun.
void CollectiveProgram::begin_stage(ProcessorNode& node) {
  const Cycle now = node.domain().now();
  for (; begun_ < turns_.size() && when_.barrier->has_begun(turns_[begun_].stage, now); ++begun_)
    pass(node, turns_[begun_].message, now);
}

// [received]
void CollectiveProgram::received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) {
  const int transfer = static_cast<int>(message.tag);
  take(transfer);
  log_.delivered(transfer, done);
  if (when_.barrier) when_.barrier->ended(transfer, node.domain().now());
  auto wait = std::lower_bound(waits_.begin(), waits_.end(), transfer,
                               [](const Wait& w, int ended) { return w.transfer < ended; });
  for (; wait != waits_.end() && wait->transfer == transfer; ++wait)
    pass(node, wait->message, done);
}
// [received]

void CollectiveProgram::take(int index) {
  const Transfer& transfer = schedule_.transfer(index);
  std::vector<Datum>& payload = payloads_[static_cast<std::size_t>(index)];
  for (std::size_t i = 0; i < transfer.pieces.size(); ++i)
    own(transfer.pieces[i]).add({transfer.step, index, transfer.use, payload.at(i)});
  std::vector<Datum>().swap(payload);
  count_down();
}

void CollectiveProgram::issue(ProcessorNode& node, const Message& message, Cycle ready) {
  const Transfer& transfer = schedule_.transfer(message.transfer);
  const auto tag = static_cast<std::uint64_t>(message.transfer);
  for_each_of(tag, [&](int made) {
    for (int piece : transfer.pieces)
      payloads_[static_cast<std::size_t>(made)].push_back(
          held_[piece].sent_before(transfer.step, transfer.own));
    log_.ready(made, ready);
  });
  OutgoingMessage outgoing;
  outgoing.destination = transfer.to;
  for (int copy : message.copies)
    outgoing.copies.push_back(
        {schedule_.transfer(copy).to, static_cast<std::uint64_t>(copy), copy});
  outgoing.packets = format_.packets(transfer.size, transfer.addresses);
  outgoing.program = program_;
  outgoing.part = JobPart::collective;
  outgoing.tag = tag;
  outgoing.serves = message.transfer;
  outgoing.direction = transfer.direction;
  outgoing.rank = {transfer.addresses, transfer.phase};
  node.send(std::move(outgoing), ready);
}

void CollectiveProgram::check_results(const Topology& topology) const {
  for (const auto& [piece, history] : held_) {
    const PieceHistory& planned = schedule_.holders(piece).at(node_);
    if (history.result() != planned.result())
      throw ModelError("node " + topology.label(node_) + " ends with " +
                       std::to_string(history.result().contributions) +
                       " contributions to message " + std::to_string(piece) +
                       ", or with other ones; the schedule gives it " +
                       std::to_string(planned.result().contributions));
  }
}

}  // namespace flitwave
