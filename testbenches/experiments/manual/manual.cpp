// testbenches/experiments/manual/manual.cpp: see manual.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/manual/manual.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/job/declared_metrics.hpp"
#include "testbenches/job/job.hpp"

namespace flitwave {

namespace {

const char* const job_room = "job";

template <class Signature, class Traits>
ManualRoom room_of(const Registry<Signature, Traits>& registry, std::string name,
                   std::string sentence) {
  ManualRoom room{std::move(name), std::move(sentence), {}};
  for (const std::string& kind : registry.names()) room.entries.push_back({registry.info(kind)});
  return room;
}

std::string unit_text(const MetricInfo& metric) {
  return metric.unit.empty() ? "" : ", in " + metric.unit;
}

std::vector<ManualRemark> remarks_of(const MetricInfo& metric) {
  std::vector<ManualRemark> remarks;
  if (!metric.observer.empty()) remarks.push_back({"reported by the observer " + metric.observer});
  const std::size_t dot = metric.name.find('.');
  if (metric.forms == MetricInfo::Forms::by_part)
    remarks.push_back({"where a job has several parts, each has its own, e.g. " +
                       metric.name.substr(0, dot) + ".requests" + metric.name.substr(dot)});
  if (metric.forms == MetricInfo::Forms::drawn)
    remarks.push_back({"for several draws the mean; " + metric.name +
                       ".min, .max and .sd are the least, the greatest and the standard deviation; "
                       "with `compare`, " +
                       metric.name + ".excess is the difference"});
  return remarks;
}

ManualRoom metrics(const Catalog& catalog) {
  ManualRoom room{"metric", "the numbers that runs report, for `expect`, tables and plots", {}};
  for (const MetricInfo& metric : declared_metrics(catalog))
    room.entries.push_back(
        {{metric.name, {metric.meaning + unit_text(metric), ""}, {}}, remarks_of(metric)});
  return room;
}

ManualRoom observers(const Catalog& catalog) {
  ManualRoom room = room_of(catalog.observers, "observe", "what is measured");
  for (ManualEntry& entry : room.entries)
    for (const MetricInfo& metric : catalog.observers.traits(entry.name).metrics)
      entry.remarks.push_back({"reports " + metric.name + unit_text(metric), metric.meaning});
  return room;
}

void add_sections(const std::vector<SectionInfo>& sections, ManualRoom& room) {
  for (const SectionInfo& section : sections)
    room.entries.push_back({{section.name.empty() ? "top" : section.name,
                             {section.sentence, ""},
                             section.parameters}});
}

ManualRoom sections() {
  ManualRoom room{job_room, "sections without kinds", {}};
  add_sections(job_sections(), room);
  const ValueType algorithm{"map", "{kind: optimal_multicast}", "{}"};
  room.entries.push_back(
      {{"compare",
        {"another algorithm for the same demands; how far a metric of `algorithm` is "
         "above that of the other is reported as NAME.excess",
         ""},
        {{"kind", algorithm, true, "", "", "an algorithm, with its parameters beside the kind"}}}});
  const ValueType judged{"number, or [least, greatest]", "4", "{}"};
  room.entries.push_back({{"expect",
                           {"expected results; a miss is exit code 4", ""},
                           {{"METRIC", judged, false, "null", "",
                             "value of a metric of the run; `flitwave list metric` shows them"}}}});
  return room;
}

/// The words of `text` in lines of at most 88 characters, each after `margin`.
std::string wrapped(const std::string& text, const std::string& margin) {
  constexpr std::size_t widest = 88;
  std::string lines;
  std::string line = margin;
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (line.size() + word.size() >= widest && line.size() > margin.size()) {
      lines += line + "\n";
      line = margin;
    }
    line += (line.size() > margin.size() ? " " : "") + word;
    start = end + 1;
  }
  return lines + line + "\n";
}

std::string parameter_text(const ParameterInfo& parameter) {
  std::string head = parameter.name + ": " + parameter.type.name;
  if (!parameter.range_text.empty()) head += ", " + parameter.range_text;
  const std::string& value = parameter.default_text;
  const bool empty = value == "null" || value == "\"\"";
  head += parameter.required ? ", required" : empty ? ", optional" : ", default " + value;
  return wrapped(head, "  ") + wrapped(parameter.sentence, "      ");
}

}  // namespace

