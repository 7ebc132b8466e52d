// testbenches/experiments/findings/claims.cpp: see claims.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/findings/claims.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace flitwave {

namespace {

/// The keys of a claim, as written.
struct WrittenClaim {
  std::string label;
  std::string about;
  std::string contradicts;
  ClaimOrigin origin = ClaimOrigin::unstated;
  ConfigNode each;
  std::string value;
  Average average = Average::mean;
  LinePart line = LinePart::none;
  ConfigNode of;
  Paths over;
  ConfigNode minus;
  ConfigNode relative_to;
  ConfigNode less_than;
  ConfigNode more_than;
  ConfigNode between;
  ConfigNode equals;
};

const std::vector<std::string>& number_keys() {
  static const std::vector<std::string> keys = {"value", "average", "line",       "of",
                                                "over",  "minus",   "relative_to"};
  return keys;
}

std::vector<std::string> claim_keys() {
  std::vector<std::string> keys;
  for (const ParameterInfo& key : claim_info()) keys.push_back(key.name);
  return keys;
}

/// Removes the settings of a section; settings of one kind do not apply to another.
void forget_section(const std::string& section, Settings& settings) {
  const auto within = [&](const Setting& setting) {
    return setting.path.compare(0, section.size(), section) == 0;
  };
  settings.erase(std::remove_if(settings.begin(), settings.end(), within), settings.end());
}

/// The settings of `over` instead of those of `under` at the same path, followed by others. With
/// another kind the section's other settings are removed, too.
Settings overlaid(Settings under, const Settings& over) {
  const std::string kind = ".kind";
  for (const Setting& setting : over) {
    const std::size_t length = setting.path.size();
    if (length > kind.size() && setting.path.compare(length - kind.size(), length, kind) == 0)
      forget_section(setting.path.substr(0, length - kind.size() + 1), under);
  }
  for (const Setting& setting : over) {
    const auto place = std::find_if(under.begin(), under.end(), [&](const Setting& other) {
      return other.path == setting.path;
    });
    if (place == under.end())
      under.push_back(setting);
    else
      *place = setting;
  }
  return under;
}

void read_parts(const ConfigNode& node, ClaimedNumber& number);

/// A number that differs from `base` in the settings of the node.
ClaimedNumber read_beside(const ConfigNode& node, const ClaimedNumber& base) {
  detail::require_map(node);
  detail::reject_unknown_keys(node, number_keys());
  ClaimedNumber number;
  number.metric = base.metric;
  number.average = base.average;
  number.line = base.line;
  number.of = base.of;
  number.over = base.over;
  read_parts(node, number);
  return number;
}

void read_parts(const ConfigNode& node, ClaimedNumber& number) {
  number.written = node;
  if (const ConfigNode* value = node.find("value"))
    number.metric = Codec<std::string>::read(*value);
  if (const ConfigNode* average = node.find("average"))
    number.average = Codec<Average>::read(*average);
  if (const ConfigNode* line = node.find("line")) number.line = Codec<LinePart>::read(*line);
  if (const ConfigNode* of = node.find("of")) number.of = overlaid(number.of, read_settings(*of));
  if (const ConfigNode* over = node.find("over")) number.over = Codec<Paths>::read(*over);
  if (const ConfigNode* minus = node.find("minus")) number.minus = {read_beside(*minus, number)};
  if (const ConfigNode* other = node.find("relative_to"))
    number.relative_to = {read_beside(*other, number)};
}

void read_comparison(const ConfigNode& node, Claim& claim) {
  int comparisons = 0;
  for (const char* key : {"less_than", "more_than", "between", "equals"})
    comparisons += node.find(key) ? 1 : 0;
  if (comparisons != 1)
    throw node.error("a claim makes one comparison; this one makes " + std::to_string(comparisons),
                     "write one of less_than, more_than, between and equals");
  const auto side = [&](const char* key, std::optional<double>& limit,
                        std::vector<ClaimedNumber>& other) {
    const ConfigNode* written = node.find(key);
    if (!written) return;
    claim.open = true;
    if (written->is_map())
      other = {read_beside(*written, claim.number)};
    else
      limit = Codec<double>::read(*written);
  };
  side("less_than", claim.greatest, claim.less_than);
  side("more_than", claim.least, claim.more_than);
  if (const ConfigNode* equals = node.find("equals"))
    claim.least = claim.greatest = Codec<double>::read(*equals);
  if (const ConfigNode* range = node.find("between")) {
    const auto ends = Codec<std::vector<double>>::read(*range);
    if (ends.size() != 2 || ends[0] > ends[1])
      throw range->error("a range is [least, greatest]", "write e.g. `between: [0.6, 1.4]`");
    claim.least = ends[0];
    claim.greatest = ends[1];
  }
}

Claim read_claim(const ConfigNode& node, const Settings& each) {
  Claim claim;
  if (const ConfigNode* label = node.find("label")) claim.label = Codec<std::string>::read(*label);
  if (const ConfigNode* about = node.find("about")) claim.about = Codec<std::string>::read(*about);
  if (const ConfigNode* other = node.find("contradicts"))
    claim.contradicts = Codec<std::string>::read(*other);
  if (const ConfigNode* origin = node.find("origin"))
    claim.origin = Codec<ClaimOrigin>::read(*origin);
  claim.each = settings_text(each);
  claim.number.of = each;
  if (!node.find("value"))
    throw node.error("a claim needs a value", "write e.g. `value: collective.max_us`");
  read_parts(node, claim.number);
  read_comparison(node, claim);
  return claim;
}

/// Every combination of the values of `for`.
std::vector<Settings> each_of(const ConfigNode* node) {
  std::vector<Settings> combinations{{}};
  if (!node) return combinations;
  detail::require_map(*node);
  for (const auto& [path, values] : node->entries()) {
    const std::vector<ConfigNode> each = detail::read_list(values);
    if (each.empty())
      throw values.error("the list of values is empty", "list a value, or leave it out");
    std::vector<Settings> longer;
    for (const Settings& combination : combinations)
      for (const ConfigNode& value : each) {
        longer.push_back(combination);
        longer.back().push_back({path, value});
      }
    combinations = std::move(longer);
  }
  return combinations;
}

std::string value_text(double value) {
  return std::isfinite(value) ? four_digits(value) : "not a number: a quotient by zero";
}

/// "greatest collective.max_us", "tau of the line of least collective.max_us". A mean is stated
/// beside a number that is none.
std::string quantity_text(const ClaimedNumber& number, Average beside = Average::mean) {
  std::string text;
  if (number.line != LinePart::none)
    text = names_of(LinePart{})[index(number.line)] + " of the line of ";
  if (number.average == Average::max) text += "greatest ";
  if (number.average == Average::min) text += "least ";
  if (number.average == Average::mean && beside != Average::mean) text += "mean ";
  return text + number.metric;
}

/// The settings of a number that the one beside it does not have.
Settings other_settings(const ClaimedNumber& number, const ClaimedNumber& beside) {
  Settings others;
  for (const Setting& setting : number.of)
    if (std::find(beside.of.begin(), beside.of.end(), setting) == beside.of.end())
      others.push_back(setting);
  return others;
}

/// A number whose `settings` differ from the implied ones.
std::string number_words(const ClaimedNumber& number, const Settings& settings,
                         Average beside = Average::mean) {
  // The text of the number that it is compared with, where that is another quantity or has other
  // settings.
  const auto part = [&](const ClaimedNumber& other) {
    const Settings others = other_settings(other, number);
    if (quantity_text(other) == quantity_text(number) && other.minus.empty() &&
        other.relative_to.empty() && !others.empty())
      return "that of " + settings_text(others);
    const std::string words = number_words(other, others, number.average);
    return other.minus.empty() && other.relative_to.empty() ? words : "(" + words + ")";
  };
  std::string text = quantity_text(number, beside);
  if (!settings.empty()) text += " of " + settings_text(settings);
  if (!number.minus.empty()) text += " less " + part(number.minus.front());
  if (number.relative_to.empty()) return text;
  if (!number.minus.empty()) text = "(" + text + ")";
  return text + " divided by " + part(number.relative_to.front());
}

/// A number that another one is compared with.
std::string words_beside(const ClaimedNumber& number, const ClaimedNumber& beside) {
  const Settings others = other_settings(number, beside);
  const bool same = number_words(number, {}) == number_words(beside, {});
  return same && !others.empty() ? "that of " + settings_text(others)
                                 : number_words(number, others);
}

std::string expected_text(const Claim& claim, const Findings& findings) {
  const auto beside = [&](const ClaimedNumber& number) {
    const FoundNumber found = number.find(findings);
    return (found.value ? "" : "unknown: ") + found.text() + " (" +
           words_beside(number, claim.number) + ")";
  };
  if (!claim.less_than.empty()) return "less than " + beside(claim.less_than.front());
  if (!claim.more_than.empty()) return "more than " + beside(claim.more_than.front());
  if (!claim.least) return "less than " + number_text(*claim.greatest);
  if (!claim.greatest) return "more than " + number_text(*claim.least);
  if (!(*claim.least < *claim.greatest)) return number_text(*claim.least);
  return number_text(*claim.least) + " .. " + number_text(*claim.greatest);
}

}  // namespace

