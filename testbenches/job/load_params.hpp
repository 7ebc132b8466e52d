// testbenches/job/load_params.hpp: the sections of a job that specify its load and the cycles in
// which packets are counted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configs/input_file.hpp"
#include "configs/schema.hpp"

namespace flitwave {

/// Which packets of a load are counted, and how long the run waits for them.
struct MeasurementParams {
  Cycles warmup{1000};
  Cycles measure{10000};
  Cycles drain{20000};
};

/// Section `traffic`, without the parameters of pattern and injection.
struct TrafficParams : MeasurementParams {
  ConfigNode pattern = ConfigNode::map({{"kind", ConfigNode::scalar("uniform")}});
  ConfigNode injection = ConfigNode::map({{"kind", ConfigNode::scalar("bernoulli")}});
  Rate rate;
  Flits packet{4};
};
Schema<TrafficParams> traffic_schema();

/// Section `trace`.
struct TraceParams : MeasurementParams {
  TraceParams() {
    warmup = Cycles{0};
    measure = Cycles{0};
  }
  InputFile file;
};
Schema<TraceParams> trace_schema();

/// Section `requests`, without the parameters of the pattern.
struct RequestParams : MeasurementParams {
  ConfigNode pattern = ConfigNode::map({{"kind", ConfigNode::scalar("uniform")}});
  int window = 4;
  Flits request{1};
  Flits reply{4};
  Cycles service{0};
  int message_classes = 1;
  int reply_queue = 0;
};
Schema<RequestParams> request_schema();

}  // namespace flitwave