std::vector<ManualRoom> manual(const Catalog& catalog) {
  ManualRoom experiment{"experiment", "a job that sweeps settings of another", {}};
  add_sections(experiment_sections(), experiment);
  return {sections(),
          room_of(catalog.topologies, "topology", "nodes and channels"),
          room_of(catalog.routings, "routing", "the paths of packets"),
          room_of(catalog.routers, "router",
                  "moves flits at a node; `at` is a list of others for "
                  "some nodes, each {nodes: [...], kind: ...}"),
          room_of(catalog.operations, "operation", "what must be delivered"),
          room_of(catalog.collectives, "algorithm", "the transfers of an operation"),
          room_of(catalog.traffic, "traffic", "sources and destinations under open-loop load"),
          room_of(catalog.injections, "injection", "when sources create packets"),
          room_of(catalog.evaluations, "evaluation", "the model that evaluates a job"),
          observers(catalog),
          experiment,
          metrics(catalog)};
}

std::string list_text(const ManualRoom& room) {
  std::string text = room.name + ": " + room.sentence + "\n";
  std::size_t width = 0;
  for (const ManualEntry& entry : room.entries) width = std::max(width, entry.name.size());
  for (const ManualEntry& entry : room.entries)
    text += fmt::format("  {:{}}  {}\n", entry.name, width, entry.about.summary);
  return text;
}

std::string entry_text(const ManualRoom& room, const ManualEntry& entry) {
  std::string text = wrapped(room.name + "." + entry.name + ": " + entry.about.summary, "");
  if (!entry.about.source.empty()) text += wrapped("source: " + entry.about.source, "");
  for (const std::string& example : entry.about.examples)
    text += wrapped("example: " + example, "");
  if (!entry.parameters.empty() || entry.remarks.empty()) text += "\n";
  if (entry.parameters.empty() && entry.remarks.empty()) return text + "  no parameters\n";
  for (const ParameterInfo& parameter : entry.parameters) text += parameter_text(parameter);
  if (!entry.remarks.empty()) text += "\n";
  for (const ManualRemark& remark : entry.remarks) {
    text += wrapped(remark.line, "  ");
    if (!remark.meaning.empty()) text += wrapped(remark.meaning, "      ");
  }
  return text;
}

const ManualRoom& find_room(const std::vector<ManualRoom>& rooms, const std::string& name) {
  std::vector<std::string> names;
  for (const ManualRoom& room : rooms) {
    if (room.name == name) return room;
    names.push_back(room.name);
  }
  throw ConfigError("", "there is no part " + detail::in_quotes(name) + " of a job",
                    detail::known_names(name, names));
}

std::string describe(const std::vector<ManualRoom>& rooms, const std::string& name) {
  std::vector<std::string> known;
  std::vector<std::string> found;
  std::string text;
  for (const ManualRoom& room : rooms) {
    known.push_back(room.name);
    for (const ManualEntry& entry : room.entries) {
      const std::string full = room.name + "." + entry.name;
      known.push_back(entry.name);
      if (full == name) return entry_text(room, entry);
      if (entry.name != name) continue;
      found.push_back(full);
      text = entry_text(room, entry);
    }
  }
  if (found.size() > 1)
    throw ConfigError("", detail::in_quotes(name) + " is in several parts of a job",
                      "write " + detail::either(found));
  // A section may also have kinds, e.g. `traffic` with its patterns.
  for (const ManualRoom& room : rooms)
    if (room.name == name) text += (text.empty() ? "" : "\n") + list_text(room);
  if (!text.empty()) return text;
  const std::string near = nearest(name.substr(name.find('.') + 1), known);
  throw ConfigError("", "there is no kind or section " + detail::in_quotes(name),
                    (near.empty() ? "" : "did you mean `" + near + "`? ") +
                        std::string("`flitwave list` shows them all"));
}

}  // namespace flitwave