std::vector<std::string> names_of(ClaimOrigin) { return {"unstated", "printed", "read", "ours"}; }

std::vector<ParameterInfo> claim_info() {
  using C = WrittenClaim;
  return Schema<C>{}
      .required("value", &C::value, "the metric, e.g. collective.max_us")
      .optional("of", &C::of, "the settings of its points: {algorithm.kind: edn}")
      .optional("for", &C::each, "lists of values by setting; a claim is made for each of them")
      .optional("average", &C::average, "how the values of several points are combined")
      .optional("over", &C::over, over_sentence)
      .optional("line", &C::line,
                "instead of the value, a number of its least-squares line over "
                "operation.message, T_s + T_n L: T_s, T_n by byte, or tau = T_n / T_s; the value "
                "is averaged at each length")
      .optional("minus", &C::minus,
                "a number that is subtracted: {of: {algorithm.kind: separate}}; unspecified "
                "settings are as above")
      .optional("relative_to", &C::relative_to, "a divisor, likewise")
      .optional("less_than", &C::less_than,
                "upper bound, exclusive: a figure, or a number likewise")
      .optional("more_than", &C::more_than, "lower bound, exclusive, likewise")
      .optional("between", &C::between, "[least, greatest], both included")
      .optional("equals", &C::equals, "the exact value")
      .optional("label", &C::label,
                "a name that several claims may share, e.g. A1: tools/reproduce lists claims of "
                "one name together")
      .optional("about", &C::about, "the claim, as a sentence")
      .optional("contradicts", &C::contradicts,
                "the opposite claim of the source: where the claim holds, tools/reproduce reports "
                "that of the source as not reproduced")
      .optional("origin", &C::origin,
                "origin of the figure: the source prints it (`printed`), its text or a plot shows "
                "it (`read`), or it is of this project (`ours`); by default that of the "
                "experiment")
      .describe();
}

