// algorithms/schedule.cpp: transfers in order, each after its sender has the data.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

namespace {

[[noreturn]] void reject(const Transfer& transfer, int piece, const char* fault) {
  throw ModelError(fmt::format("transfer of message {} from node {} to node {} in step {}: {}",
                               piece, transfer.from.value(), transfer.to.value(), transfer.step,
                               fault));
}

Transfer transfer_of(Pieces pieces, NodeId from, NodeId to, int step, Use use) {
  Transfer transfer;
  transfer.from = from;
  transfer.to = to;
  transfer.step = step;
  transfer.pieces = std::move(pieces);
  transfer.use = use;
  return transfer;
}

}  // namespace

std::vector<std::string> names_of(Pace) { return {"dataflow", "stepped", "phased"}; }

Schedule::Schedule(Demand demand, Pace pace) : demand_(std::move(demand)), pace_(pace) {
  cut(std::vector<int>(demand_.deliveries.size(), 1));
}

void Schedule::split(int delivery, int parts) {
  if (!transfers_.empty()) throw ModelError("a delivery can be cut only before the first send");
  if (parts < 1) throw ModelError("a delivery has at least one part");
  std::vector<int> counts;
  for (std::size_t i = 0; i < first_piece_.size(); ++i) {
    const bool last = i + 1 == first_piece_.size();
    const int end = last ? static_cast<int>(pieces_.size()) : first_piece_[i + 1];
    counts.push_back(end - first_piece_[i]);
  }
  counts.at(index(delivery)) = parts;
  cut(counts);
}

void Schedule::keep_remarks(const Schedule& other) {
  contention_free_under_ = other.contention_free_under_;
  allows_strangers_ = other.allows_strangers_;
  formula_ = other.formula_;
  remark_ = other.remark_;
  details_ = other.details_;
  partition_ = other.partition_;
  directions_ = other.directions_;
  lengths_ = other.lengths_;
}

void Schedule::cut(const std::vector<int>& parts) {
  pieces_.clear();
  first_piece_.clear();
  holders_.clear();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Delivery& delivery = demand_.deliveries[i];
    first_piece_.push_back(static_cast<int>(pieces_.size()));
    for (int part = 0; part < parts[i]; ++part) {
      const int piece = static_cast<int>(pieces_.size());
      const std::int64_t rest = delivery.size.count % parts[i];
      pieces_.push_back(
          {static_cast<int>(i), Bytes{delivery.size.count / parts[i] + (part < rest ? 1 : 0)}});
      holders_.emplace_back();
      for (NodeId source : delivery.sources)
        holders_.back().add(source).add({0, -1, Use::keep, contribution(piece, source)});
    }
  }
}

void Schedule::send(int piece, NodeId from, NodeId to, int step, int addresses) {
  send(Pieces{piece}, from, to, step).addresses = addresses;
}

Transfer& Schedule::send(Pieces pieces, NodeId from, NodeId to, int step, Use use) {
  return append(transfer_of(std::move(pieces), from, to, step, use));
}

Transfer& Schedule::send_received(Pieces pieces, NodeId from, NodeId to, int step, Use use) {
  Transfer transfer = transfer_of(std::move(pieces), from, to, step, use);
  transfer.own = false;
  return append(std::move(transfer));
}

Transfer& Schedule::append(Transfer transfer) {
  check(transfer);
  for (int piece : transfer.pieces) carry(transfer, piece);
  std::sort(transfer.after.begin(), transfer.after.end());
  transfer.after.erase(std::unique(transfer.after.begin(), transfer.after.end()),
                       transfer.after.end());
  steps_ = std::max(steps_, transfer.step);
  if (sends_.size() <= transfer.from.index()) sends_.resize(transfer.from.index() + 1);
  sends_[transfer.from.index()].push_back(static_cast<int>(transfers_.size()));
  transfers_.push_back(std::move(transfer));
  return transfers_.back();
}

void Schedule::send_to_all(const Pieces& pieces, NodeId from, const std::vector<NodeId>& to,
                           int step) {
  if (to.empty()) throw ModelError("a message without receivers");
  const int first = static_cast<int>(transfers_.size());
  for (NodeId receiver : to) send(pieces, from, receiver, step);
  for (std::size_t i = 1; i < to.size(); ++i) transfers_[index(first) + i].copy_of = first;
}

void Schedule::send_along(const Pieces& pieces, NodeId from, const std::vector<NodeId>& stops,
                          int step, std::optional<Direction> direction) {
  if (stops.empty()) throw ModelError("a message without receivers");
  const int first = static_cast<int>(transfers_.size());
  const int count = static_cast<int>(stops.size());
  send_to_all(pieces, from, {stops.back()}, step);
  for (int i = 0; i + 1 < count; ++i) {
    Transfer& copy = send(pieces, from, stops[index(i)], step);
    copy.copy_of = first;
    if (i > 0) copy.follows = first + i;
  }
  for (int i = 0; i < count; ++i) {
    Transfer& transfer = transfers_[index(first + i)];
    transfer.addresses = count;
    transfer.direction = direction;
  }
  if (count > 1) transfers_[index(first)].follows = first + count - 1;
}

int Schedule::stages() const {
  int last = 0;
  for (const Transfer& transfer : transfers_) last = std::max(last, stage_of(transfer));
  return last;
}

int Schedule::receivers_of(int number) const {
  if (transfer(number).copy_of >= 0) return 0;
  int end = number + 1;
  while (end < static_cast<int>(transfers_.size()) && transfer(end).copy_of == number) ++end;
  return end - number;
}

bool Schedule::copies_on_way() const {
  return std::any_of(transfers_.begin(), transfers_.end(),
                     [](const Transfer& transfer) { return transfer.follows >= 0; });
}

