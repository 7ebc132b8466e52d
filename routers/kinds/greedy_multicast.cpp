// routers/kinds/greedy_multicast.cpp: Lan's router, which copies messages towards their list.
// channel -> [input gateway -> message units -> output gateways] -> channel
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <utility>

#include "flitwave/algorithms/cube_multicast/blocks.hpp"
#include "flitwave/algorithms/cube_multicast/tie_settings.hpp"
#include "flitwave/configs/error.hpp"
#include "flitwave/modules/wheel.hpp"
#include "flitwave/routers/message_unit.hpp"
#include "flitwave/routers/multicast_blocks/block_router.hpp"
#include "flitwave/routers/relay_faults.hpp"
#include "flitwave/routers/relay_model.hpp"
#include "flitwave/routers/router.hpp"

namespace flitwave {
namespace {

/// Which messages share a buffer.
enum class MessageBuffers {
  faithful,     ///< All that come by a channel, one at a time.
  hop_classes,  ///< Those that have come as many hops.
};
[[maybe_unused]] std::vector<std::string> names_of(MessageBuffers) {
  return {"faithful", "hop_classes"};
}

/// From when on a branch has an output for itself.
enum class Grant {
  acknowledged,  ///< Once there is room for it behind.
  requested,     ///< From its request on; others wait meanwhile, whatever buffer they ask for.
};
[[maybe_unused]] std::vector<std::string> names_of(Grant) { return {"acknowledged", "requested"}; }

/// What is inside.
enum class Detail {
  compact,  ///< All that a router does in a cycle is done at once.
  blocks,   ///< A module for each block of the hardware.
};
[[maybe_unused]] std::vector<std::string> names_of(Detail) { return {"compact", "blocks"}; }

struct GreedyMulticastParams {
  Detail detail = Detail::compact;
  int capacity = 4;
  bool broadcaster = true;
  bool fault_tolerant = false;
  Ties ties = Ties::lowest;
  TieScript script;
  MessageBuffers buffers = MessageBuffers::faithful;
  Grant grant = Grant::acknowledged;
  int field = 1;
  Cycles selection{10};
  Relaying switching = Relaying::relay;
  Selecting selecting = Selecting::overlapped;
  Branching branching = Branching::parallel;
};

constexpr std::uint64_t bit_of(int number) { return std::uint64_t{1} << number; }
std::size_t index(int number) { return static_cast<std::size_t>(number); }

RelayRules rules_of(const GreedyMulticastParams& params, const Cube& cube, std::uint64_t seed) {
  return {params.capacity, params.fault_tolerant, params.broadcaster,
          tie_rule_of(params.ties, params.script, cube, seed)};
}

/// Each channel that comes in has message units behind it, one for each class of buffer: one, or
/// as many as there are dimensions. A unit takes one whole message, selects where it goes on, and
/// is free again when it has gone everywhere.
///
/// Each cycle, in this order: branches whose room was acknowledged get their outputs; units that
/// are free acknowledge requests, first come, first served; flits are taken; what has come is
/// decided, and branches whose time has come queue up for their outputs; one request is raised at
/// each output that is not sending; and each output that is sending sends a flit.
/// Source: Lan 1988, chapter 6; classes of buffers are ours
class GreedyMulticast final : public Router, private Sleeper {
 public:
  GreedyMulticast(const sc_core::sc_module_name& name, const GreedyMulticastParams& params,
                  const RouterSite& site);

  void report_waits(std::vector<WaitPoint>& points) const override;
  int flits_inside() const override;
  bool at_rest() const override;
  std::int64_t flits_dropped() const override { return dropped_; }
  std::int64_t flits_copied() const override { return copied_; }

 private:
  /// A branch of a message in a unit.
  struct Claim {
    int input = -1;
    int unit = 0;
    int branch = 0;

    bool valid() const { return input >= 0; }
  };
  struct InputGateway {
    std::vector<MessageUnit> units;  // by class of buffer
    std::deque<int> requests;        // classes, in the order of asking
    int coming = -1;                 // the unit that takes what comes
  };
  struct OutputGateway {
    std::vector<std::deque<Claim>> queues;  // by class of the buffer behind
    std::uint64_t asked = 0;                // classes for which a request is out
    Claim sender;
    bool held = false;  // until the sender's message has come whole
  };