std::string FoundNumber::text() const {
  if (!value) return lack;
  return half_width ? interval_text(*value, *half_width) : value_text(*value);
}

namespace {

/// The part of a line that a number refers to.
FoundNumber find_on_line(const ClaimedNumber& number, const Findings& findings,
                         const std::vector<std::size_t>& points) {
  const auto line = latency_line(findings, points, number.metric, number.average);
  const std::optional<double> part = part_of(line, number.line);
  if (part) return {part, {}, ""};
  if (line) return {{}, {}, "a line without a start-up above 0"};
  const std::string lack = findings.average(points, number.metric, number.average).lack();
  return {{}, {}, lack.empty() ? "a line of one length" : lack};
}

/// The combination of two numbers; a missing value of either is missing in the result.
template <class Make>
FoundNumber combined(const FoundNumber& a, const FoundNumber& b, Make make) {
  if (!a.value) return a;
  if (!b.value) return b;
  return {make(*a.value, *b.value), {}, ""};
}

}  // namespace

FoundNumber ClaimedNumber::find(const Findings& findings) const {
  const std::vector<std::size_t> points = findings.select(of);
  FoundNumber found;
  if (line == LinePart::none) {
    const Averaged own = findings.average(points, metric, average);
    found = {own.value, own.half_width, own.lack()};
  } else {
    found = find_on_line(*this, findings, points);
  }
  for (const ClaimedNumber& other : minus)
    found = combined(found, other.find(findings), [](double a, double b) { return a - b; });
  for (const ClaimedNumber& other : relative_to)
    found = combined(found, other.find(findings), [](double a, double b) { return a / b; });
  return found;
}