bool Schedule::copies() const {
  return std::any_of(transfers_.begin(), transfers_.end(),
                     [](const Transfer& transfer) { return transfer.copy_of >= 0; });
}

void Schedule::wait_for(int receipt) {
  if (transfers_.empty()) throw ModelError("there is no transfer that could wait");
  Transfer& waiting = transfers_.back();
  const bool known = receipt >= 0 && receipt + 1 < static_cast<int>(transfers_.size());
  if (!known || transfer(receipt).to != waiting.from || transfer(receipt).step >= waiting.step)
    reject(waiting, waiting.pieces.front(),
           "it waits for a transfer that its sender does not receive before");
  const auto place = std::lower_bound(waiting.after.begin(), waiting.after.end(), receipt);
  if (place == waiting.after.end() || *place != receipt) waiting.after.insert(place, receipt);
}

std::string Schedule::name_of(int piece) const {
  const int delivery = pieces_[index(piece)].delivery;
  const int part = piece - this->piece(delivery, 0);
  const auto next = index(piece) + 1;
  const bool whole = part == 0 && (next == pieces_.size() || pieces_[next].delivery != delivery);
  return whole ? std::to_string(delivery) : fmt::format("{}.{}", delivery, part);
}

std::string Schedule::name_of(const Transfer& transfer) const {
  const Pieces& pieces = transfer.pieces;
  if (pieces.size() > 3)
    return fmt::format("{} .. {}, {} in all", name_of(pieces.front()), name_of(pieces.back()),
                       pieces.size());
  std::string names;
  for (int piece : pieces) names += (names.empty() ? "" : " ") + name_of(piece);
  return names;
}

const std::vector<int>& Schedule::sends_of(NodeId node) const {
  static const std::vector<int> none;
  return node.index() < sends_.size() ? sends_[node.index()] : none;
}

std::pair<int, int> Schedule::step_of(const Transfer& transfer) const {
  const int piece = transfer.pieces.front();
  const bool alone = delivery_of(piece).release.has_value();
  return {transfer.step, alone ? pieces_[index(piece)].delivery : -1};
}

Cycle Schedule::release_of(const Transfer& transfer) const {
  Cycle latest = 0;
  if (!transfer.own) return latest;
  for (int piece : transfer.pieces) {
    const Delivery& delivery = delivery_of(piece);
    if (delivery.release &&
        std::binary_search(delivery.sources.begin(), delivery.sources.end(), transfer.from))
      latest = std::max(latest, *delivery.release);
  }
  return latest;
}

void Schedule::check(const Transfer& transfer) const {
  if (transfer.pieces.empty()) reject(transfer, -1, "it carries nothing");
  Pieces sorted = transfer.pieces;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) reject(transfer, *twice, "it is named twice");
  for (int piece : transfer.pieces) {
    if (piece < 0 || index(piece) >= pieces_.size())
      reject(transfer, piece, "the demand has no such message");
    if (transfer.step < 1) reject(transfer, piece, "steps count from 1");
    if (transfer.from == transfer.to) reject(transfer, piece, "the receiver is the sender");
    const PieceHistory* sender = holders(piece).find(transfer.from);
    if (!sender || sender->sent_before(transfer.step, transfer.own).empty())
      reject(transfer, piece, "the sender does not have it before");
    check_receiver(transfer, piece);
  }
}

void Schedule::check_receiver(const Transfer& transfer, int piece) const {
  const bool combines = delivery_of(piece).combines();
  if (!combines && !replaces(transfer.use))
    reject(transfer, piece, "there is one source and nothing to combine");
  const PieceHistory* receiver = holders(piece).find(transfer.to);
  if (!receiver) return;
  if (transfer.use == Use::repeat) return;
  if (!combines) reject(transfer, piece, "the receiver has it already");
  if (receiver->last_sent() > transfer.step)
    reject(transfer, piece, "the receiver has forwarded it in a later step");
  for (const PieceHistory::Receipt& had : receiver->receipts())
    if (had.step == transfer.step && (replaces(had.use) || transfer.use == Use::keep))
      reject(transfer, piece, "the receiver receives it from another node in the same step");
}

void Schedule::carry(Transfer& transfer, int piece) {
  PieceHolders& holders = holders_[index(piece)];
  PieceHistory& sender = holders.add(transfer.from);
  const Datum datum = sender.sent_before(transfer.step, transfer.own);
  std::vector<int> after;
  for (const PieceHistory::Receipt& receipt : sender.receipts()) {
    if (receipt.step >= transfer.step) break;
    if (replaces(receipt.use)) after.clear();
    if (receipt.transfer >= 0) after.push_back(receipt.transfer);
  }
  transfer.after.insert(transfer.after.end(), after.begin(), after.end());
  sender.sent_in(transfer.step);
  const Bytes size = pieces_[index(piece)].size;
  transfer.size.count += size.count;
  PieceHistory& receiver = holders.add(transfer.to);
  if (!replaces(transfer.use) && !receiver.receipts().empty())
    transfer.combined.count += size.count;
  receiver.add({transfer.step, static_cast<int>(transfers_.size()), transfer.use, datum});
}

std::set<std::pair<std::int64_t, int>> sizes_sent(const Schedule& schedule) {
  std::set<std::pair<std::int64_t, int>> sizes;
  for (const Transfer& transfer : schedule.transfers())
    sizes.emplace(transfer.size.count, transfer.addresses);
  return sizes;
}

std::vector<Direction> directions_of(const Schedule& schedule) {
  std::set<Direction> directions(schedule.directions().begin(), schedule.directions().end());
  for (const Transfer& transfer : schedule.transfers())
    if (transfer.direction) directions.insert(*transfer.direction);
  return {directions.begin(), directions.end()};
}

}  // namespace flitwave
