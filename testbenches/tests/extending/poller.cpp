// testbenches/tests/extending/poller.cpp: an example of a user-defined TLM initiator.
// SPDX-License-Identifier: Apache-2.0
// [node]
#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>

#include "modules/tlm/address_map.hpp"
#include "modules/tlm/devices/node_device.hpp"

namespace flitwave {
namespace {

struct PollerParams {
  Address address;
  int times = 10;
  Cycles pause{100};
};

/// Loads a word again and again.
class Poller final : public sc_core::sc_module, public NodeDevice {
 public:
  SC_HAS_PROCESS(Poller);
  Poller(const sc_core::sc_module_name& name, const PollerParams& params, const NodeSite& site)
      : sc_module(name), params_(params), site_(site), left_(params.times) {
    socket_.bind(site.bridge.for_initiator());
    SC_THREAD(poll);
  }

  bool is_done() const override { return left_ == 0; }

 private:
  void poll() {
    for (; left_ > 0; --left_) {
      wait(time_of(params_.pause.count * site_.domain.period().picoseconds));
      unsigned char data[4];
      tlm::tlm_generic_payload payload;
      payload.set_read();
      payload.set_address(params_.address.value);
      payload.set_data_ptr(data);
      payload.set_data_length(4);
      payload.set_streaming_width(4);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket_->b_transport(payload, delay);
      wait(delay);
    }
    site_.done();
  }

  PollerParams params_;
  NodeSite site_;
  int left_;
  tlm_utils::simple_initiator_socket<Poller> socket_{"socket"};
};

}  // namespace

void register_poller(Nodes& nodes) {
  using P = PollerParams;
  nodes.add("poller", {"an initiator that loads a word again and again", ""},
            Schema<P>{}
                .required("address", &P::address, "of the word")
                .optional("times", &P::times, "number of loads", at_least(1))
                .optional("pause", &P::pause, "time before each load", at_least(1)),
            [](const P& params, const NodeSite& site) {
              return std::unique_ptr<NodeDevice>(std::make_unique<Poller>("poller", params, site));
            });
}

}  // namespace flitwave
// [node]
