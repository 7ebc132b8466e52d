// routers/relay/mhu/block_router.cpp: see block_router.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/mhu/block_router.hpp"

#include <algorithm>
#include <vector>

#include "configs/error.hpp"
#include "routers/relay/arriving_message.hpp"
#include "routers/relay/mhu/lan_router.hpp"
#include "routers/relay/relay_faults.hpp"
#include "routers/relay/relayed_messages.hpp"

namespace flitwave {
namespace {

/// The links of the inner router are numbered as its units: by dimensions, then the processor's.
class BlockRouter final : public Router {
 public:
  SC_HAS_PROCESS(BlockRouter);
  BlockRouter(const sc_core::sc_module_name& name, const BlockParams& params,
              const RouterSite& site, const MakeBlocks& make);

  void report_waits(std::vector<WaitPoint>& points) const override;
  int flits_inside() const override;
  std::int64_t flits_held() const override;
  bool at_rest() const override;
  std::int64_t flits_dropped() const override { return dropped_; }
  std::int64_t flits_copied() const override { return copied_; }

 private:
  /// A message in a unit.
  struct Message {
    ArrivingMessage arriving;
    std::int64_t sent = 0;
    bool decided = false;
    Cycle last_arrival = 0;

    bool there() const { return arriving.received() > 0; }
    Flit group() const { return arriving.group(); }
    const CubeHeader& header() const { return arriving.header(); }
  };
  /// A message on an outgoing link.
  struct Stream {
    std::vector<CubeBits> leads;
    int slot = 0;
    std::int64_t sent = 0;
  };

  /// Idle edges after which no wire inside changes any more; two suffice.
  static constexpr int settled = 8;

  void tick() override;
  void step();
  void sample();
  void sleep();
  bool take(std::size_t unit, Flit flit);
  void log_faults(std::size_t unit);
  void report(std::size_t unit);
  UnitSite site_of(std::size_t unit) const;
  void request(std::size_t output);
  void send(std::size_t output);
  void begin(std::size_t output, std::size_t unit);
  void finish(std::size_t unit);
  CubeBits field(const std::vector<CubeBits>& leads, std::int64_t number) const;
  CubeBits data_field(std::int64_t number) const;

  int input_port(std::size_t unit) const;
  int output_port(std::size_t output) const;
  bool local(std::size_t output) const { return output + 1 == links_; }

