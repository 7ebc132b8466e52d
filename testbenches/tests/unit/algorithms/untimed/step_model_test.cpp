// testbenches/tests/unit/algorithms/untimed/step_model_test.cpp: messages that hold channels for
// whole steps.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/step_model.hpp"

#include <algorithm>
#include <cmath>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace step_model_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// A mesh whose messages are routed along rows first; node [column, row].
struct Mesh {
  Mesh(int columns, int rows)
      : network(mesh({columns, rows})), by(routing("dimension_order", network)) {}

  NodeId node(int row, int column) const { return network.grid()->node({column, row}); }
  StepMessage message(NodeId from, NodeId to, int duration = 1) const {
    return {from, path(*by, network, {from, to, 0}), duration, {}};
  }
  StepModel model(std::vector<StepMessage> messages) const {
    return {std::move(messages), network.nodes(), network.channels()};
  }

  Topology network;
  std::unique_ptr<RoutingFunction> by;
};

void as_numbered(std::vector<int>&) {}

/// Steps of many runs, each with its own random orders.
std::vector<int> random_runs(const StepModel& model, int draws) {
  std::vector<int> steps;
  for (int draw = 0; draw < draws; ++draw) {
    Random random(1, "step_model_test", static_cast<std::uint64_t>(draw));
    steps.push_back(model
                        .run([&](std::vector<int>& waiting) {
                          for (std::size_t i = waiting.size(); i > 1; --i)
                            std::swap(waiting[i - 1], waiting[random.below(i)]);
                        })
                        .steps);
  }
  return steps;
}

double mean(const std::vector<int>& values) {
  double sum = 0;
  for (int value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double deviation(const std::vector<int>& values) {
  double squares = 0;
  for (int value : values) squares += (value - mean(values)) * (value - mean(values));
  return std::sqrt(squares / static_cast<double>(values.size()));
}

/// Each of n x n nodes sends to the node shifted by the given rows and columns.
StepModel shift(int n, int offset) {
  const Mesh mesh(n + offset, n + offset);
  std::vector<StepMessage> messages;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column)
      messages.push_back(
          mesh.message(mesh.node(row, column), mesh.node(row + offset, column + offset)));
  return mesh.model(std::move(messages));
}

}  // namespace

TEST_CASE("O24: in a chain of blocked messages each waits for the message before it",
          "[paper][eberhart_1996][eberhart_1996-O24]") {
  const Mesh mesh(6, 3);
  // Message 1 holds the channel that 2 needs, 2 then holds the channel that 3 needs; 4 crosses and
  // shares no channel.
  const StepModel model = mesh.model({mesh.message(mesh.node(0, 3), mesh.node(0, 5)),
                                      mesh.message(mesh.node(0, 2), mesh.node(0, 4)),
                                      mesh.message(mesh.node(0, 1), mesh.node(0, 3)),
                                      mesh.message(mesh.node(1, 0), mesh.node(1, 5))});

  const StepRun run = model.run(as_numbered);

  CHECK(run.begins == std::vector<int>{1, 2, 3, 1});
  CHECK(run.steps == 3);
}

TEST_CASE("a blocked message keeps the channels that it holds", "[step_model]") {
  const Mesh mesh(5, 1);
  const StepModel model = mesh.model({mesh.message(mesh.node(0, 2), mesh.node(0, 4), 3),
                                      mesh.message(mesh.node(0, 0), mesh.node(0, 3)),
                                      mesh.message(mesh.node(0, 1), mesh.node(0, 2))});

  const StepRun run = model.run(as_numbered);

  // The second holds the first two channels until the first message's three steps are over.
  CHECK(run.begins == std::vector<int>{1, 4, 5});
}

TEST_CASE("steps in which nothing changes cost nothing", "[step_model]") {
  constexpr int duration = 500'000'000;
  const Mesh mesh(4, 1);
  const StepModel model = mesh.model({mesh.message(mesh.node(0, 0), mesh.node(0, 2), duration),
                                      mesh.message(mesh.node(0, 1), mesh.node(0, 3), duration)});
  int served = 0;

  const StepRun run = model.run([&](std::vector<int>&) { ++served; });

  CHECK(run.begins == std::vector<int>{1, duration + 1});
  CHECK(run.steps == 2 * duration);
  CHECK(served <= 4);
}

TEST_CASE("O30: messages along a row and along a column that cross do not wait",
          "[paper][eberhart_1996][eberhart_1996-O30]") {
  const Mesh mesh(3, 3);
  const StepModel model = mesh.model({mesh.message(mesh.node(1, 0), mesh.node(1, 2)),
                                      mesh.message(mesh.node(0, 1), mesh.node(2, 1))});

  CHECK(model.run(as_numbered).begins == std::vector<int>{1, 1});
}

