// testbenches/observers/message_model.hpp: the unrounded latency of a message without contention.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// The closed form of a message without contention: send overhead, network, receive overhead.
///
/// Overheads are taken as they were written; the simulation rounds each to whole cycles, once per
/// send and once per receive.
class MessageModel {
 public:
  /// Both outlive it.
  MessageModel(const Job& job, const Plan& plan) : job_(job), plan_(plan) {}

  /// None where there is no closed form: routers without one, messages of several packets,
  /// circuits. Unit: us
  std::optional<double> alone(const Transfer& transfer) const;
  /// Rounded minus written overheads of one send and one receive. Unit: us
  double rounding() const;

 private:
  int hops(const Transfer& transfer) const;

  const Job& job_;
  const Plan& plan_;
};

}  // namespace flitwave
