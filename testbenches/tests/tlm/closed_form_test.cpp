// testbenches/tests/tlm/closed_form_test.cpp: the time of a transaction in an idle network.
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <stdexcept>
#include <string>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

#include <fmt/format.h>

#include "modules/tlm/devices/payload_pool.hpp"
#include "modules/tlm/tlm_bridge.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/run/network.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/tlm/tlm_job.hpp"

namespace closed_form_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr int side = 4;
constexpr int nodes = side * side;

std::string label(int node) { return fmt::format("{}_{}", node % side, node / side); }

/// Answers at once, with an annotated delay.
class Target final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Target> socket{"socket"};
  std::int64_t delay = 0;  ///< Unit: ps

  explicit Target(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Target::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& annotated) {
    annotated += time_of(delay);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

struct Probe {
  int from;
  int to;
  bool store;
  unsigned bytes;
  std::int64_t at;      ///< Beyond a clock edge. Unit: ps
  std::int64_t before;  ///< Annotated delay of the request. Unit: ps
  std::int64_t after;   ///< Annotated delay of the response. Unit: ps
};

/// The time from the call, by the closed form of each of the two messages.
class Expectation {
 public:
  /// `command`, `status`: the bytes of a request and of a reply beside the data.
  Expectation(const Scenario& job, std::int64_t command, std::int64_t status)
      : job_(Job::read(job, standard_catalog())),
        plan_(Plan::make(job_)),
        command_(command),
        status_(status) {}

  std::int64_t time(const Probe& probe) const {
    const std::int64_t data = probe.bytes;
    std::int64_t time = probe.at + probe.before;
    time = message(edge_after(time), probe, command_ + (probe.store ? data : 0)) + probe.after;
    time = message(edge_after(time), probe, status_ + (probe.store ? 0 : data));
    return time - probe.at;
  }

 private:
  std::int64_t edge_after(std::int64_t time) const {
    const std::int64_t period = job_.clock.period.picoseconds;
    return (time / period + 1) * period;
  }

  /// A message that is handed over at a time: when the processor at its destination has it. It
  /// handles a message in the cycle after the interface has completed it.
  std::int64_t message(std::int64_t time, const Probe& probe, std::int64_t bytes) const {
    if (probe.from == probe.to) return time;
    const int hops = std::abs(probe.from % side - probe.to % side) +
                     std::abs(probe.from / side - probe.to / side);
    const std::int64_t flits = 1 + (bytes + 3) / 4;
    return time +
           (plan_.closed_form->packet_latency(hops, flits) + 1) * job_.clock.period.picoseconds;
  }

  Job job_;
  Plan plan_;
  std::int64_t command_;
  std::int64_t status_;
};

/// Makes transactions one after the other, from any node.
class Prober final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Prober);
  using Socket = tlm_utils::simple_initiator_socket<Prober>;

  Prober(const sc_core::sc_module_name& name, std::vector<Probe> probes, std::int64_t period,
         std::vector<std::unique_ptr<Target>>& targets, bool blocking)
      : sc_module(name),
        probes_(std::move(probes)),
        period_(period),
        targets_(targets),
        blocking_(blocking) {
    for (int i = 0; i < nodes; ++i) {
      sockets.push_back(std::make_unique<Socket>(fmt::format("socket_{}", i).c_str()));
      sockets.back()->register_nb_transport_bw(this, &Prober::nb_transport_bw);
    }
    SC_THREAD(run);
  }

  std::vector<std::unique_ptr<Socket>> sockets;
  std::vector<std::int64_t> times;

 private:
  void run() {
    std::vector<unsigned char> data(64);
    for (const Probe& probe : probes_) {
      const std::int64_t now = picoseconds_now();
      wait(time_of((now / period_ + 10) * period_ + probe.at - now));  // the network is idle
      targets_[static_cast<std::size_t>(probe.to)]->delay = probe.after;
      tlm::tlm_generic_payload& payload = payloads_.take();
      payload.set_command(probe.store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      payload.set_address(address_of(probe.to % side, probe.to / side));
      payload.set_data_ptr(data.data());
      payload.set_data_length(probe.bytes);
      payload.set_streaming_width(probe.bytes);
      const std::int64_t begun = picoseconds_now();
      sc_core::sc_time delay = time_of(probe.before);
      Socket& socket = *sockets[static_cast<std::size_t>(probe.from)];
      if (blocking_) {
        socket->b_transport(payload, delay);
      } else {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        socket->nb_transport_fw(payload, phase, delay);
        wait(response_);
      }
      if (!payload.is_response_ok()) throw std::runtime_error("a response is an error");
      times.push_back(picoseconds_now() - begun);
      payload.release();
    }
    sc_core::sc_stop();
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    response_.notify();
    return tlm::TLM_COMPLETED;
  }

  std::vector<Probe> probes_;
  std::int64_t period_;
  std::vector<std::unique_ptr<Target>>& targets_;
  bool blocking_;
  PayloadPool payloads_;
  sc_core::sc_event response_{"response"};
};

/// All pairs of nodes, itself included, with annotated delays of all kinds.
std::vector<Probe> all_pairs(std::int64_t period) {
  std::vector<Probe> probes;
  const std::vector<std::int64_t> delays{0,      1,          period / 2, period - 1,
                                         period, period + 1, 7 * period};
  for (int from = 0; from < nodes; ++from)
    for (int to = 0; to < nodes; ++to) {
      const std::size_t number = probes.size();
      const auto pick = [&](std::size_t step) { return delays[number / step % delays.size()]; };
      probes.push_back({from, to, number % 2 == 0, 1 + static_cast<unsigned>(number % 19),
                        pick(1) % period, pick(7), pick(49)});
    }
  return probes;
}

}  // namespace

TEST_CASE(
    "a transaction takes the closed form of its two messages plus annotated delays, for every "
    "pair of a 4x4 mesh",
    "[tlm]") {
  const std::string period = GENERATE("1 ns", "3 ns");
  const bool blocking = GENERATE(true, false);
  const bool other_lengths = GENERATE(false, true);
  Scenario job = tlm_mesh({{"clock.period", period}});
  if (other_lengths)
    job = job.with("transactions.command", "5 B")
              .with("transactions.status", "7 B")
              .with("transactions.message_classes", "2")
              .with("channel.vcs", "2");
  const Expectation expectation(job, other_lengths ? 5 : 8, other_lengths ? 7 : 4);
  const std::int64_t picoseconds = period == "1 ns" ? 1000 : 3000;
  const std::vector<Probe> probes = all_pairs(picoseconds);

  CHECK(in_child([&] {
          Network network("network", job);
          std::vector<std::unique_ptr<Target>> targets;
          for (int i = 0; i < nodes; ++i) {
            targets.push_back(std::make_unique<Target>(("target_" + label(i)).c_str()));
            network.tlm(label(i)).for_target("target").bind(targets.back()->socket);
          }
          Prober prober("prober", probes, picoseconds, targets, blocking);
          for (int i = 0; i < nodes; ++i)
            prober.sockets[static_cast<std::size_t>(i)]->bind(
                network.tlm(label(i)).for_initiator());
          sc_core::sc_start();
          if (prober.times.size() != probes.size()) throw std::runtime_error("some did not end");
          for (std::size_t i = 0; i < probes.size(); ++i)
            if (prober.times[i] != expectation.time(probes[i]))
              throw std::runtime_error(fmt::format("from {} to {}: {} ps, expected {}",
                                                   label(probes[i].from), label(probes[i].to),
                                                   prober.times[i], expectation.time(probes[i])));
        }) == "");
}

}  // namespace closed_form_test
