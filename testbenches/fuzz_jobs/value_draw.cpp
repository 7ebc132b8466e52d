// testbenches/fuzz_jobs/value_draw.cpp: see value_draw.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/value_draw.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace flitwave::fuzz_jobs {

namespace {

constexpr int optional_percent = 25;     // of the settings that a map may leave out
constexpr int fitting_percent = 80;      // of array operations
constexpr std::int64_t long_time = 500;  // a default of so many cycles or more would take long
constexpr std::int64_t no_limit = 1'000'000;

std::string text_of(const Json& schema, const char* key) {
  return schema.contains(key) && schema[key].is_string() ? schema[key].get<std::string>() : "";
}

/// "ps", "ns", ... of a pattern such as ^[0-9.]+ *(ps|ns)$ or ^[0-9.]+ *cycles?$.
std::vector<std::string> units_of(const std::string& pattern) {
  std::vector<std::string> units;
  const std::size_t begin = pattern.find(" *");
  if (begin == std::string::npos) return {""};
  std::string unit;
  for (const char sign : pattern.substr(begin + 2)) {
    if (sign == '|' || sign == ')' || sign == '$') {
      if (!unit.empty()) units.push_back(unit);
      unit.clear();
    } else if (sign != '(' && sign != '?') {
      unit += sign;
    } else if (sign == '?' && !unit.empty()) {
      unit.pop_back();
    }
  }
  return units;
}

std::string unit_in(const std::string& quantity) {
  const std::size_t at = quantity.find(' ');
  return at == std::string::npos ? "" : quantity.substr(at + 1);
}

/// Whether the default of the setting would make a job long, as it is a large number of cycles.
bool runs_long(const Json& schema) {
  const std::string standard = text_of(schema, "default");
  const double cycles = std::atof(standard.c_str());
  return unit_in(standard) == "cycle" && cycles >= long_time && cycles < no_limit;
}

bool has_word(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

/// The parts of "a, b: [c, d]" that commas outside of brackets separate.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char sign : text) {
    depth += sign == '[' || sign == '{' ? 1 : sign == ']' || sign == '}' ? -1 : 0;
    if (sign == ',' && depth == 0)
      parts.emplace_back();
    else if (sign != ' ' || !parts.back().empty())
      parts.back() += sign;
  }
  return parts;
}

}  // namespace

DrawnRange range_of(const Json& schema) {
  DrawnRange range;
  const std::string text = text_of(schema, "description");
  const std::size_t at = text.rfind('(');
  if (at != std::string::npos && text.back() == ')') {
    const std::string inner = text.substr(at + 1);
    const std::size_t dots = inner.find(" .. ");
    if (dots != std::string::npos) {
      range.least = std::atof(inner.c_str());
      const bool same_unit =
          unit_in(inner.substr(0, dots)) + ")" == unit_in(inner.substr(dots + 4));
      const bool no_unit = unit_in(inner.substr(0, dots)).empty();
      if (same_unit || no_unit) range.greatest = std::atof(inner.c_str() + dots + 4);
    } else if (inner.compare(0, 3, ">= ") == 0) {
      range.least = std::atof(inner.c_str() + 3);
    }
  }
  if (schema.contains("minimum")) range.least = schema["minimum"].get<double>();
  if (schema.contains("maximum")) range.greatest = schema["maximum"].get<double>();
  return range;
}

bool ValueDraw::is_pinned(const std::string& path) const {
  return std::any_of(pins_->begin(), pins_->end(), [&](const Item& pin) {
    return pin.path == path || pin.path.compare(0, path.size() + 1, path + ".") == 0;
  });
}

