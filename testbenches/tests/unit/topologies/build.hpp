// testbenches/tests/unit/topologies/build.hpp: topologies built from sections of a job, for tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "algorithms/pure_catalog.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

inline Topologies all_topologies() { return pure_catalog().topologies; }

/// The topology of the section {`settings`}, e.g. build("kind: mesh, shape: [8, 8]"), in a job
/// named `file`.
inline Topology build(const std::string& settings, const std::string& file = "job.yaml") {
  static const Topologies topologies = all_topologies();
  const ConfigNode job = ConfigNode::parse("topology: {" + settings + "}\n", file);
  return topologies.bind(job.at("topology")).build();
}

/// The error text of building the section; empty if it succeeds.
inline std::string error_of(const std::string& settings, const std::string& file = "job.yaml") {
  try {
    build(settings, file);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace flitwave