std::string ClaimedNumber::text() const { return number_words(*this, of); }

std::vector<const ClaimedNumber*> Claim::numbers() const {
  std::vector<const ClaimedNumber*> found{&number};
  for (const auto* side : {&less_than, &more_than})
    for (const ClaimedNumber& other : *side) found.push_back(&other);
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const auto* others : {&found[i]->minus, &found[i]->relative_to})
      for (const ClaimedNumber& other : *others) found.push_back(&other);
  return found;
}

std::vector<Claim> read_claims(const ConfigNode& expect, ClaimOrigin origin) {
  std::vector<Claim> claims;
  if (expect.is_null()) return claims;
  if (!expect.is_list())
    throw expect.error("an experiment's expectations are a list of claims",
                       "write e.g. `expect: [{value: collective.max_us, of: {algorithm.kind: edn}, "
                       "less_than: 100}]`");
  for (const ConfigNode& node : expect.items()) {
    detail::require_map(node);
    detail::reject_unknown_keys(node, claim_keys());
    for (const Settings& each : each_of(node.find("for"))) {
      claims.push_back(read_claim(node, each));
      if (claims.back().origin == ClaimOrigin::unstated) claims.back().origin = origin;
    }
  }
  return claims;
}

Verdict judge(const Claim& claim, const Findings& findings) {
  Verdict verdict;
  verdict.label = claim.label;
  verdict.about = claim.about;
  verdict.contradicts = claim.contradicts;
  verdict.origin = names_of(ClaimOrigin{})[index(claim.origin)];
  verdict.each = claim.each;
  verdict.claim = claim.number.text();
  const std::string over = varying_text(findings, findings.select(claim.number.of));
  if (!over.empty()) verdict.claim += ", over " + over;
  verdict.expected = expected_text(claim, findings);
  const FoundNumber found = claim.number.find(findings);
  verdict.found = found.text();
  const std::optional<double> value = found.value;
  std::optional<double> least = claim.least;
  std::optional<double> greatest = claim.greatest;
  if (!claim.less_than.empty()) greatest = claim.less_than.front().find(findings).value;
  if (!claim.more_than.empty()) least = claim.more_than.front().find(findings).value;
  verdict.judged = value && (least || greatest);
  if (!verdict.judged) return verdict;
  const auto is_number = [](const std::optional<double>& number) {
    return !number || std::isfinite(*number);
  };
  if (!is_number(value) || !is_number(least) || !is_number(greatest)) return verdict;
  verdict.holds = claim.open ? (!least || *value > *least) && (!greatest || *value < *greatest)
                             : *value >= *least && *value <= *greatest;
  return verdict;
}

std::string verdicts_text(const std::vector<Verdict>& verdicts) {
  std::string text;
  std::string said;
  for (const Verdict& verdict : verdicts) {
    std::string words = verdict.about.empty() ? "" : "  " + verdict.about + "\n";
    if (!verdict.contradicts.empty()) words += "  against: " + verdict.contradicts + "\n";
    if (words != said) text += words;
    said = words;
    const char* word = verdict.holds ? "holds" : verdict.judged ? "MISSED" : "open";
    text += fmt::format("    {:6}  {}: {}, expected {}\n", word, verdict.claim, verdict.found,
                        verdict.expected);
  }
  return text;
}

}  // namespace flitwave
