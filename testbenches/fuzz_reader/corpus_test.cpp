// testbenches/fuzz_reader/corpus_test.cpp: whatever is read as a job ends well, and soon.
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
#include "testbenches/fuzz_reader/job_mutator.hpp"
#include "testbenches/tests/catch.hpp"

namespace corpus_test {

using namespace flitwave;
using namespace flitwave::fuzz_reader;

namespace fs = std::filesystem;

namespace {

/// Sanitizers, and machines that are busy, take their share.
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

/// What this process holds, and with it a child at its birth. Unit: KiB
long resident_kilobytes() {
  std::ifstream statm("/proc/self/statm");
  long pages = 0;
  statm >> pages >> pages;
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/// What became of an input in a process of its own.
struct Fate {
  std::string fault;  ///< Empty: none.
  Verdict verdict = Verdict::refused;
};

[[noreturn]] void be_child(const JobInput& input) {
  alarm(most_seconds);
  try {
    _exit(static_cast<int>(take(input)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  _exit(9);
}

Fate fate_of(const JobInput& input) {
  const long held = resident_kilobytes();
  const pid_t child = fork();
  if (child == 0) be_child(input);
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child) return {"no process for it"};
  if (WIFSIGNALED(status)) return {"signal " + std::to_string(WTERMSIG(status))};
  if (WEXITSTATUS(status) > static_cast<int>(Verdict::planned)) return {"an exception"};
  if (used.ru_maxrss - held > most_kilobytes)
    return {std::to_string(used.ru_maxrss - held) + " KiB of memory"};
  return {"", static_cast<Verdict>(WEXITSTATUS(status))};
}

/// What is wrong with these is found in what `take` does not reach: in a network that is too large
/// to be planned here, and in the names of a network that was built.
const std::set<std::string> broken_later{"edn_deep_torus_of_four_ports.yaml",
                                         "edn_seven_of_three_ports.yaml",
                                         "lan_blocks_of_seven_dimensions.yaml",
                                         "optimal_multicast_too_long.yaml",
                                         "too_many_nodes.yaml",
                                         "transpose_too_long.yaml",
                                         "wave_matches_nothing.yaml",
                                         "wave_of_compact_router.yaml"};

/// The jobs that come with the project.
std::vector<JobInput> jobs_of_the_project() {
  std::vector<JobInput> jobs;
  for (const fs::path& file : files_in("configs/scenarios"))
    jobs.push_back({read(file), {{"gather.txt", read("configs/traces/gather.txt")}}});
  return jobs;
}

}  // namespace

TEST_CASE("every input of the corpus is a job, or is refused as a wrong one", "[fuzz]") {
  const std::vector<fs::path> files = files_in("testbenches/fuzz_reader/corpus");
  int planned = 0;
  for (const fs::path& file : files) {
    const Fate fate = fate_of(JobInput::parse(read(file)));
    INFO(file);
    CHECK(fate.fault == "");
    planned += fate.verdict == Verdict::planned ? 1 : 0;
  }

  CHECK(files.size() >= 50);
  CHECK(planned >= 20);
}

TEST_CASE("a broken job is refused, and a scenario of the project is planned", "[fuzz]") {
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
    const Fate fate = fate_of(input);
    CHECK(fate.fault == "");
    CHECK((fate.verdict == Verdict::refused) == (broken_later.count(file.filename()) == 0));
  }
  for (JobInput& input : jobs_of_the_project()) {
    const std::string folder = "../traces/";
    const std::size_t at = input.job.find(folder);
    if (at != std::string::npos) input.job.erase(at, folder.size());
    INFO(input.job);
    const Fate fate = fate_of(input);
    CHECK(fate.fault == "");
    CHECK(fate.verdict != Verdict::refused);
  }
}

TEST_CASE("jobs changed at random end in a plan or are refused", "[fuzz]") {
  const JobMutator mutator;
  const std::vector<JobInput> jobs = jobs_of_the_project();
  int planned = 0;
  constexpr int count = 400;
  for (int number = 0; number < count; ++number) {
    Random random(1, "jobs", static_cast<std::uint64_t>(number));
    const JobInput changed = mutator.mutate(jobs[random.below(jobs.size())], random);
    INFO("number " << number << ":\n" << changed.job);
    const Fate fate = fate_of(changed);
    CHECK(fate.fault == "");
    planned += fate.verdict == Verdict::planned ? 1 : 0;
  }

  CHECK(planned > count / 20);
  CHECK(planned < count);
}

TEST_CASE("an input is a job and the files beside it", "[fuzz]") {
  const std::string text = "scenario: a\n#=== net.graphml\n<graphml/>\n#=== set\nseed=2\n";

  const JobInput input = JobInput::parse(text);

  CHECK(input.job == "scenario: a\n");
  CHECK(input.parts ==
        std::vector<JobInput::Part>{{"net.graphml", "<graphml/>\n"}, {"set", "seed=2\n"}});
  CHECK(input.text() == text);
  CHECK(JobInput::parse("a\n#=== ../b\nc").job == "a\n#=== ../b\nc");
}

TEST_CASE("a file without an end that a job names is refused", "[fuzz]") {
  const Fate fate =
      fate_of({"scenario: a\ntopology: {kind: custom, file: /dev/zero}\n"
               "traffic: {rate: 0.1 flit/node/cycle}\n",
               {}});

  CHECK(fate.fault == "");
  CHECK(fate.verdict == Verdict::refused);
}

}  // namespace corpus_test