ConfigNode ValueDraw::draw(const Json& schema, const std::string& path) {
  const std::string description = text_of(schema, "description");
  const std::string before = about_;
  if (!description.empty()) about_ = description;
  const std::string about = about_;
  ConfigNode value;
  if (!kinds_in(schema).empty()) {
    value = draw_kind(schema, path);
  } else if (schema.contains("anyOf")) {
    Json choice = pick(schema["anyOf"]);
    value = draw(choice, path);
  } else if (schema.contains("const")) {
    value = ConfigNode::scalar(text_of(schema, "const"));
  } else if (schema.contains("enum")) {
    const auto pinned = std::find_if(pins_->begin(), pins_->end(),
                                     [&](const Item& pin) { return pin.path == path; });
    value = ConfigNode::scalar(
        pinned != pins_->end() ? pinned->value : pick(schema["enum"]).template get<std::string>());
  } else {
    const std::string type = text_of(schema, "type");
    if (type == "boolean")
      value = ConfigNode::scalar(chance(50) ? "true" : "false");
    else if (type == "integer" || type == "number")
      value = draw_number(schema, about);
    else if (type == "array")
      value = draw_list(schema, path);
    else if (type == "string")
      value = schema.contains("pattern") ? draw_quantity(schema, about)
                                         : draw_text(schema, path, about);
    else if (type == "object" && (schema.contains("properties") ||
                                  schema.value("additionalProperties", Json()).is_object()))
      value = draw_object(schema, path);
    else
      value = draw_open(path, about);
  }
  about_ = before;
  return value;
}

ConfigNode ValueDraw::draw_with(const Json& schema, const std::string& path,
                                const std::vector<Item>& pins) {
  const std::vector<Item>* before = std::exchange(pins_, &pins);
  ConfigNode value = draw(schema, path);
  pins_ = before;
  return value;
}

ConfigNode ValueDraw::draw_kind(const Json& schema, const std::string& path) {
  const Json& kinds = kinds_in(schema);
  std::vector<std::string> pinned;
  for (const Item& pin : *pins_)
    if (pin.path == path) pinned.push_back(pin.value);
  const Json* kind = pinned.empty() ? nullptr : kind_of(schema, pick(pinned));
  const Json& drawn = kind ? *kind : pick(kinds);
  ConfigNode section = draw_object(drawn, path);
  if (chance(fitting_percent)) section = with_fitting_arrays(section, network_.mesh, random_);
  if (is_kind(schema) && section.entries().size() == 1 && chance(50))
    return section.entries().front().second;
  return section;
}

ConfigNode ValueDraw::draw_object(const Json& schema, const std::string& path) {
  const Json required = schema.value("required", Json::array());
  std::vector<ConfigNode::Entry> entries;
  if (schema.contains("properties") && schema["properties"].contains("kind"))
    entries.emplace_back("kind",
                         ConfigNode::scalar(text_of(schema["properties"]["kind"], "const")));
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [key, setting] : properties.items()) {
    const std::string below_path = path.empty() ? key : path + "." + key;
    const bool needed = std::find(required.begin(), required.end(), key) != required.end();
    if (key == "kind" ||
        (!needed && !runs_long(setting) && !is_pinned(below_path) && !chance(optional_percent)))
      continue;
    entries.emplace_back(key, draw(setting, below_path));
  }
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
    entries.emplace_back(std::to_string(below(std::max(1, network_.nodes()))),
                         draw(schema["additionalProperties"], path + ".*"));
  return ConfigNode::map(std::move(entries));
}

std::vector<ConfigNode> ValueDraw::draw_items(const Json& item, const std::string& path,
                                              std::int64_t count) {
  std::vector<ConfigNode> items;
  for (std::int64_t i = 0; i < count; ++i) {
    ConfigNode drawn = draw_with(item, path, {});  // a pinned item is added once, not each time
    if (std::find(items.begin(), items.end(), drawn) == items.end() ||
        text_of(item, "type") == "integer" || text_of(item, "type") == "boolean")
      items.push_back(std::move(drawn));
  }
  return items;
}

