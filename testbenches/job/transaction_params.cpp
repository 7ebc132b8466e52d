// testbenches/job/transaction_params.cpp: see transaction_params.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/transaction_params.hpp"

namespace flitwave {

namespace {

Schema<RegionParams> region_schema() {
  using P = RegionParams;
  return Schema<P>{}
      .required("base", &P::base, "first address")
      .required("size", &P::size, "number of addresses", at_least(1))
      .required("node", &P::node, "node of the device")
      .optional("device", &P::device,
                "name of the device at the node; empty: the only one of the node");
}

}  // namespace

RegionParams Codec<RegionParams>::read(const ConfigNode& node) {
  RegionParams region = region_schema().parse(node);
  region.place = node.place();
  region.path = node.path();
  if (region.base.value > UINT64_MAX - static_cast<std::uint64_t>(region.size.count - 1))
    throw node.error("the region ends beyond the last address of 64 bits",
                     "give it a lower base or a smaller size");
  return region;
}

std::string Codec<RegionParams>::print(const RegionParams& value) {
  return map_text(region_schema().print(value));
}

ValueType Codec<RegionParams>::type() {
  return {"map", "{base: 0x80000000, size: 64 KiB, node: [3, 3]}", R"({"type":"object"})"};
}

Schema<TransactionParams> transaction_schema() {
  using P = TransactionParams;
  return Schema<P>{}
      .optional("map", &P::map,
                "the device that serves an address: a list of {base, size, node, device}; a device "
                "sees addresses from its base on; without `device`, the only one of the node")
      .optional("command", &P::command,
                "length of a request besides its data: command, address and length", at_least(0))
      .optional("status", &P::status, "length of a reply besides its data", at_least(0))
      .optional("message_classes", &P::message_classes,
                "2: requests and replies have virtual channels of their own on every channel; 1: "
                "they share all",
                between(1, 2))
      .optional(
          "answer_within", &P::answer_within,
          "a target that has had a request for longer ends the run with an error, unless it is a "
          "memory of the job; 0 cycle: never",
          at_least(0));
}

}  // namespace flitwave
