// testbenches/experiments/manual/manual.cpp: see manual.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/manual/manual.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/job/declared_metrics.hpp"
#include "testbenches/job/job_sections.hpp"

namespace flitwave {

namespace {

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

void add_metrics(const Catalog& catalog, ManualRoom& observers) {
  for (ManualEntry& entry : observers.entries)
    for (const MetricInfo& metric : catalog.observers.traits(entry.name).metrics)
      entry.remarks.push_back({"reports " + metric.name + unit_text(metric), metric.meaning});
}

void add_section(const SectionInfo& section, ManualRoom& room) {
  room.entries.push_back(
      {{section.name.empty() ? "top" : section.name, {section.sentence, ""}, section.parameters}});
}

bool has_room(const std::vector<ManualRoom>& rooms, const std::string& name) {
  return std::any_of(rooms.begin(), rooms.end(),
                     [&](const ManualRoom& room) { return room.name == name; });
}

/// The rooms of what a job may have.
std::vector<ManualRoom> job_rooms(const Catalog& catalog) {
  std::vector<ManualRoom> rooms{{"job", "the sections that have no kinds", {}}};
  for (const JobSection& section : job_sections()) {
    if (!section.parameters.empty()) add_section(section, rooms.front());
    if (!section.kinds || has_room(rooms, section.room)) continue;
    rooms.push_back({section.room, section.sentence, {}});
    for (const KindInfo& kind : section.kinds(catalog)) rooms.back().entries.push_back({kind});
    if (section.name == "observe") add_metrics(catalog, rooms.back());
  }
  return rooms;
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

/// A section's own parameters follow it, further inside.
std::string parameter_text(const ParameterInfo& parameter, const std::string& margin = "  ") {
  std::string head = parameter.name + ": " + parameter.type.name;
  if (!parameter.range_text.empty()) head += ", " + parameter.range_text;
  const std::string& value = parameter.default_text;
  const bool empty = value == "null" || value == "\"\"";
  head += parameter.required ? ", required" : empty ? ", optional" : ", default " + value;
  std::string text = wrapped(head, margin) + wrapped(parameter.sentence, margin + "    ");
  for (const ParameterInfo& inner : parameter.type.parameters)
    text += parameter_text(inner, margin + "    ");
  return text;
}

}  // namespace

std::vector<ManualRoom> manual(const Catalog& catalog) {
  std::vector<ManualRoom> rooms = job_rooms(catalog);
  rooms.push_back({"experiment", "a job that sweeps settings of another", {}});
  for (const SectionInfo& section : experiment_sections()) add_section(section, rooms.back());
  rooms.push_back(metrics(catalog));
  return rooms;
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
