// testbenches/tests/timed/small_network.cpp: see small_network.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/small_network.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "configs/error.hpp"
#include "testbenches/job/catalog.hpp"

namespace flitwave {

namespace {

const Catalog& all_kinds() {
  static const Catalog catalog = standard_catalog();
  return catalog;
}

ConfigNode section(const std::string& text) { return ConfigNode::parse(text, "small_network"); }

Topology mesh() {
  return all_kinds().topologies.bind(section("{kind: mesh, shape: [3, 3]}")).build();
}

std::unique_ptr<RoutingFunction> dimension_order(const Topology& topology) {
  return all_kinds().routings.bind(section("{kind: dimension_order}")).build(topology);
}

RouterModel wormhole() { return all_kinds().routers.bind(section("{kind: wormhole}")).build(); }

}  // namespace

/// The processor of one node.
class SmallNetwork::Sender final : public Sleeper {
 public:
  Sender(NodeId node, const SmallNetworkParams& params, SmallNetwork& network)
      : node_(node),
        network_(network),
        until_(params.send_until),
        random_(params.seed, "small network", static_cast<std::uint64_t>(node.value())) {
    network_.domain().at(params.silent_until + gap(), *this);
  }

 private:
  void due() override {
    if (network_.domain().now() >= until_) return;
    const auto nodes = static_cast<std::uint64_t>(network_.topology_.nodes());
    OutgoingMessage message;
    const std::uint64_t step = 1 + random_.below(nodes - 1);
    message.destination =
        NodeId(static_cast<int>((static_cast<std::uint64_t>(node_.value()) + step) % nodes));
    const std::uint64_t packets = 1 + random_.below(3);
    std::vector<std::int64_t> lengths;
    for (std::uint64_t i = 0; i < packets; ++i)
      lengths.push_back(1 + static_cast<std::int64_t>(random_.below(6)));
    message.packets = std::move(lengths);
    network_.netlist().interface(node_).send(std::move(message));
    network_.domain().at(network_.domain().now() + gap(), *this);
  }
  Cycle gap() { return 1 + static_cast<Cycle>(random_.below(30)); }

  NodeId node_;
  SmallNetwork& network_;
  Cycle until_;
  Random random_;
};

SmallNetwork::SmallNetwork(const SmallNetworkParams& params)
    : topology_(mesh()),
      routing_(dimension_order(topology_)),
      router_(wormhole()),
      packets_(topology_.nodes()),
      domain_(std::make_unique<ClockDomain>("clock", params.period, params.scheduling)) {
  domain_->set_failure_handler([] { sc_core::sc_pause(); });
  NetlistParams netlist;
  netlist.channel = params.channel;
  netlist.router = [this](NodeId) -> const RouterModel& { return router_; };
  netlist.order = params.order;
  netlist_ =
      std::make_unique<Netlist>("netlist", topology_, *routing_, netlist, *domain_, packets_);
  for (int i = 0; i < topology_.nodes(); ++i)
    senders_.push_back(std::make_unique<Sender>(NodeId(i), params, *this));
}

SmallNetwork::~SmallNetwork() = default;

void SmallNetwork::run(Cycle cycles) {
  const auto time = static_cast<double>(cycles * domain_->period().picoseconds);
  sc_core::sc_start(sc_core::sc_time(time, sc_core::SC_PS));
  domain_->rethrow();
}

std::string in_child(const std::function<void()>& body) {
  int ends[2];
  if (pipe(ends) != 0) throw SystemFailure("no pipe to a child process");
  const pid_t child = fork();
  if (child < 0) throw SystemFailure("no child process");
  if (child == 0) {
    std::string problem;
    try {
      body();
    } catch (const std::exception& error) {
      problem = error.what();
    }
    const bool reported = write(ends[1], problem.data(), problem.size()) >= 0;
    _exit(reported ? 0 : 1);
  }
  close(ends[1]);
  std::string problem;
  char buffer[4096];
  for (ssize_t count = 0; (count = read(ends[0], buffer, sizeof buffer)) > 0;)
    problem.append(buffer, static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return "ended with code " + std::to_string(WEXITSTATUS(status));
  return problem;
}

}  // namespace flitwave
