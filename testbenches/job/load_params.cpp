// testbenches/job/load_params.cpp: see load_params.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/load_params.hpp"

#include <utility>

#include "modules/signals/flit.hpp"

namespace flitwave {

namespace {

template <class Params>
Schema<Params> with_measurement(Schema<Params> schema, const char* measure, double least) {
  return std::move(schema)
      .optional("warmup", &Params::warmup, "cycles before packets are counted", at_least(0))
      .optional("measure", &Params::measure, measure, at_least(least))
      .optional(
          "drain", &Params::drain,
          "how long to wait for these packets after that; then the network counts as saturated",
          at_least(0));
}

}  // namespace

Schema<TrafficParams> traffic_schema() {
  using P = TrafficParams;
  return with_measurement(
      Schema<P>{}
          .optional("pattern", &P::pattern,
                    "sources and destinations of packets, e.g. uniform or {kind: uniform}")
          .optional(
              "injection", &P::injection,
              "when sources create packets, e.g. bernoulli or {kind: bursty, burst: 50 cycle}")
          .required("rate", &P::rate, "offered load", between(0, 1))
          .optional("packet", &P::packet, "length of every packet",
                    between(1, static_cast<double>(Flit::max_length))),
      "cycles whose packets are counted; the run ends when all of them have arrived", 1);
}

Schema<TraceParams> trace_schema() {
  using P = TraceParams;
  return with_measurement(
      Schema<P>{}.required("file", &P::file,
                           "lines CYCLE SOURCE DESTINATION FLITS, in any order; cycles count from "
                           "0, nodes are numbers or names as 3_4, # starts a comment; relative to "
                           "the job's folder"),
      "cycles whose packets are counted; 0 cycle: up to the last packet of the file", 0);
}

Schema<RequestParams> request_schema() {
  using P = RequestParams;
  const Range length = between(1, static_cast<double>(Flit::max_length));
  return with_measurement(
      Schema<P>{}
          .optional("pattern", &P::pattern,
                    "sources and destinations of requests, e.g. uniform or {kind: uniform}")
          .optional("window", &P::window,
                    "outstanding requests of a node; a reply is followed by the next request",
                    between(1, 1000))
          .optional("request", &P::request, "length of every request", length)
          .optional("reply", &P::reply, "length of every reply", length)
          .optional("service", &P::service,
                    "time from the arrival of a request until its reply is handed to the interface",
                    at_least(0))
          .optional("message_classes", &P::message_classes,
                    "2: requests and replies have virtual channels of their own on every channel; "
                    "1: they share all",
                    between(1, 2))
          .optional(
              "reply_queue", &P::reply_queue,
              "requests that an interface holds until their replies have left; an interface that "
              "holds as many accepts no further one. 0: unlimited",
              between(0, 1e6)),
      "cycles whose requests are counted; the run ends when all their replies have arrived", 1);
}

}  // namespace flitwave