ConfigNode ValueDraw::draw_list(const Json& schema, const std::string& path) {
  const Json item = schema.value("items", Json::object());
  // Such lists are mostly orders of dimensions.
  if (text_of(item, "type") == "integer" && has_word(about_, "order")) {
    std::vector<ConfigNode> order;
    const int count = static_cast<int>(1 + below(3));
    for (const int number : random_.sample(count, count))
      order.push_back(ConfigNode::scalar(std::to_string(number)));
    return ConfigNode::list(std::move(order));
  }
  if (has_word(about_, "links of a tree")) return draw_tree();
  std::int64_t count = 1 + below(chance(80) ? 3 : 8);
  if (schema.contains("minItems")) count = std::max(count, schema["minItems"].get<std::int64_t>());
  if (schema.contains("maxItems")) count = std::min(count, schema["maxItems"].get<std::int64_t>());
  std::vector<ConfigNode> items = draw_items(item, path, count);
  for (const Item& pin : *pins_) {  // each of several pinned kinds, once
    const Json* kind = pin.path == path ? kind_of(item, pin.value) : nullptr;
    if (!kind) continue;
    items.erase(std::remove_if(items.begin(), items.end(),
                               [&pin](const ConfigNode& other) {
                                 const ConfigNode* its_kind = other.find("kind");
                                 return (its_kind ? *its_kind : other).text() == pin.value;
                               }),
                items.end());
    items.push_back(draw_object(*kind, path));
  }
  return ConfigNode::list(std::move(items));
}

ConfigNode ValueDraw::draw_number(const Json& schema, const std::string& text) {
  const DrawnRange range = range_of(schema);
  if (text_of(schema, "type") == "number") {
    const double span = std::min(range.greatest, range.least + 4) - range.least;
    return ConfigNode::scalar(
        fmt::format("{}", range.least + span * static_cast<double>(below(21)) / 20));
  }
  // Topologies need some nodes, but not too many.
  const bool extent =
      has_word(text, "routers") || has_word(text, "nodes, each") || has_word(text, "e.g. [8");
  const auto least = static_cast<std::int64_t>(range.least);
  // Each draw is a simulation, and a few are sufficient.
  const bool repeats = has_word(text, "how often the job");
  const std::int64_t span = repeats ? 3 : range.greatest <= 14 || chance(70) ? 4 : 12;
  const std::int64_t value = least + (extent ? 1 : 0) + below(span);
  return ConfigNode::scalar(
      std::to_string(std::min(value, static_cast<std::int64_t>(range.greatest))));
}

ConfigNode ValueDraw::draw_quantity(const Json& schema, const std::string&) {
  const std::vector<std::string> units = units_of(text_of(schema, "pattern"));
  const std::string standard = text_of(schema, "default");
  const std::string unit = !standard.empty() && chance(90) ? unit_in(standard) : units.front();
  if (has_word(unit, "/")) {
    static const char* const loads[] = {"0",   "0.02", "0.05", "0.1", "0.2",
                                        "0.3", "0.4",  "0.6",  "0.9", "1"};
    return ConfigNode::scalar(std::string(loads[below(std::size(loads))]) + " " + unit);
  }
  const double usual = std::atof(standard.c_str());
  const bool is_time = runs_long(schema);
  const bool unlimited = usual >= no_limit;
  const std::int64_t most = is_time ? 150 : unlimited ? 2000 : unit == "B" ? 40 : 12;
  const DrawnRange range = range_of(schema);
  std::int64_t value = is_time || unlimited ? below(most) + most / 3 : below(chance(60) ? 4 : most);
  if (chance(5)) value = static_cast<std::int64_t>(usual < no_limit ? usual : 0);
  value = std::max(value, static_cast<std::int64_t>(range.least));
  value = std::min(value, static_cast<std::int64_t>(std::min(range.greatest, 1e15)));
  return ConfigNode::scalar(std::to_string(value) + " " + unit);
}

ConfigNode ValueDraw::draw_text(const Json& schema, const std::string& path,
                                const std::string& text) {
  if (text.compare(0, 6, "lines ") == 0) return draw_file(path, text);
  const std::string standard = text_of(schema, "default");
  static const std::vector<std::string> names = {"a",  "run_2", "Z",   "x.y",   "wave.vcd",
                                                 "..", "a b",   "a/b", "é",     "channel_*",
                                                 "*",  "",      "-x",  "nul\\0"};
  static const std::vector<std::string> channels = {"*", "channel_*", "injection_*", "ejection_*",
                                                    "*_to_1*"};
  if (!standard.empty() && chance(50)) return ConfigNode::scalar(standard);
  if (has_word(text, "patterns of channel") && chance(80))
    return ConfigNode::scalar(pick(channels));
  return ConfigNode::scalar(pick(names));
}

