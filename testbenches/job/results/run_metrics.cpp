// testbenches/job/results/run_metrics.cpp: see run_metrics.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/results/run_metrics.hpp"

#include <utility>

namespace flitwave {

namespace {

constexpr auto plain = MetricInfo::Forms::plain;
constexpr auto of_draws = MetricInfo::Forms::drawn;

void append(MetricInfos& all, MetricInfos more) {
  for (MetricInfo& info : more) all.push_back(std::move(info));
}

MetricInfos network_metrics() {
  return {
      {"transits", "flit", "flits that crossed a channel, summed over all channels"},
      {"packets", "packet", "packets that were created"},
      {"packets.in_network", "packet", "mean number of packets between injection and ejection"},
      {"deadlocked", "", "1 when the run ended in a deadlock, with allow_deadlock", plain,
       "share of runs that end in a deadlock"},
      {"circuits.granted", "", "circuits that were set up"},
      {"circuits.refused", "", "probes that did not get a circuit"},
      {"circuits.refused.max", "", "greatest number of rejected probes of a packet"},
      {"circuits.wait.max", "cycle", "longest time from a packet's first probe to its circuit"},
      {"medium.frames", "frame", "frames that a shared medium carried"},
      {"medium.collisions", "", "collisions on a shared medium"},
      {"medium.busy", "cycle", "cycles in which a shared medium was busy"},
  };
}

MetricInfos load_metrics() {
  MetricInfos all{
      {"saturated", "",
       "1 when the network does not carry what it is offered; not reported of a run that ends "
       "before this is known"},
      {"throughput.bound", "flit/node/cycle",
       "rate at which the busiest channel would be full, by the routing of the pattern", plain,
       "bound by the busiest channel"},
      {"source_queue.mean", "flit/node", "mean length of the queues of sources"},
      {"source_queue.growth", "flit/node/cycle", "growth of the queues of sources"},
      {"packets.growth", "packet/cycle", "growth of the packets in network and sources"},
      {"packets.growth_share", "", "packets gained in network and sources, of those offered"},
      {"requests.answered", "request", "requests of the window whose replies arrived"},
      {"requests.rate", "request/node/cycle", "requests whose replies arrived"},
  };
  append(all, sample_metrics("round_trip", "times from a request to its reply", "round trip"));
  append(all, interval_metrics("round_trip"));
  return all;
}

MetricInfos transaction_metrics() {
  return {
      {"transactions", "", "TLM transactions that have ended"},
      {"transactions.loads", "", "of these, loads"},
      {"transactions.stores", "", "of these, stores"},
      {"transactions.errors", "", "of these, with a response that is an error"},
      {"transactions.open", "", "TLM transactions that have not ended"},
      {"transactions.wrong", "", "loads that returned another value than their initiator expects"},
      {"transaction.time.mean", "ns", "mean time from the begin of a request to its response"},
      {"transaction.time.p50", "ns", "median of these times"},
      {"transaction.time.p99", "ns", "their 99th percentile"},
      {"transaction.time.max", "ns", "the greatest of them"},
  };
}

MetricInfos delivery_metrics() {
  MetricInfos all{
      {"delivery.count", "delivery", "deliveries released in the window"},
      {"delivery.incomplete", "delivery", "those of them that did not reach all destinations"},
      {"delivery.offered", "delivery/node/cycle", "deliveries released", plain, "offered load"},
      {"delivery.accepted", "delivery/node/cycle", "deliveries completed", plain, "accepted load"},
      {"delivery.payload", "B/node/cycle", "payload that reached destinations"},
  };
  append(all, sample_metrics("delivery", "times from release to the last destination",
                             "latency to the last destination"));
  append(all, interval_metrics("delivery"));
  append(all, sample_metrics("delivery.destination", "times from release to each destination",
                             "latency to a destination"));
  return all;
}

MetricInfos fault_metrics() {
  return {
      {"faults.nodes", "", "faulty nodes"},
      {"faults.links", "", "faulty links"},
      {"faults.valid", "", "1 when the faults meet the condition of their kind"},
      {"faults.valid_share", "", "share of random sets of faults that were valid"},
      {"faults.lost", "", "messages lost at faults"},
      {"faults.lost_destinations", "", "destinations of the messages lost"},
      {"faults.unreachable", "", "destinations that cannot be reached", of_draws},
      {"faults.never_sent", "", "messages never sent, since a message that they wait for was lost"},
      {"faults.rerouted", "", "messages that took another path because of faults"},
  };
}

MetricInfos collective_metrics() {
  const std::string last = "time to the last node";
  const std::string mean = "mean time to a node";
  return {
      {"collective.max", "cycle", "time until the last node has all of the operation", plain, last},
      {"collective.mean", "cycle", "mean time until a node has all of the operation", plain, mean},
      {"collective.max_us", "us", "collective.max as time", plain, last},
      {"collective.mean_us", "us", "collective.mean as time", plain, mean},
      {"overhead.rounding_us", "us", "software overheads rounded to cycles, beyond their times"},
      {"model.startup_us", "us", "start-ups in the algorithm's formula"},
      {"model.per_byte_us", "us", "time for each byte of the message in the algorithm's formula"},
      {"model.tau", "1/B", "tau of the formula: per byte over start-up"},
      {"model.max_us", "us", "time by the algorithm's formula"},
      {"model.error_us", "us", "time simulated, less time by the formula"},
      {"model.error", "%", "model.error_us of the time simulated", plain, "error of the formula"},
  };
}

MetricInfos array_metrics() {
  return {
      {"array.rows", "", "rows of processors that own the source section", of_draws,
       "rows of source processors"},
      {"array.columns", "", "columns of processors that own the source section", of_draws,
       "columns of source processors"},
      {"data.elements", "", "elements of the array section that was assigned"},
      {"data.right", "", "those of them that are as in the serial assignment"},
  };
}

MetricInfos draw_metrics() {
  return {
      {"draws", "", "draws of the demand"},
      {"destinations", "", "destinations of all deliveries", of_draws},
      {"transfers", "", "transfers of the schedule", of_draws},
  };
}

MetricInfos partition_metrics() {
  return {
      {"partition.networks", "", "distributing networks of a partition", of_draws},
      {"partition.node_contention", "", "most of them that share a node; 1: no node is shared",
       of_draws},
      {"partition.link_contention", "",
       "most of them that share a channel; 1: no channel is shared", of_draws},
      {"partition.least_link_contention", "", "fewest of them that a channel belongs to", of_draws},
      {"partition.nodes", "node", "nodes of all distributing networks, counted once per network",
       of_draws},
      {"partition.channels", "channel", "channels of the first distributing network", of_draws},
  };
}

MetricInfos search_metrics() {
  return {
      {"saturation", "flit/node/cycle",
       "greatest rate found at which the network is not saturated"},
      {"saturation.latency", "cycle", "latency.mean at that rate", plain,
       "mean latency at saturation"},
      {"saturation.accepted", "flit/node/cycle", "throughput.accepted at that rate", plain,
       "accepted load at saturation"},
      {"saturation.trials", "run", "runs of the search"},
  };
}

}  // namespace

MetricInfos steps_metrics() {
  return {
      {"steps", "", "message-passing steps of the schedule", of_draws, "steps"},
      {"steps.barrier", "", "those of the steps that belong to barriers of messages", of_draws},
      {"bound.messages", "message",
       "most messages on one channel if each is sent directly to its destination", of_draws},
      {"steps.least", "", "fewest steps in which the operation can be done", of_draws,
       "fewest steps possible"},
      {"steps.contentions", "", "pairs of transfers of a step that share a channel", of_draws},
      {"steps.class_contentions", "",
       "pairs of transfers of a step that share a class of virtual channels of a channel",
       of_draws},
      {"steps.overlapping", "",
       "pairs of a transfer and a channel whose class of virtual channels it shares with a "
       "transfer of another step of its message that may be under way at the same time",
       of_draws, "overlapping transfers"},
      {"steps.contending", "", "transfers that share a channel with one of their step", of_draws},
      {"steps.greatest_load", "", "most transfers of a step on one channel", of_draws},
      {"steps.mean_path", "channel", "mean path of a transfer", of_draws},
      {"steps.traffic", "channel", "channels on the paths of all transfers", of_draws, "traffic"},
      {"steps.depth", "channel", "longest path from the source to a destination", of_draws},
  };
}

MetricInfos run_metrics() {
  MetricInfos all = network_metrics();
  for (MetricInfos (*metrics)() :
       {load_metrics, transaction_metrics, delivery_metrics, fault_metrics, collective_metrics,
        array_metrics, draw_metrics, steps_metrics, partition_metrics, search_metrics})
    append(all, metrics());
  return all;
}

}  // namespace flitwave
