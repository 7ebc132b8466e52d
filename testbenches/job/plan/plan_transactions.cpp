// testbenches/job/plan/plan_transactions.cpp: see plan_transactions.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan/plan_transactions.hpp"

#include <string>
#include <utility>
#include <vector>

namespace flitwave {

namespace {

void place_devices(const Job& job, Plan& plan) {
  for (std::size_t i = 0; i < job.devices.size(); ++i)
    for (const ConfigNode& written : job.devices[i].nodes) {
      const NodeId node = plan.topology->find(written);
      int& number = plan.devices_of_node[node.index()];
      if (number >= 0)
        throw written.error("node " + plan.topology->label(node) + " is named twice in node.at",
                            "give a node all its devices in one entry");
      number = static_cast<int>(i);
    }
}

AddressMap address_map(const Job& job, const Plan& plan) {
  std::vector<AddressRegion> regions;
  for (const RegionParams& entry : job.transactions->map) {
    const NodeId node = plan.topology->find(entry.node);
    if (plan.devices_of_node[node.index()] < 0)
      throw ConfigError(
          entry.place, entry.path, "node " + plan.topology->label(node) + " has no devices",
          "name it in node.at, e.g. {nodes: [...], kind: tlm, memory: {size: 64 KiB}}");
    regions.push_back({entry.base.value, static_cast<std::uint64_t>(entry.size.count), node,
                       entry.device, entry.path});
  }
  return AddressMap(std::move(regions));
}

/// Throws: ConfigError for settings under which messages of transactions could be lost or be mixed
///   up with others.
void check_settings(const Job& job) {
  if (job.requests)
    throw error_at(job, "requests",
                   "requests and replies of transactions are counted as those of "
                   "`requests`, so that a job has one of them",
                   "remove it, or the devices in node.at");
  if (job.faults && !job.faults->later.empty())
    throw error_at(job, "faults.later", "transactions would be lost with their messages",
                   "list faults that exist from the start, or remove the devices in node.at");
  if (job.node.overhead == Overhead::path_held)
    throw error_at(job, "node.overhead",
                   "path_held holds a path between a head and the rest of a packet; messages of "
                   "transactions may be a single flit",
                   "use overhead: serialized or overlapped, or remove the devices in node.at");
  if (job.node.ejection == Ejection::half_duplex)
    throw error_at(job, "node.ejection", "half-duplex nodes support collectives only",
                   "leave out ejection: half_duplex, or the devices in node.at");
  if (job.channel.handshake == Handshake::request)
    throw error_at(job, "channel.handshake",
                   "routers with this handshake relay messages of collectives only",
                   "set channel.handshake to credit, or remove the devices in node.at");
}

}  // namespace

void plan_transactions(const Job& job, Plan& plan) {
  plan.devices_of_node.assign(index(plan.topology->nodes()), -1);
  if (job.devices.empty()) return;
  check_settings(job);
  place_devices(job, plan);
  try {
    plan.address_map = address_map(job, plan);
  } catch (const ConfigError& error) {
    throw detail::located(error, job.written);
  }
}

}  // namespace flitwave
