// testbenches/fuzz_reader/corpus_test.cpp: any input that is read as a job ends without a fault,
// and soon.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "configs/error.hpp"
#include "configs/scenario.hpp"
#include "testbenches/fuzz_reader/job_mutator.hpp"
#include "testbenches/job/needed_parts.hpp"
#include "testbenches/tests/catch.hpp"

namespace corpus_test {

using namespace flitwave;
using namespace flitwave::fuzz_reader;

namespace fs = std::filesystem;

namespace {

/// Includes a margin for sanitizers and busy machines.
constexpr unsigned most_seconds = 60;
constexpr long most_kilobytes = 1'000'000;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Resident memory of this process, which a child process starts with. Unit: KiB
long resident_kilobytes() {
  std::ifstream statm("/proc/self/statm");
  long pages = 0;
  statm >> pages >> pages;
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/// The result of an input in its own process.
struct InputResult {
  std::string fault;  ///< Empty: none.
  Verdict verdict = Verdict::rejected;
};

[[noreturn]] void run_child(const JobInput& input) {
  alarm(most_seconds);
  try {
    _exit(static_cast<int>(take(input)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  _exit(9);
}

InputResult result_of(const JobInput& input) {
  const long held = resident_kilobytes();
  const pid_t child = fork();
  if (child == 0) run_child(input);
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child) return {"no child process"};
  if (WIFSIGNALED(status)) return {"signal " + std::to_string(WTERMSIG(status))};
  if (WEXITSTATUS(status) > static_cast<int>(Verdict::planned)) return {"an exception"};
  if (used.ru_maxrss - held > most_kilobytes)
    return {std::to_string(used.ru_maxrss - held) + " KiB of memory"};
  return {"", static_cast<Verdict>(WEXITSTATUS(status))};
}

/// The errors of these jobs are beyond `take`: in a network that is too large to be planned here,
/// or in the names of a network that was built.
const std::set<std::string> errors_beyond_take{"edn_deep_torus_of_four_ports.yaml",
                                               "edn_seven_of_three_ports.yaml",
                                               "lan_blocks_of_seven_dimensions.yaml",
                                               "optimal_multicast_too_long.yaml",
                                               "tlm_device_unclear.yaml",
                                               "tlm_device_unknown.yaml",
                                               "tlm_fractional_time.yaml",
                                               "tlm_negative_time.yaml",
                                               "tlm_node_unbound.yaml",
                                               "tlm_program_missing.yaml",
                                               "tlm_registers_of_compared.yaml",
                                               "tlm_store_without_value.yaml",
                                               "tlm_unknown_command.yaml",
                                               "tlm_value_too_long.yaml",
                                               "too_many_nodes.yaml",
                                               "transpose_too_long.yaml",
                                               "wave_matches_nothing.yaml",
                                               "wave_of_compact_router.yaml"};

/// The jobs of the project, each with the traces beside it.
std::vector<JobInput> jobs_of_the_project() {
  std::vector<JobInput::Part> traces;
  for (const fs::path& file : files_in("configs/traces"))
    traces.emplace_back(file.filename().string(), read(file));
  std::vector<JobInput> jobs;
  for (const fs::path& file : files_in("configs/scenarios"))
    if (has_needed_part(Scenario::load(file.string()).tree())) jobs.push_back({read(file), traces});
  return jobs;
}

}  // namespace

TEST_CASE("every input of the corpus is a job or is rejected", "[fuzz]") {
  const std::vector<fs::path> files = files_in("testbenches/fuzz_reader/corpus");
  int planned = 0;
  for (const fs::path& file : files) {
    const InputResult result = result_of(JobInput::parse(read(file)));
    INFO(file);
    CHECK(result.fault == "");
    planned += result.verdict == Verdict::planned ? 1 : 0;
  }

  CHECK(files.size() >= 50);
  CHECK(planned >= 20);
}

TEST_CASE("an invalid job is rejected, and a scenario of the project is planned", "[fuzz]") {
  for (const fs::path& file : files_in("testbenches/tests/bad_jobs")) {
    JobInput input{read(file), {}};
    const std::string args = "\n# args: --set ";
    const std::size_t at = input.job.find(args);
    if (at != std::string::npos) {
      const std::size_t begin = at + args.size();
      std::string setting = input.job.substr(begin, input.job.find('\n', begin) - begin);
      setting.erase(std::remove(setting.begin(), setting.end(), '\''), setting.end());
      input.parts.emplace_back("set", setting);
    }
    INFO(file);
    const InputResult result = result_of(input);
    CHECK(result.fault == "");
    CHECK((result.verdict == Verdict::rejected) ==
          (errors_beyond_take.count(file.filename()) == 0));
  }
  for (JobInput& input : jobs_of_the_project()) {
    const std::string folder = "../traces/";
    const std::size_t at = input.job.find(folder);
    if (at != std::string::npos) input.job.erase(at, folder.size());
    INFO(input.job);
    const InputResult result = result_of(input);
    CHECK(result.fault == "");
    CHECK(result.verdict != Verdict::rejected);
  }
}

TEST_CASE("randomly changed jobs are planned or rejected", "[fuzz]") {
  const JobMutator mutator;
  const std::vector<JobInput> jobs = jobs_of_the_project();
  int planned = 0;
  constexpr int count = 400;
  for (int number = 0; number < count; ++number) {
    Random random(1, "jobs", static_cast<std::uint64_t>(number));
    const JobInput changed = mutator.mutate(jobs[random.below(jobs.size())], random);
    INFO("number " << number << ":\n" << changed.job);
    const InputResult result = result_of(changed);
    CHECK(result.fault == "");
    planned += result.verdict == Verdict::planned ? 1 : 0;
  }

  CHECK(planned > count / 20);
  CHECK(planned < count);
}

TEST_CASE("an input consists of a job and the files beside it", "[fuzz]") {
  const std::string text = "scenario: a\n#=== net.graphml\n<graphml/>\n#=== set\nseed=2\n";

  const JobInput input = JobInput::parse(text);

  CHECK(input.job == "scenario: a\n");
  CHECK(input.parts ==
        std::vector<JobInput::Part>{{"net.graphml", "<graphml/>\n"}, {"set", "seed=2\n"}});
  CHECK(input.text() == text);
  CHECK(JobInput::parse("a\n#=== ../b\nc").job == "a\n#=== ../b\nc");
}

TEST_CASE("an endless file that a job names is rejected", "[fuzz]") {
  const InputResult result =
      result_of({"scenario: a\ntopology: {kind: custom, file: /dev/zero}\n"
                 "traffic: {rate: 0.1 flit/node/cycle}\n",
                 {}});

  CHECK(result.fault == "");
  CHECK(result.verdict == Verdict::rejected);
}

}  // namespace corpus_test