  BlockParams params_;
  RelayRules rules_;
  RelayedMessages& messages_;
  ArrivalSite arrival_;
  std::size_t links_;
  sc_core::sc_time quarter_;
  sc_core::sc_time rest_;
  WireSignal clk_{"blocks_clk"};
  bool sampled_ = false;                      // inputs have been set; the clock rises next
  bool sleeps_ = false;                       // the clock is stopped
  int quiet_ = 0;                             // consecutive samples while the router was empty
  sc_core::sc_event_or_list request_events_;  // a message is requested
  std::vector<FlitWords*> words_in_;          // Shape: [links]
  std::vector<FlitWords*> words_out_;         // Shape: [links]
  BusSignal address_;
  BusSignal faults_;
  sc_core::sc_vector<FieldLink> in_;
  sc_core::sc_vector<FieldLink> out_;
  std::unique_ptr<RouterBlocks> blocks_;
  std::vector<bool> pending_;             // requests that are not acknowledged
  std::vector<bool> requested_outputs_;   // outputs whose request has been sent
  std::vector<bool> acknowledged_units_;  // units whose acknowledgement has been sent
  std::vector<Message> in_units_;
  std::vector<Stream> streams_;
  std::vector<MhuState> states_;  // as they were reported
  std::int64_t copied_ = 0;
  std::int64_t dropped_ = 0;
};

auto field_links(const BlockParams& params) {
  return [width = params.dimensions](const char* name, std::size_t) {
    return new FieldLink(name, width);
  };
}

sc_core::sc_time picoseconds(std::int64_t count) {
  if (count < 1)
    throw ConfigError("clock.period", "routers made of blocks divide it by 4", "use 4 ps or more");
  return {static_cast<double>(count), sc_core::SC_PS};
}

BlockRouter::BlockRouter(const sc_core::sc_module_name& name, const BlockParams& params,
                         const RouterSite& site, const MakeBlocks& make)
    : Router(name, site, 0, VcReallocation::non_atomic),
      params_(params),
      rules_(params.rules(Cube(params.dimensions), site.seed)),
      messages_(RelayedMessages::of(site)),
      arrival_{*this, messages_, Cube(params.dimensions), rules_, params.data},
      links_(static_cast<std::size_t>(params.outputs())),
      quarter_(picoseconds(domain().period().picoseconds / 4)),
      rest_(picoseconds(domain().period().picoseconds) - quarter_),
      address_("address", bus_value(params.dimensions, static_cast<CubeBits>(node().value()))),
      faults_("faults", bus_value(params.dimensions)),
      in_("in", links_, field_links(params)),
      out_("out", links_, field_links(params)),
      blocks_(make(params, {clk_, address_, faults_, in_, out_})),
      pending_(links_),
      requested_outputs_(links_),
      acknowledged_units_(links_),
      in_units_(links_),
      streams_(links_),
      states_(links_, MhuState::wait) {
  for (std::size_t i = 0; i < links_; ++i) {
    const int port = input_port(i);
    words_in_.push_back(&site.inputs[static_cast<std::size_t>(port)]->words());
    words_out_.push_back(&site.outputs[static_cast<std::size_t>(port)]->words());
    Link<VcIndex>& request = *site.inputs[static_cast<std::size_t>(port)]->downstream().request;
    request_events_ |= request.wires().valid_wire().posedge_event();
  }
  for (std::size_t unit = 0; unit < links_; ++unit) messages_.add_unit(site_of(unit));
  SC_METHOD(step);
}

int BlockRouter::output_port(std::size_t output) const {
  if (local(output)) return site().network_ports;
  return cube_port(static_cast<CubeAddress>(node().value()), static_cast<int>(output));
}

/// Both directions of a link have the same port.
int BlockRouter::input_port(std::size_t unit) const { return output_port(unit); }

/// The clock of the blocks falls, and inputs change, at the first quarter of each cycle of the
/// network; it rises at the half. It is stopped while the router is empty and no message is
/// requested.
void BlockRouter::step() {
  if (sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME || sleeps_) {
    sleeps_ = false;
    return next_trigger(quarter_);
  }
  const bool rises = sampled_;
  sampled_ = !rises;
  clk_.write(rises);
  if (rises && quiet_ >= settled) return sleep();
  next_trigger(rises ? rest_ : quarter_);
  if (rises) return;
  try {
    sample();
  } catch (...) {
    domain().fail(std::current_exception());
  }
}

/// Stops until the edge of the network's clock with the next request, which is sampled a quarter
/// later.
void BlockRouter::sleep() {
  sleeps_ = true;
  quiet_ = 0;
  next_trigger(request_events_);
}

/// Copies the values on the channels' wires to the wires inside.
void BlockRouter::sample() {
  drive(faults_, broken_dimensions(site(), domain().now() + 1));
  for (std::size_t i = 0; i < links_; ++i) {
    const auto port = static_cast<std::size_t>(input_port(i));
    ChannelEnd& end = site().inputs[port]->downstream();
    if (in_[i].ack.read()) pending_[i] = false;
    if (end.request->valid()) pending_[i] = true;
    in_[i].rts.write(pending_[i]);
    const bool arrives = end.forward.valid();
    in_[i].eom.write(arrives && end.forward.payload().tail());
    in_[i].valid.write(arrives && take(i, end.forward.payload()));
    out_[i].ack.write(
        site().outputs[static_cast<std::size_t>(output_port(i))]->upstream().back->valid());
  }
  quiet_ = at_rest() ? quiet_ + 1 : 0;
}

/// Returns: whether it ends a field.
bool BlockRouter::take(std::size_t unit, Flit flit) {
  Message& message = in_units_[unit];
  ArrivingMessage& arriving = message.arriving;
  // It is taken at the next edge of the network's clock.
  arriving.take(flit, words_in_[unit]->at(domain().now() + 1), arrival_);
  message.last_arrival = domain().now();
  const std::int64_t number = (arriving.received() - 1) / params_.field;
  const std::int64_t fields = arriving.header_flits() / params_.field;
  drive(in_[unit].flit, number < fields ? arriving.field() : data_field(number - fields));
  return arriving.received() % params_.field == 0;
}

/// Of the data, which count from 0.
CubeBits BlockRouter::data_field(std::int64_t number) const {
  return static_cast<CubeBits>(number) & static_cast<CubeBits>(params_.everybody());
}

CubeBits BlockRouter::field(const std::vector<CubeBits>& leads, std::int64_t number) const {
  const auto fields = static_cast<std::int64_t>(leads.size());
  return number < fields ? leads[static_cast<std::size_t>(number)] : data_field(number - fields);
}

void BlockRouter::tick() {
  for (std::size_t i = 0; i < links_; ++i) {
    const bool acknowledges = in_[i].ack.read();
    if (acknowledges && !acknowledged_units_[i]) in_port(input_port(i)).acknowledge(0);
    acknowledged_units_[i] = acknowledges;
    if (messages_.probe()) report(i);
    log_faults(i);
    request(i);
    if (blocks_->streams(static_cast<int>(i))) send(i);
  }
  for (std::size_t i = 0; i < links_; ++i)
    if (in_units_[i].there() && blocks_->ends(static_cast<int>(i))) finish(i);
  if (!at_rest()) stay_awake();
}

/// Reports what the last edge has changed in a unit.
void BlockRouter::report(std::size_t unit) {
  const int number = static_cast<int>(unit);
  const MhuState state = blocks_->state(number);
  if (state != states_[unit]) messages_.probe()->entered({site_of(unit), state, this_cycle()});
  states_[unit] = state;
  if (blocks_->selected(number) < 0) return;
  CubeNodes nodes = blocks_->selected_nodes(number);
  if (nodes.empty()) nodes = in_units_[unit].header().destinations;
  UnitSelection selection{site_of(unit), this_cycle(), blocks_->selected(number), {}};
  for (const CubeAddress destination : nodes)
    selection.destinations.emplace_back(static_cast<int>(destination));
  messages_.probe()->selected(selection);
}

UnitSite BlockRouter::site_of(std::size_t unit) const {
  return {node(), local(unit) ? -1 : static_cast<int>(unit), 0};
}

/// When a unit begins to select, reports the effects of faults on its message, which no wire shows.
void BlockRouter::log_faults(std::size_t unit) {
  Message& message = in_units_[unit];
  const ArrivingMessage& arriving = message.arriving;
  if (message.decided || !message.there() ||
      arriving.received() < (params_.stores() ? arriving.length() : arriving.header_flits()))
    return;
  message.decided = true;
  const CubeBits faulty = broken_dimensions(site(), this_cycle());
  if (faulty == 0) return;
  const RelayMessage here{static_cast<CubeAddress>(node().value()), local(unit), message.header(),
                          faulty};
  log_detours(site(), rules_, message.group(), here, this_cycle());
  const CubeNodes undeliverable =
      relay_decision(Cube(params_.dimensions), rules_, here).undeliverable;
  if (!undeliverable.empty())
    messages_.give_up(message.group(), node(), undeliverable, this_cycle());
}

void BlockRouter::request(std::size_t output) {
  const bool requests = out_[output].rts.read();
  if (requests && !requested_outputs_[output]) out_port(output_port(output)).request(0);
  requested_outputs_[output] = requests;
}

void BlockRouter::send(std::size_t output) {
  const std::size_t unit = blocks_->sender(static_cast<int>(output));
  Stream& stream = streams_[output];
  Message& message = in_units_[unit];
  if (stream.sent == 0) begin(output, unit);
  const auto length =
      static_cast<std::int64_t>(stream.leads.size()) * params_.field + message.arriving.data();
  const std::int64_t number = stream.sent / params_.field;
  const bool complete = (stream.sent + 1) % params_.field == 0;
  const bool tail = stream.sent + 1 == length;
  if (out_[output].flit.read() != field(stream.leads, number) ||
      out_[output].valid.read() != complete || out_[output].eom.read() != tail)
    throw ModelError(std::string(name()) + ": field " + std::to_string(number) +
                     " of a message is not what it should be");
  out_port(output_port(output))
      .send(Flit(message.group().source(), stream.slot, stream.sent, stream.sent == 0, tail, 0), 0,
            this_cycle());
  if (number < static_cast<std::int64_t>(stream.leads.size()))
    words_out_[output]->put(field(stream.leads, number), this_cycle());
  ++copied_;
  ++message.sent;
  ++stream.sent;
  if (tail) stream = Stream();
}

/// Begins a stream: serves the processor, or announces the header to the neighbour.
void BlockRouter::begin(std::size_t output, std::size_t unit) {
  const Message& message = in_units_[unit];
  Stream& stream = streams_[output];
  if (local(output)) {
    stream.slot = messages_.serve(message.group(), node());
    if (!params_.fault_tolerant) stream.leads = {message.header().last};
    return;
  }
  CubeHeader header = blocks_->header(static_cast<int>(unit), static_cast<int>(output));
  if (header.destinations.empty()) header.destinations = message.header().destinations;
  if (!params_.fault_tolerant) header.last = message.header().last;
  stream.slot = message.group().slot();
  stream.leads = fields_of(header);
  const auto neighbour = node().value() ^ static_cast<int>(bit(static_cast<int>(output)));
  messages_.announce(message.group(), NodeId(neighbour), std::move(header));
}

void BlockRouter::finish(std::size_t unit) {
  Message& message = in_units_[unit];
  const std::int64_t passed = std::min(message.arriving.received(), message.sent);
  copied_ -= passed;
  dropped_ += message.arriving.received() - passed;
  messages_.finish(message.group(), node(), this_cycle());
  message = Message();
}

int BlockRouter::flits_inside() const {
  std::int64_t flits = 0;
  for (const Message& message : in_units_) flits += message.arriving.received();
  return static_cast<int>(flits);
}

std::int64_t BlockRouter::flits_held() const {
  std::int64_t fields = 0;
  for (std::size_t i = 0; i < links_; ++i) fields += blocks_->level(static_cast<int>(i));
  return fields * params_.field;
}

bool BlockRouter::at_rest() const {
  for (std::size_t i = 0; i < links_; ++i)
    if (pending_[i] || in_units_[i].there() || in_[i].ack.read() || out_[i].rts.read() ||
        blocks_->busy(static_cast<int>(i)))
      return false;
  return true;
}

/// A message remains until all of its branches have been sent.
/// Throws: ModelError when a message has stopped here.
void BlockRouter::report_waits(std::vector<WaitPoint>& points) const {
  for (std::size_t i = 0; i < links_; ++i) {
    const Message& message = in_units_[i];
    if (!message.there()) continue;
    if (!message.arriving.whole() && domain().now() > message.last_arrival + 1)
      message.arriving.reject(messages_, node(), std::nullopt);
    WaitPoint point;
    point.input = PortId(input_port(i));
    point.front = message.group();
    for (std::size_t b = 0; b < links_; ++b)
      if (blocks_->waits(static_cast<int>(i), static_cast<int>(b)))
        point.waits_for.push_back({true, PortId(output_port(b)), 0, 1, static_cast<int>(b)});
    point.movable = point.waits_for.empty();
    points.push_back(std::move(point));
  }
}

}  // namespace

std::unique_ptr<Router> make_block_router(const char* name, const BlockParams& params,
                                          const RouterSite& site, const MakeBlocks& make) {
  return std::make_unique<BlockRouter>(name, params, site, make);
}

std::unique_ptr<Router> make_block_router(const char* name, const BlockParams& params,
                                          const RouterSite& site) {
  return make_block_router(name, params, site, [](const BlockParams& blocks, const BlockWires& on) {
    auto router = std::make_unique<LanRouter>("blocks", blocks);
    router->bind(on);
    return router;
  });
}

}  // namespace flitwave