TEST_CASE("a node injects one message at a time, in order", "[step_model]") {
  const Mesh mesh(3, 3);
  const NodeId middle = mesh.node(1, 1);
  const StepModel model =
      mesh.model({mesh.message(middle, mesh.node(1, 2), 2), mesh.message(middle, mesh.node(0, 1)),
                  mesh.message(middle, mesh.node(2, 1))});

  CHECK(model.run(as_numbered).begins == std::vector<int>{1, 3, 4});
}

TEST_CASE("a message starts after the messages that it depends on", "[step_model]") {
  const Mesh mesh(4, 1);
  std::vector<StepMessage> messages = {mesh.message(mesh.node(0, 0), mesh.node(0, 1), 5),
                                       mesh.message(mesh.node(0, 1), mesh.node(0, 2))};
  messages[1].after = {0};

  CHECK(mesh.model(messages).run(as_numbered).begins == std::vector<int>{1, 6});
  messages[0].after = {1};
  CHECK_THROWS_AS(mesh.model(messages), ModelError);
}

TEST_CASE("messages that wait for each other's channels are a deadlock", "[step_model]") {
  // The third holds a channel that both others need; after it ends, each of them gets one channel.
  const std::vector<StepMessage> messages = {{NodeId(0), {ChannelId(0), ChannelId(1)}, 1, {}},
                                             {NodeId(1), {ChannelId(1), ChannelId(0)}, 1, {}},
                                             {NodeId(2), {ChannelId(1)}, 2, {}}};
  const StepModel model(messages, 3, 2);

  StepRun run =
      model.run([](std::vector<int>& waiting) { std::reverse(waiting.begin(), waiting.end()); });

  std::sort(run.deadlocked.begin(), run.deadlocked.end());
  CHECK(run.deadlocked == std::vector<int>{0, 1});
  CHECK(run.begins == std::vector<int>{0, 0, 1});
  CHECK(model.run([](std::vector<int>&) {}).deadlocked.empty());
}

TEST_CASE(
    "R5: served from the far corner backwards, only one of sixteen messages proceeds at first",
    "[paper][eberhart_1996][eberhart_1996-R5]") {
  const StepModel model = shift(4, 2);

  const StepRun run =
      model.run([](std::vector<int>& waiting) { std::reverse(waiting.begin(), waiting.end()); });

  CHECK(std::count(run.begins.begin(), run.begins.end(), 1) == 1);
}

TEST_CASE("R4: 14x14 nodes that shift by (2, 2) without a schedule take over three times as long",
          "[paper][eberhart_1996][eberhart_1996-R4]") {
  const std::vector<int> steps = random_runs(shift(14, 2), 1000);

  CHECK(mean(steps) > 6.2);
  CHECK(mean(steps) < 6.5);
  CHECK(*std::max_element(steps.begin(), steps.end()) >= 9);
  CHECK(*std::max_element(steps.begin(), steps.end()) <= 12);
  CHECK(deviation(steps) > 0.7);
  CHECK(deviation(steps) < 0.95);
}

TEST_CASE("R16: a square transposition without a schedule takes n - 1 steps in any order",
          "[paper][eberhart_1996][eberhart_1996-R16]") {
  for (int n : {3, 5, 8}) {
    CAPTURE(n);
    const Mesh mesh(n, n);
    std::vector<StepMessage> messages;
    for (int row = 0; row < n; ++row)
      for (int column = 0; column < n; ++column)
        if (row != column)
          messages.push_back(mesh.message(mesh.node(row, column), mesh.node(column, row)));
    const std::vector<int> steps = random_runs(mesh.model(std::move(messages)), 100);

    CHECK(*std::min_element(steps.begin(), steps.end()) == n - 1);
    CHECK(*std::max_element(steps.begin(), steps.end()) == n - 1);
  }
}

TEST_CASE("R15: seven nodes of a transposed row take four to seven steps",
          "[paper][eberhart_1996][eberhart_1996-R15]") {
  // Row offset -2, column offset 4 (Eberhart 1996, Fig. 5.6 right): node j sends to row 2 - 2 + j.
  const Mesh mesh(7, 7);
  std::vector<StepMessage> messages;
  for (int column = 0; column < 7; ++column)
    if (mesh.node(2, column) != mesh.node(column, 4))
      messages.push_back(mesh.message(mesh.node(2, column), mesh.node(column, 4)));
  const std::vector<int> steps = random_runs(mesh.model(std::move(messages)), 1000);

  CHECK(*std::min_element(steps.begin(), steps.end()) == 4);
  CHECK(*std::max_element(steps.begin(), steps.end()) == 7);
}

}  // namespace step_model_test