ConfigNode ValueDraw::draw_node(const std::string& text) {
  if (network_.nodes() == 0) return ConfigNode::scalar("0");
  if (has_word(text, "random") && chance(20)) return ConfigNode::scalar("random");
  if (has_word(text, "central") && chance(40)) return ConfigNode::scalar("central");
  const std::int64_t node = below(network_.nodes());
  return ConfigNode::scalar(chance(80) ? std::to_string(node)
                                       : network_.labels[static_cast<std::size_t>(node)]);
}

/// Channels that connect each node to an earlier one, and some more.
ConfigNode ValueDraw::draw_graph() {
  std::vector<ConfigNode> pairs;
  const std::int64_t nodes = 2 + below(7);
  const auto join = [&pairs](std::int64_t a, std::int64_t b) {
    const ConfigNode pair = ConfigNode::list(
        {ConfigNode::scalar(std::to_string(a)), ConfigNode::scalar(std::to_string(b))});
    if (a < b && std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
  };
  for (std::int64_t node = 1; node < nodes; ++node) join(below(node), node);
  for (std::int64_t more = below(4); more > 0; --more) join(below(nodes), below(nodes));
  return ConfigNode::list(std::move(pairs));
}

/// Links of the network that form a spanning tree.
ConfigNode ValueDraw::draw_tree() {
  std::vector<ConfigNode> links;
  std::vector<bool> joined(static_cast<std::size_t>(std::max(1, network_.nodes())));
  joined[static_cast<std::size_t>(below(static_cast<std::int64_t>(joined.size())))] = true;
  for (bool grew = true; grew;) {
    grew = false;
    const std::size_t first = network_.links.empty() ? 0 : random_.below(network_.links.size());
    for (std::size_t i = 0; i < network_.links.size(); ++i) {
      const auto [from, to] = network_.links[(first + i) % network_.links.size()];
      if (!joined[static_cast<std::size_t>(from)] || joined[static_cast<std::size_t>(to)]) continue;
      joined[static_cast<std::size_t>(to)] = grew = true;
      links.push_back(ConfigNode::list(
          {ConfigNode::scalar(std::to_string(from)), ConfigNode::scalar(std::to_string(to))}));
    }
  }
  return ConfigNode::list(std::move(links));
}

ConfigNode ValueDraw::draw_by_braces(const std::string& path, const std::string& braces) {
  std::vector<ConfigNode::Entry> entries;
  for (const std::string& part : parts_of(braces)) {
    const std::size_t colon = std::min(part.find(':'), part.size());
    const std::string key = part.substr(0, colon);
    const std::string sample = part.substr(std::min(colon + 2, part.size()));
    // The schema of a setting with that name in the same section, otherwise of any.
    const std::string beside = path.substr(0, path.rfind('.') + 1) + key;
    const Json* schema =
        sample.empty() || sample[0] == '[' ? kinds_.find(beside, ConfigNode()) : nullptr;
    if (key == "from" || key == "to") {  // of a message or a channel
      entries.emplace_back(key, draw_node(""));
      continue;
    }
    if (!schema && sample.empty()) schema = kinds_.find_key(key);
    if (sample.size() > 0 && sample[0] == '[' && chance(40)) continue;
    if (schema)
      entries.emplace_back(key, draw(*schema, beside));
    else
      entries.emplace_back(
          key, ConfigNode::scalar(std::to_string(1 + below(60)) + " " + unit_in(sample)));
  }
  return ConfigNode::map(std::move(entries));
}

ConfigNode ValueDraw::draw_open(const std::string& path, const std::string& text) {
  if (has_word(text, "list of [a, b]")) return draw_graph();
  if (has_word(text, "each [node, node]") && !network_.links.empty()) {
    const auto [a, b] = pick(network_.links);
    return ConfigNode::list(
        {ConfigNode::scalar(std::to_string(a)), ConfigNode::scalar(std::to_string(b))});
  }
  const std::size_t brace = text.find("each {");
  if (brace != std::string::npos)
    return draw_by_braces(path, text.substr(brace + 6, text.find('}', brace) - brace - 6));
  return draw_node(text);
}

}  // namespace flitwave::fuzz_jobs
