// tools/commands/describe.cpp: flitwave describe: the manual on a kind, or the graph of a job.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include "testbenches/experiments/manual/manual.hpp"
#include "testbenches/job/job.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/plots/partition_picture.hpp"
#include "testbenches/run/run_files.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/job_file.hpp"
#include "topologies/measures/measures.hpp"

namespace flitwave {

namespace {

struct DescribeOptions {
  JobFile file;  ///< The path may be the name of a kind instead.
  std::string dot;
  std::string graphml;
  std::string subnetworks;

  bool draws() const { return !dot.empty() || !graphml.empty() || !subnetworks.empty(); }
};

bool names_a_file(const std::string& name) {
  const std::string suffix = std::filesystem::path(name).extension();
  return suffix == ".yaml" || suffix == ".yml" || name.find('/') != std::string::npos;
}

void put(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  if (path == "-")
    fmt::print("{}", text);
  else
    write_file(path, text);
}

/// Throws: ConfigError when the job's algorithm has no subnetworks.
std::string subnetworks_of(const Job& job) {
  const Plan plan = Plan::make(job, Plan::Check::skip);
  if (!plan.schedule || !plan.schedule->partition())
    throw error_at(job, "algorithm", "the job's algorithm does not send over subnetworks",
                   "use algorithm: partitioned, or leave out --subnetworks");
  return partition_picture(*plan.schedule->partition());
}

int describe_job(const DescribeOptions& options, const Catalog& catalog) {
  const Job job = Job::read(load(options.file), catalog);
  if (!options.draws())
    throw ConfigError("", "for a job, describe writes the network as a graph",
                      "add --dot FILE or --graphml FILE, or --subnetworks FILE.svg; `flitwave "
                      "check` prints its figures");
  const std::string subnetworks = options.subnetworks.empty() ? "" : subnetworks_of(job);
  const Topology topology = job.topology.build();
  put(options.dot, to_dot(topology));
  put(options.graphml, to_graphml(topology));
  put(options.subnetworks, subnetworks);
  return 0;
}

int describe(const DescribeOptions& options, const Catalog& catalog) {
  if (names_a_file(options.file.path)) return describe_job(options, catalog);
  if (options.draws())
    throw ConfigError("", detail::in_quotes(options.file.path) + " is not a job",
                      "--dot, --graphml and --subnetworks need a job file, JOB.yaml");
  fmt::print("{}", describe(manual(catalog), options.file.path));
  return 0;
}

}  // namespace

Command describe_command(const Catalog& catalog) {
  const auto options = std::make_shared<DescribeOptions>();
  return {"describe",
          "explain a kind or a section, or export the network of a job",
          {Option("WHAT", &options->file.path,
                  "a kind (torus, topology.torus), a section (channel), or JOB.yaml")
               .required(),
           {"--dot", &options->dot, "write the job's network for Graphviz; - prints it"},
           {"--graphml", &options->graphml, "write it as GraphML; - prints it"},
           {"--subnetworks", &options->subnetworks,
            "plot the subnetworks of the job's algorithm, as SVG; - prints it"},
           Option("--set", &options->file.settings, "KEY=VALUE: changes a setting of the job")
               .one_at_a_time()},
          [options, &catalog] { return describe(*options, catalog); },
          {}};
}

}  // namespace flitwave
