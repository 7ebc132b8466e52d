// testbenches/tests/tlm/platform.cpp: see platform.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/tlm/platform.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace flitwave::test {

namespace {

constexpr int side = 4;

std::string label(int node) { return fmt::format("{}_{}", node % side, node / side); }

}  // namespace

std::vector<std::uint64_t> blocks_everywhere(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> blocks;
  for (int node = 0; node < side * side; ++node)
    for (std::uint64_t i = 0; i < count; ++i)
      blocks.push_back(address_of(node % side, node / side) + 64 * (first + i));
  return blocks;
}

Platform::Platform(const Scenario& job, const std::vector<PlacedInitiator>& initiators,
                   std::int64_t wait, bool reversed)
    : network_("network", job) {
  std::vector<std::function<void()>> bindings;
  for (int node = 0; node < side * side; ++node)
    bindings.emplace_back([=] { bind_memory(node, wait); });
  initiators_.resize(initiators.size());
  for (std::size_t i = 0; i < initiators.size(); ++i)
    bindings.emplace_back([this, i, placed = initiators[i]] {
      initiators_[i] =
          std::make_unique<RandomInitiator>(fmt::format("initiator_{}", i).c_str(), placed.plan);
      bind_initiator(placed, *initiators_[i]);
    });
  if (reversed) std::reverse(bindings.begin(), bindings.end());
  for (const auto& bind : bindings) bind();
}

ProtocolChecker<>& Platform::add_checker(const std::string& name) {
  checkers_.push_back(std::make_unique<ProtocolChecker<>>(name.c_str()));
  checkers_.back()->set_handler(
      [this, name](const std::string& rule) { broken_.push_back(name + ": " + rule); });
  return *checkers_.back();
}

void Platform::bind_memory(int node, std::int64_t wait) {
  memories_.push_back(std::make_unique<Memory>(fmt::format("memory_{}", label(node)).c_str(), 65536,
                                               time_of(wait)));
  ProtocolChecker<>& checker = add_checker("before_memory_" + label(node));
  references_.push_back(std::make_unique<ReferenceMemory>(("reference_" + label(node)).c_str()));
  network_.tlm(label(node)).for_target().bind(checker.target_socket);
  checker.initiator_socket.bind(references_.back()->target_socket);
  references_.back()->initiator_socket.bind(memories_.back()->socket);
}

void Platform::bind_initiator(const PlacedInitiator& placed, RandomInitiator& initiator) {
  ProtocolChecker<>& checker =
      add_checker(fmt::format("behind_initiator_{}_{}", placed.node, placed.socket));
  initiator.socket.bind(checker.target_socket);
  checker.initiator_socket.bind(network_.tlm(placed.node).for_initiator(placed.socket));
}

std::int64_t Platform::loaded_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& initiator : initiators_) bytes += initiator->loaded_bytes();
  return bytes;
}

void Platform::run(std::int64_t most) {
  const auto done = [this] {
    return std::all_of(initiators_.begin(), initiators_.end(),
                       [](const auto& initiator) { return initiator->is_done(); });
  };
  constexpr std::int64_t part = 10'000'000;
  for (std::int64_t time = 0; time < most && !done() && !network_.has_ended(); time += part)
    sc_core::sc_start(time_of(part));
  if (!broken_.empty()) throw std::runtime_error(broken_.front());
  for (const auto& initiator : initiators_) {
    if (!initiator->is_done())
      throw std::runtime_error(
          fmt::format("{} has {} responses", initiator->name(), initiator->answered()));
    if (initiator->wrong_bytes() > 0)
      throw std::runtime_error(
          fmt::format("{} loaded {} wrong bytes", initiator->name(), initiator->wrong_bytes()));
  }
  std::int64_t compared = 0;
  for (const auto& reference : references_) {
    compared += reference->compared();
    if (reference->wrong() > 0 || reference->wrong_at_the_end() > 0)
      throw std::runtime_error(fmt::format("{}: {} wrong bytes were loaded, {} are in the memory",
                                           reference->name(), reference->wrong(),
                                           reference->wrong_at_the_end()));
  }
  if (compared == 0) throw std::runtime_error("nothing was loaded");
  for (const auto& checker : checkers_)
    if (checker->open() > 0)
      throw std::runtime_error(
          fmt::format("{}: {} transactions have not ended", checker->name(), checker->open()));
}

}  // namespace flitwave::test
