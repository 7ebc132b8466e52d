// modules/collective_program.cpp: see collective_program.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/modules/collective_program.hpp"

#include <algorithm>
#include <string>

#include "flitwave/configs/error.hpp"

namespace flitwave {

CollectiveProgram::CollectiveProgram(NodeId node, int program, const Schedule& schedule,
                                     const PacketFormat& format, Payloads& payloads,
                                     TransferLog& log)
    : node_(node),
      program_(program),
      schedule_(schedule),
      format_(format),
      payloads_(payloads),
      log_(log) {
  for (int index : schedule.sends_of(node)) {
    const Transfer& transfer = schedule.transfer(index);
    messages_[transfer.copy_of < 0 ? index : transfer.copy_of].push_back(index);
    if (transfer.copy_of >= 0) continue;  // goes with its original
    missing_[index] = transfer.after.size();
    for (int before : transfer.after) waits_[before].push_back(index);
    for (int piece : transfer.pieces) own(piece);
    const Cycle release = schedule.release_of(transfer);
    if (release == 0) continue;
    ++missing_[index];
    releases_.push_back({release, index});
  }
  std::stable_sort(releases_.begin(), releases_.end(),
                   [](const Release& a, const Release& b) { return a.at < b.at; });
}

/// What the node has of a piece from the start, if it has any.
PieceHistory& CollectiveProgram::own(int piece) {
  const auto [place, is_new] = held_.try_emplace(piece);
  const auto& sources = schedule_.delivery_of(piece).sources;
  if (is_new && std::binary_search(sources.begin(), sources.end(), node_))
    place->second.add({0, -1, Use::keep, contribution(piece, node_)});
  return place->second;
}

void CollectiveProgram::start(ProcessorNode& node) {
  start_ = node.domain().now();
  for (const auto& [transfer, missing] : missing_)
    if (missing == 0) issue(node, transfer, start_);
  sleep(node);
}

void CollectiveProgram::sleep(ProcessorNode& node) {
  if (released_ < releases_.size()) node.wake(program_, start_ + releases_[released_].at);
}

void CollectiveProgram::woken(ProcessorNode& node) {
  const Cycle now = node.domain().now();
  for (; released_ < releases_.size() && start_ + releases_[released_].at == now; ++released_) {
    const int transfer = releases_[released_].transfer;
    if (--missing_[transfer] == 0) issue(node, transfer, now);
  }
  sleep(node);
}

// [received]
void CollectiveProgram::received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) {
  const int transfer = static_cast<int>(message.tag);
  take(transfer);
  log_.delivered(transfer, done);
  const auto waiting = waits_.find(transfer);
  if (waiting == waits_.end()) return;
  for (int next : waiting->second)
    if (--missing_[next] == 0) issue(node, next, done);
}
// [received]

void CollectiveProgram::take(int index) {
  const Transfer& transfer = schedule_.transfer(index);
  std::vector<Datum>& payload = payloads_[static_cast<std::size_t>(index)];
  for (std::size_t i = 0; i < transfer.pieces.size(); ++i)
    own(transfer.pieces[i]).add({transfer.step, index, transfer.use, payload.at(i)});
  std::vector<Datum>().swap(payload);
}

void CollectiveProgram::issue(ProcessorNode& node, int index, Cycle ready) {
  const Transfer& transfer = schedule_.transfer(index);
  OutgoingMessage outgoing;
  outgoing.destination = transfer.to;
  for (int copy : message_of(static_cast<std::uint64_t>(index))) {
    for (int piece : transfer.pieces)
      payloads_[static_cast<std::size_t>(copy)].push_back(
          held_[piece].sent_before(transfer.step, transfer.own));
    log_.ready(copy, ready);
    if (copy != index)
      outgoing.copies.push_back({schedule_.transfer(copy).to, static_cast<std::uint64_t>(copy)});
  }
  outgoing.packets = format_.packets(transfer.size, transfer.addresses);
  outgoing.program = program_;
  outgoing.tag = static_cast<std::uint64_t>(index);
  node.send(std::move(outgoing), ready);
}

void CollectiveProgram::check_results(const Topology& topology) const {
  for (const auto& [piece, history] : held_) {
    const PieceHistory& planned = schedule_.holders(piece).at(node_);
    if (history.result() != planned.result())
      throw ModelError("node " + topology.label(node_) + " ends with " +
                       std::to_string(history.result().contributions) +
                       " contributions to message " + std::to_string(piece) +
                       ", or with others, where the schedule gives it " +
                       std::to_string(planned.result().contributions));
  }
}

}  // namespace flitwave
