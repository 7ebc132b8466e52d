// routers/relay/output_gateway.cpp: see output_gateway.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/output_gateway.hpp"

#include <algorithm>

#include "modules/signals/bits.hpp"

namespace flitwave {

OutputGateway::OutputGateway(OutputPort& port, const RelaySettings& settings, int buffers,
                             int inputs, int classes)
    : port_(port),
      settings_(settings),
      inputs_(inputs),
      classes_(classes),
      queues_(index(buffers)),
      turns_(settings.arbitration, std::max(1, buffers * inputs * classes)) {
  if (buffers > 0) words_ = &port.channel().words();
}

void OutputGateway::add(const BranchClaim& claim, int buffer_class) {
  queues_[index(buffer_class)].push_back(claim);
}

bool OutputGateway::remove(UnitPlace unit, int buffer_class) {
  std::deque<BranchClaim>& queue = queues_[index(buffer_class)];
  if (queue.size() == 1 && (requested_ >> buffer_class & 1) != 0) return false;
  queue.erase(std::find_if(queue.begin(), queue.end(),
                           [&](const BranchClaim& claim) { return claim.unit == unit; }));
  return true;
}

bool OutputGateway::has_waiting() const {
  return std::any_of(queues_.begin(), queues_.end(),
                     [](const auto& waiting) { return !waiting.empty(); });
}

/// Lists the branches that wait, except those of classes with a pending request.
void OutputGateway::read_claims() {
  claims_.clear();
  requests_.clear();
  for (std::size_t buffer_class = 0; buffer_class < queues_.size(); ++buffer_class) {
    if ((requested_ >> buffer_class & 1) != 0) continue;
    for (const BranchClaim& claim : queues_[buffer_class]) {
      claims_.push_back(claim);
      requests_.push_back({number_of(claim, static_cast<int>(buffer_class)), claim.opened, 0});
    }
  }
}

/// Units are numbered by the class that they request, their input, and their own class.
int OutputGateway::number_of(const BranchClaim& claim, int buffer_class) const {
  return (buffer_class * inputs_ + claim.unit.input) * classes_ + claim.unit.number;
}

bool OutputGateway::request() {
  if (settings_.grant == Grant::requested && requested_ != 0) return false;
  read_claims();
  if (claims_.empty()) return false;
  const std::size_t chosen = turns_.pick(requests_);
  turns_.served(requests_[chosen].index);
  const int buffer_class = requests_[chosen].index / (inputs_ * classes_);
  std::deque<BranchClaim>& queue = queues_[index(buffer_class)];
  const auto place = std::find_if(queue.begin(), queue.end(), [&](const BranchClaim& other) {
    return other.unit == claims_[chosen].unit;
  });
  std::rotate(queue.begin(), place, place + 1);
  requested_ |= word_bit(buffer_class);
  port_.request(buffer_class);
  return true;
}

const BranchClaim& OutputGateway::grant(Cycle handshake, Cycle now) {
  const int buffer_class = port_.acknowledged();
  if (index(buffer_class) >= queues_.size() || (requested_ >> buffer_class & 1) == 0)
    throw ModelError(port_.channel().name() + std::string(": an acknowledgement of class ") +
                     std::to_string(buffer_class) + " arrived, which was not requested");
  std::deque<BranchClaim>& queue = queues_[index(buffer_class)];
  requested_ &= ~word_bit(buffer_class);
  sender_ = queue.front();
  queue.pop_front();
  const bool at_once = now - sender_.opened <= handshake;
  held_ = settings_.switching == Relaying::virtual_cut_through && !at_once;
  return sender_;
}

const BranchClaim* OutputGateway::blocker(int buffer_class) const {
  const std::uint64_t others = requested_ & ~word_bit(buffer_class);
  if (settings_.grant == Grant::acknowledged || others == 0) return nullptr;
  return &queues_[index(lowest_of(others))].front();
}

void OutputGateway::clear() {
  for (std::deque<BranchClaim>& queue : queues_) queue.clear();
  requested_ = 0;
  release();
}

}  // namespace flitwave