  bool tick() override;
  void due() override { domain().wake(*this); }
  void read_requests();
  void grant(int output);
  void acknowledge(int input);
  void take(int input);
  void work(int input, int unit);
  void decide(MessageUnit& unit, int input, int number);
  MessageBranch branch_to(int output, int buffer_class, int slot, std::int64_t own,
                          std::int64_t data) const;
  int class_behind(int input, int unit) const;
  void request(int output);
  void send(int output);
  void finish(MessageUnit& unit);
  void sleep_until(Cycle cycle);
  WaitPoint::Alternative wait_of(const MessageBranch& branch) const;

  bool local(int port) const { return port >= site().network_ports; }
  MessageUnit& unit_of(const Claim& claim) {
    return inputs_[index(claim.input)].units[index(claim.unit)];
  }
  const MessageUnit& unit_of(const Claim& claim) const {
    return inputs_[index(claim.input)].units[index(claim.unit)];
  }
  MessageBranch& branch_of(const Claim& claim) {
    return unit_of(claim).branches()[index(claim.branch)];
  }
  CubeAddress here() const { return static_cast<CubeAddress>(node().value()); }

  GreedyMulticastParams params_;
  RelayPace pace_;
  Cube cube_;
  RelayRules rules_;
  RelayedMessages& messages_;
  Inbox requests_in_;
  std::uint64_t requested_ = 0;  // inputs at which a request stands
  std::vector<InputGateway> inputs_;
  std::vector<OutputGateway> outputs_;
  std::uint64_t asking_ = 0;   // inputs with requests
  std::uint64_t queued_ = 0;   // outputs with branches that wait
  std::uint64_t sending_ = 0;  // outputs with a sender
  std::uint64_t busy_ = 0;     // inputs with messages
  bool again_ = false;
  Cycle now_ = 0;
  Cycle next_event_ = 0;  // of the units' selections
  Cycle timer_ = 0;
  std::int64_t copied_ = 0;
  std::int64_t dropped_ = 0;
};

GreedyMulticast::GreedyMulticast(const sc_core::sc_module_name& name,
                                 const GreedyMulticastParams& params, const RouterSite& site)
    : Router(name, site, 0, VcReallocation::non_atomic),
      params_(params),
      pace_{params.selection.count, params.selecting, params.branching, params.switching},
      cube_(site.network_ports / 2),
      rules_(rules_of(params, cube_, site.seed)),
      messages_(*site.relayed),
      inputs_(index(site.ports())),
      outputs_(index(site.ports())) {
  const bool classes = params.buffers == MessageBuffers::hop_classes;
  const int network_classes = classes ? cube_.dimensions() + 1 : 1;
  for (int port = 0; port < site.ports(); ++port) {
    const int buffers = local(port) ? 1 : network_classes;
    if (site.inputs[index(port)]) {
      inputs_[index(port)].units.resize(index(buffers));
      in_port(port).set_request_reader(
          {&requests_in_, static_cast<std::uint8_t>(port), module_index()});
    }
    if (site.outputs[index(port)]) outputs_[index(port)].queues.resize(index(buffers));
  }
}

bool GreedyMulticast::tick() {
  now_ = this_cycle();
  again_ = false;
  next_event_ = Wheel::never;
  poll();
  read_requests();
  for_each_bit(returns_, [this](int output) { grant(output); });
  for_each_bit(asking_, [this](int input) { acknowledge(input); });
  for_each_bit(arrivals_, [this](int input) { take(input); });
  for_each_bit(busy_, [this](int input) {
    for (std::size_t unit = 0; unit < inputs_[index(input)].units.size(); ++unit)
      if (!inputs_[index(input)].units[unit].free()) work(input, static_cast<int>(unit));
  });
  if (next_event_ != Wheel::never) sleep_until(next_event_);
  for_each_bit(queued_ & ~sending_, [this](int output) { request(output); });
  for_each_bit(sending_, [this](int output) { send(output); });
  return again_ || sending_ != 0;
}

void GreedyMulticast::read_requests() {
  const CommitQueue& queue = memory();
  requested_ = requests_in_.take(queue);
  if (queue.plain)
    for (int port = 0; port < ports(); ++port)
      if (input(PortId(port)) && in_port(port).requested()) requested_ |= bit_of(port);
  for_each_bit(requested_, [this](int input) {
    inputs_[index(input)].requests.push_back(in_port(input).request());
    asking_ |= bit_of(input);
  });
}

/// There is room behind an output: it is for the branch that has waited longest for such room.
void GreedyMulticast::grant(int output) {
  OutputGateway& gateway = outputs_[index(output)];
  const int buffer_class = out_port(output).acknowledged();
  std::deque<Claim>& queue = gateway.queues[index(buffer_class)];
  gateway.asked &= ~bit_of(buffer_class);
  gateway.sender = queue.front();
  queue.pop_front();
  sending_ |= bit_of(output);
  if (std::all_of(gateway.queues.begin(), gateway.queues.end(),
                  [](const auto& waiting) { return waiting.empty(); }))
    queued_ &= ~bit_of(output);
  MessageBranch& branch = branch_of(gateway.sender);
  branch.phase = MessageBranch::Phase::sending;
  const Cycle latency = site().outputs[index(output)]->params().latency.count;
  const bool at_once = now_ - branch.opened <= 2 * latency;
  gateway.held = params_.switching == Relaying::virtual_cut_through && !at_once;
}

/// One message comes at a time; the next is acknowledged in the cycle after its last flit at the
/// earliest, and when a unit waits for it.
void GreedyMulticast::acknowledge(int port) {
  InputGateway& gateway = inputs_[index(port)];
  if (gateway.coming >= 0) return;
  const auto unit_for = [&](int buffer_class) -> const MessageUnit& {
    return gateway.units[index(buffer_class)];
  };
  const auto first =
      std::find_if(gateway.requests.begin(), gateway.requests.end(),
                   [&](int buffer_class) { return unit_for(buffer_class).waits(now_); });
  if (first == gateway.requests.end()) {
    again_ |= std::any_of(gateway.requests.begin(), gateway.requests.end(),
                          [&](int buffer_class) { return unit_for(buffer_class).free(); });
    return;
  }
  gateway.coming = *first;
  gateway.requests.erase(first);
  if (gateway.requests.empty()) asking_ &= ~bit_of(port);
  gateway.units[index(gateway.coming)].reserve();
  busy_ |= bit_of(port);
  in_port(port).acknowledge(gateway.coming);
}

void GreedyMulticast::take(int port) {
  InputGateway& gateway = inputs_[index(port)];
  const Flit flit = in_port(port).standing();
  if (gateway.coming < 0)
    throw ModelError(std::string(name()) + ": a flit came that was not acknowledged");
  gateway.units[index(gateway.coming)].take(flit, messages_, node());
  if (!flit.tail()) return;
  gateway.coming = -1;
  again_ |= !gateway.requests.empty();
}

void GreedyMulticast::work(int input, int number) {
  MessageUnit& unit = inputs_[index(input)].units[index(number)];
  if (unit.can_decide(params_.switching)) decide(unit, input, number);
  while (MessageBranch* branch = unit.open(params_.branching, now_)) {
    const int place = static_cast<int>(branch - unit.branches().data());
    outputs_[index(branch->output)].queues[index(branch->buffer_class)].push_back(
        {input, number, place});
    queued_ |= bit_of(branch->output);
  }
  if (unit.done()) return finish(unit);  // without branches
  const Cycle event = unit.next_event();
  if (event > now_) next_event_ = std::min(next_event_, event);
}

void GreedyMulticast::decide(MessageUnit& unit, int input, int number) {
  const Flit bundle = unit.bundle();
  const RelayFormat& format = messages_.format();
  const CubeHeader& came = messages_.header(bundle, node());
  const RelayMessage message{here(), local(input), came, broken_dimensions(site(), now_)};
  const CubeDecision<CubeHeader> decision = relay_decision(cube_, rules_, message);
  if (message.faults != 0) log_detours(site(), rules_, bundle, message, now_);
  if (!decision.undeliverable.empty())
    messages_.give_up(bundle, node(), decision.undeliverable, now_);
  const std::int64_t data = messages_.data(bundle);
  std::vector<MessageBranch> branches;
  if (decision.deliver)
    branches.push_back({site().network_ports, 0, messages_.serve(bundle, node()), 0,
                        format.leads_to_processor() + data});
  for (const CubeBranch<CubeHeader>& chosen : decision.branches) {
    const std::int64_t leads = format.leads(chosen.message);
    branches.push_back({cube_port(here(), chosen.dimension), class_behind(input, number),
                        bundle.slot(), leads - format.leads_to_processor(), leads + data});
    messages_.announce(bundle, NodeId(node().value() ^ static_cast<int>(bit(chosen.dimension))),
                       chosen.message);
  }
  unit.decide(std::move(branches), decision.deliver, pace_, now_);
}

/// Of the buffer that a message asks for next.
int GreedyMulticast::class_behind(int input, int unit) const {
  if (params_.buffers == MessageBuffers::faithful) return 0;
  return local(input) ? 1 : unit + 1;
}

/// Raises one request: for the branch that waits longest among those whose class has none out.
void GreedyMulticast::request(int output) {
  OutputGateway& gateway = outputs_[index(output)];
  if (params_.grant == Grant::requested && gateway.asked != 0) return;
  int chosen = -1;
  Cycle opened = Wheel::never;
  for (std::size_t buffer_class = 0; buffer_class < gateway.queues.size(); ++buffer_class) {
    const std::deque<Claim>& queue = gateway.queues[buffer_class];
    if (queue.empty() || (gateway.asked >> buffer_class & 1) != 0) continue;
    const Cycle since = branch_of(queue.front()).opened;
    if (since >= opened) continue;
    chosen = static_cast<int>(buffer_class);
    opened = since;
  }
  if (chosen < 0) return;
  gateway.asked |= bit_of(chosen);
  out_port(output).request(chosen);
  again_ = true;  // the next class may be asked for
}

void GreedyMulticast::send(int output) {
  OutputGateway& gateway = outputs_[index(output)];
  MessageUnit& unit = unit_of(gateway.sender);
  gateway.held = gateway.held && !unit.whole();
  if (gateway.held) return;
  const Flit flit = unit.send(branch_of(gateway.sender), node());
  out_port(output).send(flit, 0, now_);
  ++copied_;
  if (!flit.tail()) return;
  gateway.sender = Claim{};
  sending_ &= ~bit_of(output);
  again_ = true;  // another branch, of this message or of others, may go next
  if (unit.done()) finish(unit);
}

/// Flits that came are gone, be it without those that followed from them.
void GreedyMulticast::finish(MessageUnit& unit) {
  again_ |= asking_ != 0;
  const std::int64_t passed = std::min(unit.received(), unit.sent());
  copied_ -= passed;
  dropped_ += unit.received() - passed;
  messages_.finish(unit.bundle(), node(), now_);
  unit.clear(now_);
  for_each_bit(busy_, [this](int input) {
    const auto& units = inputs_[index(input)].units;
    if (std::all_of(units.begin(), units.end(), [](const MessageUnit& u) { return u.free(); }))
      busy_ &= ~bit_of(input);
  });
}

void GreedyMulticast::sleep_until(Cycle cycle) {
  if (cycle == timer_) return;
  timer_ = cycle;
  domain().at(cycle, *this);
}

int GreedyMulticast::flits_inside() const {
  std::int64_t flits = 0;
  for (const InputGateway& gateway : inputs_)
    for (const MessageUnit& unit : gateway.units) flits += unit.received();
  return static_cast<int>(flits);
}

bool GreedyMulticast::at_rest() const { return busy_ == 0 && sending_ == 0 && asking_ == 0; }

/// What a branch waits for: room behind its output, or the branch that holds the output while it
/// waits for room of another class.
WaitPoint::Alternative GreedyMulticast::wait_of(const MessageBranch& branch) const {
  const OutputGateway& gateway = outputs_[index(branch.output)];
  const std::uint64_t others = gateway.asked & ~bit_of(branch.buffer_class);
  if (params_.grant == Grant::acknowledged || others == 0)
    return {true, PortId(branch.output), branch.buffer_class, 1};
  const Claim& holder = gateway.queues[index(__builtin_ctzll(others))].front();
  return {false, PortId(holder.input), holder.unit, 1};
}

/// A message stays until all of its branches have gone.
void GreedyMulticast::report_waits(std::vector<WaitPoint>& points) const {
  for_each_bit(busy_, [&](int input) {
    const auto& units = inputs_[index(input)].units;
    for (std::size_t number = 0; number < units.size(); ++number) {
      const MessageUnit& unit = units[number];
      if (unit.free()) continue;
      WaitPoint point;
      point.input = PortId(input);
      point.vc = static_cast<int>(number);
      point.front = unit.bundle();
      point.movable = true;
      for (const MessageBranch& branch : unit.branches()) {
        if (branch.phase != MessageBranch::Phase::waiting) continue;
        point.movable = false;
        point.waits_for.push_back(wait_of(branch));
        point.waits_for.back().branch = branch.output;
      }
      points.push_back(std::move(point));
    }
  });
}

/// Throws: ConfigError on what there are no blocks for.
void check_blocks(const GreedyMulticastParams& params) {
  const auto only = [](const std::string& key, const std::string& blocks) {
    throw ConfigError(key, "routers of blocks are built for " + blocks + " only",
                      "use " + blocks + ", or detail: compact");
  };
  if (params.ties != Ties::lowest) only("ties", "lowest");
  if (!params.script.empty()) only("script", "the lowest dimension");
  if (params.buffers != MessageBuffers::faithful) only("buffers", "faithful");
  if (params.field != 1) only("field", "1");
  if (params.switching == Relaying::virtual_cut_through)
    only("switching", "relay and store_and_forward");
}

BlockParams blocks_of(const GreedyMulticastParams& params, const RouterSite& site) {
  BlockParams blocks;
  blocks.dimensions = site.network_ports / 2;
  blocks.rows = params.capacity;
  blocks.selection = static_cast<int>(params.selection.count);
  for (const Channel* channel : site.inputs)
    if (channel) blocks.data = static_cast<int>(channel->params().buffer.count);
  blocks.fault_tolerant = blocks.gives_up = params.fault_tolerant;
  blocks.broadcaster = blocks.type_checker = params.broadcaster;
  blocks.selecting = params.selecting;
  blocks.branching = params.branching;
  if (params.switching == Relaying::store_and_forward)
    blocks.switching = RelaySwitching::whole_message;
  return blocks;
}

RouterModel greedy_multicast(const GreedyMulticastParams& params) {
  RouterModel model;
  if (params.buffers == MessageBuffers::faithful && params.grant == Grant::requested)
    throw ConfigError("grant",
                      "where a channel has one buffer, one request is out at a time anyway",
                      "leave grant out, or set buffers: hop_classes");
  if (params.detail == Detail::blocks) check_blocks(params);
  model.switching = params.switching == Relaying::store_and_forward
                        ? Switching::store_and_forward
                        : Switching::virtual_cut_through;
  model.copies = true;
  model.faults = params.fault_tolerant;
  model.relay = std::make_shared<RelayModel>(RelayModel{
      {params.fault_tolerant ? HeaderFormat::control : HeaderFormat::source, params.field},
      [params](const Cube& cube, std::uint64_t seed) { return rules_of(params, cube, seed); },
      params.buffers == MessageBuffers::hop_classes && params.grant == Grant::acknowledged,
      params.detail == Detail::blocks ? most_block_dimensions : most_cube_dimensions});
  model.build = [params](const char* name, const RouterSite& site) -> std::unique_ptr<Router> {
    if (params.detail == Detail::blocks)
      return make_block_router(name, blocks_of(params, site), site);
    return std::make_unique<GreedyMulticast>(name, params, site);
  };
  return model;
}

}  // namespace

void register_greedy_multicast(Routers& routers) {
  using P = GreedyMulticastParams;
  routers.add(
      "greedy_multicast",
      {"a router for hypercubes that copies a message towards its list of destinations",
       "Lan 1988, chapter 6"},
      Schema<P>{}
          .optional("detail", &P::detail,
                    "whether its blocks are modules, whose wires can be looked at")
          .optional("capacity", &P::capacity,
                    "m: messages for so many destinations are served greedily, those for more by "
                    "broadcast",
                    between(1, most_store_rows))
          .optional("broadcaster", &P::broadcaster,
                    "without one, messages for more than capacity destinations are refused")
          .optional("fault_tolerant", &P::fault_tolerant,
                    "control vectors lead messages in place of sources")
          .optional("ties", &P::ties, "which of several equally good dimensions is taken")
          .optional("script", &P::script,
                    "dimensions in order of preference, by node; elsewhere the lowest is taken")
          .optional("buffers", &P::buffers,
                    "one buffer for the messages of each channel, or one for each number of hops "
                    "that they have come")
          .optional("grant", &P::grant, "from when on a branch has an output for itself")
          .optional("field", &P::field, "flits in a field of the header", between(1, 1024))
          .optional("selection", &P::selection, "time in which a dimension is selected",
                    between(1, 1e9))
          .optional("switching", &P::switching, "when a message may go on")
          .optional("selecting", &P::selecting,
                    "whether branches begin as they are selected, or after the last one")
          .optional("branching", &P::branching, "how the branches of a message are sent"),
      greedy_multicast);
}

}  // namespace flitwave
