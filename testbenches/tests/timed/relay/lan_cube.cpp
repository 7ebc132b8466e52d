// testbenches/tests/timed/relay/lan_cube.cpp: see lan_cube.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/relay/lan_cube.hpp"

namespace flitwave::test {
namespace {

sc_core::sc_time picoseconds(std::int64_t count) {
  return sc_core::sc_time(static_cast<double>(count), sc_core::SC_PS);
}

}  // namespace

LanProcessor::LanProcessor(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name), field_(params.field), acknowledges_after_(params.answers_after(true)) {
  SC_METHOD(tick);
  sensitive << clk.pos();
  dont_initialize();
}

void LanProcessor::tick() {
  ++edge_;
  inject();
  eject();
}

void LanProcessor::inject() {
  if (next_ == 0) {
    if (!requesting_) {
      requesting_ = !queue_.empty() && queue_.front().edge <= edge_;
      injection.rts.write(requesting_);
    } else if (injection.ack.read()) {
      requesting_ = false;
      injection.rts.write(false);
      queue_.front().edge = edge_;
      show();
    }
  } else if (++beats_ < field_) {
    injection.valid.write(beats_ + 1 == field_);
    injection.eom.write(beats_ + 1 == field_ && next_ == queue_.front().fields.size());
  } else if (next_ < queue_.front().fields.size()) {
    show();
  } else {
    injection.valid.write(false);
    injection.eom.write(false);
    sent.push_back(queue_.front());
    queue_.pop_front();
    next_ = 0;
  }
}

void LanProcessor::show() {
  const std::vector<CubeBits>& fields = queue_.front().fields;
  drive(injection.flit, fields[next_++]);
  beats_ = 0;
  injection.valid.write(field_ == 1);
  injection.eom.write(field_ == 1 && next_ == fields.size());
}

void LanProcessor::eject() {
  if (ejection.valid.read()) arriving_.push_back(cube_bits(ejection.flit.read()));
  if (ejection.valid.read() && ejection.eom.read()) {
    got.push_back({edge_, arriving_});
    arriving_.clear();
    ejection.ack.write(false);
    request_age_ = 0;
  } else if (ejection.rts.read() && request_age_++ == acknowledges_after_) {
    ejection.ack.write(true);
  }
}

LanCube::LanCube(const sc_core::sc_module_name& name, const BlockParams& params,
                 const FaultsAt& faults)
    : sc_module(name),
      cube_(params.dimensions),
      ports_(static_cast<std::size_t>(params.outputs())),
      clk_("clk", picoseconds(period), 0.5, picoseconds(period)),
      processors_("processor", static_cast<std::size_t>(cube_.nodes()),
                  [&params](const char* processor, std::size_t) {
                    return new LanProcessor(processor, params);
                  }) {
  const int n = params.dimensions;
  for (CubeAddress node = 0; node <= cube_.all(); ++node) {
    const std::string at = binary(cube_, node);
    addresses_.push_back(
        std::make_unique<BusSignal>(("address_" + at).c_str(), bus_value(n, node)));
    faults_.push_back(
        std::make_unique<BusSignal>(("faults_" + at).c_str(), bus_value(n, faults(node))));
    routers_.push_back(std::make_unique<LanRouter>(("router_" + at).c_str(), params));
    for (int j = 0; j < n; ++j)
      links_.push_back(std::make_unique<FieldLink>(
          ("link_" + at + "_to_" + binary(cube_, node ^ bit(j))).c_str(), n));
    links_.push_back(std::make_unique<FieldLink>(("inject_" + at).c_str(), n));
    ejections_.push_back(std::make_unique<FieldLink>(("eject_" + at).c_str(), n));
  }
  connect(params);
}

void LanCube::connect(const BlockParams& params) {
  const auto n = static_cast<std::size_t>(params.dimensions);
  for (CubeAddress node = 0; node <= cube_.all(); ++node) {
    LanRouter& router = *routers_[node];
    router.clk(clk_);
    router.local_addr(*addresses_[node]);
    router.fault_vector(*faults_[node]);
    for (std::size_t j = 0; j < n; ++j) {
      router.out_ch[j].bind(*links_[node * ports_ + j]);
      router.in_ch[j].bind(*links_[(node ^ bit(static_cast<int>(j))) * ports_ + j]);
    }
    router.in_ch[n].bind(*links_[node * ports_ + n]);
    router.out_ch[n].bind(*ejections_[node]);
    processors_[node].clk(clk_);
    processors_[node].injection.bind(*links_[node * ports_ + n]);
    processors_[node].ejection.bind(*ejections_[node]);
  }
}

void LanCube::run(std::int64_t edges) {
  // Runs stop between two edges.
  const std::int64_t before = edges_ == 0 ? 0 : edges_ * period + period / 2;
  edges_ += edges;
  sc_core::sc_start(picoseconds(edges_ * period + period / 2 - before));
}

}  // namespace flitwave::test
