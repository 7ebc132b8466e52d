// testbenches/fuzz/campaign.cpp: see campaign.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz/campaign.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "configs/error.hpp"
#include "testbenches/fuzz/shrink.hpp"

namespace flitwave::fuzz {

namespace {

using Json = nlohmann::json;

/// The comparison; an exception counts as a difference.
Comparison judged(const CampaignParams& params, const Case& input) {
  try {
    return params.judge ? params.judge(input) : judge(input);
  } catch (const std::exception& error) {
    Comparison comparison;
    comparison.difference = std::string("not simulated: ") + error.what();
    return comparison;
  }
}

/// Whether a simpler case still fails; an invalid job does not count.
bool fails(const CampaignParams& params, const Case& input) {
  try {
    return !(params.judge ? params.judge(input) : judge(input)).difference.empty();
  } catch (const ConfigError&) {
    return false;
  }
}

std::string in_comment(std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 3)
    text.replace(at, 1, "\n# ");
  return text;
}

/// Shrinks the case and saves it. Returns: the file.
std::string save(const CampaignParams& params, const Case& failing) {
  const Case simple =
      shrink(failing, params.tries, [&params](const Case& input) { return fails(params, input); });
  const std::filesystem::path path =
      std::filesystem::path(params.folder) / (failing.name + ".yaml");
  const std::string trace = failing.name + ".trace";
  if (!simple.shots.empty()) write_trace(simple, (path.parent_path() / trace).string());
  std::ofstream file(path);
  file << "# " << in_comment(judged(params, simple).difference) << "\n"
       << "# Repeat it with: tools/fuzz " << path.string() << "\n"
       << scenario_of(simple, trace).tree().to_yaml();
  file.close();
  if (!file) throw SystemFailure("cannot write " + path.string());
  return path.string();
}

/// The work of a child process: a line of JSON for each of its cases.
void work(const CampaignParams& params, int worker, std::FILE* results) {
  for (std::int64_t number = worker; number < params.count; number += params.jobs) {
    if (std::chrono::steady_clock::now() >= params.until) return;
    const Case drawn = draw_case(params.seed, number);
    const Comparison comparison = judged(params, drawn);
    Json line = {{"number", number},
                 {"difference", comparison.difference},
                 {"blocked", comparison.blocked},
                 {"packets", comparison.packets},
                 {"transits", comparison.transits}};
    try {
      if (!comparison.difference.empty() && !params.folder.empty())
        line["file"] = save(params, drawn);
    } catch (const SystemFailure& error) {
      line["failure"] = error.what();
    }
    std::fputs((line.dump() + "\n").c_str(), results);
    std::fflush(results);
  }
}

/// The child processes; ends them on destruction.
class Workers {
 public:
  explicit Workers(const CampaignParams& params) {
    for (int worker = 0; worker < params.jobs; ++worker) start(params, worker);
  }
  ~Workers() {
    for (Worker& worker : workers_) {
      if (worker.process > 0) kill(worker.process, SIGKILL);
      status_of(worker);
      std::fclose(worker.results);
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// The next result of a child process, or null when it has finished.
  /// Throws: SystemFailure when the process ended with an error.
  Json next(std::size_t number) {
    Worker& worker = workers_[number];
    std::string line;
    for (int sign = 0; (sign = std::fgetc(worker.results)) != EOF && sign != '\n';)
      line.push_back(static_cast<char>(sign));
    if (!line.empty()) return Json::parse(line);
    const int status = status_of(worker);
    if (status != 0)
      throw SystemFailure(fmt::format("a process of the search ended with status {}", status));
    return {};
  }
  std::size_t count() const { return workers_.size(); }

 private:
  struct Worker {
    pid_t process;
    std::FILE* results;
  };

  /// Waits for the end of a child process.
  static int status_of(Worker& worker) {
    int status = 0;
    while (worker.process > 0 && waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    worker.process = 0;
    return status;
  }

  void start(const CampaignParams& params, int number) {
    int ends[2];
    if (pipe(ends) != 0) throw SystemFailure(std::string("no pipe: ") + std::strerror(errno));
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process < 0) throw SystemFailure(std::string("no process: ") + std::strerror(errno));
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      work(params, number, fdopen(ends[1], "w"));
      _exit(0);
    }
    close(ends[1]);
    workers_.push_back({process, fdopen(ends[0], "r")});
  }

  std::vector<Worker> workers_;
};

void take(const Json& line, CampaignResult& result) {
  if (line.contains("failure")) throw SystemFailure(line.at("failure").get<std::string>());
  const auto number = line.at("number").get<std::int64_t>();
  Comparison comparison;
  comparison.difference = line.at("difference").get<std::string>();
  comparison.blocked = line.at("blocked").get<double>();
  comparison.packets = line.at("packets").get<std::int64_t>();
  comparison.transits = line.at("transits").get<std::int64_t>();
  result.coverage.add(cell_of(number), comparison);
  if (!comparison.difference.empty())
    result.failures.push_back({number, comparison.difference, line.value("file", "")});
}

}  // namespace

Comparison judge(const Case& input) { return compare(RunnableCase(input).scenario()); }

// Results are read from the processes in turn, so their order is that of the cases, whatever the
// speed of the processes.
CampaignResult run_campaign(const CampaignParams& params,
                            const std::function<void(const CampaignResult&)>& progress) {
  if (!params.folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(params.folder, error);
    if (error) throw SystemFailure("cannot make the folder " + params.folder);
  }
  CampaignResult result;
  Workers workers(params);
  while (true) {
    for (std::size_t worker = 0; worker < workers.count(); ++worker) {
      const Json line = workers.next(worker);
      if (line.is_null()) return result;
      take(line, result);
      if (progress) progress(result);
      if (static_cast<int>(result.failures.size()) >= params.failures) return result;
    }
  }
}

}  // namespace flitwave::fuzz
