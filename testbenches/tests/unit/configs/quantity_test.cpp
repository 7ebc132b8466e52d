// testbenches/tests/unit/configs/quantity_test.cpp: numbers with units, and plain values.
// SPDX-License-Identifier: Apache-2.0
#include "configs/quantity.hpp"

#include <clocale>
#include <string>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace flitwave::quantity_test {

namespace {

enum class Pace { dataflow, stepped };
std::vector<std::string> names_of(Pace) { return {"dataflow", "stepped"}; }

ConfigNode value(const std::string& text) {
  return ConfigNode::parse("key: " + text + "\n", "job.yaml").at("key");
}

template <class T>
T read(const std::string& text) {
  return Codec<T>::read(value(text));
}

template <class T>
ConfigError rejection(const std::string& text) {
  const ConfigError error = config_error_of([&] { read<T>(text); });
  CHECK(error.place().line == 1);
  CHECK(error.key().substr(0, 3) == "key");
  return error;
}

TEST_CASE("a duration is read exactly in every unit", "[unit]") {
  REQUIRE(read<Duration>("0.45 us").picoseconds == 450'000);
  REQUIRE(read<Duration>("20 ns").picoseconds == 20'000);
  REQUIRE(read<Duration>("20ns").picoseconds == 20'000);
  REQUIRE(read<Duration>("3300 ps").picoseconds == 3'300);
  REQUIRE(read<Duration>("1 ms").picoseconds == 1'000'000'000);
  REQUIRE(read<Duration>("2 s").picoseconds == 2'000'000'000'000);
  REQUIRE(read<Duration>("0.000000000001 s").picoseconds == 1);
  REQUIRE(read<Duration>("0.3000000 ns").picoseconds == 300);
  REQUIRE(read<Duration>("'20 ns'").picoseconds == 20'000);
  REQUIRE(read<Duration>("2305843.009213693951 s").picoseconds == INT64_MAX / 4);
}

TEST_CASE("bytes, flits, cycles and rates are read in their units", "[unit]") {
  REQUIRE(read<Bytes>("512 B").count == 512);
  REQUIRE(read<Bytes>("2 KiB").count == 2048);
  REQUIRE(read<Bytes>("1 MiB").count == 1 << 20);
  REQUIRE(read<Bytes>("1 kB").count == 1000);
  REQUIRE(read<Bytes>("1.5 MB").count == 1'500'000);
  REQUIRE(read<Bytes>("0.00000095367431640625 MiB").count == 1);
  REQUIRE(read<Flits>("4 flit").count == 4);
  REQUIRE(read<Flits>("1 flits").count == 1);
  REQUIRE(read<Cycles>("3 cycles").count == 3);
  REQUIRE(read<Rate>("0.1 flit/node/cycle").flits_per_node_cycle == 0.1);
  REQUIRE(read<Rate>("1 flits/node/cycle").flits_per_node_cycle == 1.0);
  REQUIRE(read<Delay>("3 cycle").cycles == 3);
  REQUIRE_FALSE(read<Delay>("7 ns").in_cycles);
  REQUIRE(read<Delay>("7 ns").picoseconds == 7000);
}

TEST_CASE("a number without its unit is rejected with an example of the correct form", "[unit]") {
  REQUIRE(std::string(rejection<Duration>("20").what()) ==
          "job.yaml:1:1: key: `20` has no unit; write a duration with a unit, e.g. 20 ns");
  REQUIRE(contains(rejection<Bytes>("512").remedy(), "e.g. 512 B"));
  REQUIRE(contains(rejection<Flits>("4").remedy(), "e.g. 4 flit"));
  REQUIRE(contains(rejection<Delay>("4").remedy(), "e.g. 3 cycle"));
  REQUIRE(contains(rejection<Rate>("0.1").remedy(), "e.g. 0.1 flit/node/cycle"));
}

TEST_CASE("the error for a unit of another kind names both kinds", "[unit]") {
  REQUIRE(rejection<Flits>("4 cycle").problem() ==
          "`4 cycle` is a number of cycles, expected a number of flits");
  REQUIRE(rejection<Duration>("4 B").problem() ==
          "`4 B` is a number of bytes, expected a duration");
  REQUIRE(rejection<Delay>("4 flit").problem() ==
          "`4 flit` is a number of flits, expected a delay");
  REQUIRE(rejection<Rate>("4 ns").problem() == "`4 ns` is a duration, expected a rate");
}

TEST_CASE("an unknown unit is rejected with the list of known units", "[unit]") {
  const ConfigError error = rejection<Bytes>("2 kib");

  REQUIRE(error.problem() == "unknown unit `kib`");
  REQUIRE(contains(error.remedy(), "did you mean `KiB`?"));
  REQUIRE(contains(error.remedy(), "B, KiB, MiB, GiB, kB, MB or GB"));
  REQUIRE(contains(rejection<Duration>("3 ns ns").problem(), "unknown unit"));
  REQUIRE(contains(rejection<Duration>("1e3 ns").problem(), "unknown unit"));
  REQUIRE(contains(rejection<Duration>("1.2.3 ns").problem(), "unknown unit"));
}

TEST_CASE("a quantity that has no exact value is rejected", "[unit]") {
  REQUIRE(contains(rejection<Duration>("0.5 ps").problem(), "finer than 1 ps"));
  REQUIRE(contains(rejection<Duration>("1.0001 ns").problem(), "finer than 1 ps"));
  REQUIRE(contains(rejection<Flits>("2.5 flit").problem(), "finer than 1 flit"));
  REQUIRE(contains(rejection<Bytes>("0.1 KiB").problem(), "finer than 1 B"));
  REQUIRE(contains(rejection<Duration>("2305843.009213693952 s").problem(), "too large"));
  REQUIRE(contains(rejection<Duration>("99999999999999999999999 s").problem(), "too large"));
  REQUIRE(contains(rejection<Cycles>("9223372036854775808 cycle").problem(), "too large"));
  REQUIRE(contains(rejection<Duration>("-3 ns").problem(), "cannot be negative"));
  REQUIRE(contains(rejection<Rate>("-0.1 flit/node/cycle").problem(), "cannot be negative"));
  REQUIRE(contains(rejection<Rate>(std::string(400, '9') + " flit/node/cycle").problem(),
                   "out of range"));
}

TEST_CASE("text that is no quantity is rejected with an example", "[unit]") {
  for (const char* bad : {"fast", "[20 ns]", "{ns: 20}", "", "ns", ".", "''"}) {
    CAPTURE(bad);
    const ConfigError error = rejection<Duration>(bad);
    CHECK(contains(error.problem(), "expected a duration, found "));
    CHECK(contains(error.remedy(), "20 ns"));
  }
}

TEST_CASE("a quantity is printed in the largest unit that keeps it exact", "[unit]") {
  REQUIRE(to_string(Duration{450'000}) == "450 ns");
  REQUIRE(to_string(Duration{85'000'000}) == "85 us");
  REQUIRE(to_string(Duration{3'300}) == "3.3 ns");
  REQUIRE(to_string(Duration{1'234'567}) == "1234.567 ns");
  REQUIRE(to_string(Duration{10'050'000'000}) == "10.05 ms");
  REQUIRE(to_string(Duration{0}) == "0 ns");
  REQUIRE(to_string(Duration{7}) == "7 ps");
  REQUIRE(to_string(Bytes{2048}) == "2 KiB");
  REQUIRE(to_string(Bytes{1536}) == "1536 B");
  REQUIRE(to_string(Bytes{1 << 20}) == "1 MiB");
  REQUIRE(to_string(Bytes{0}) == "0 B");
  REQUIRE(to_string(Flits{4}) == "4 flit");
  REQUIRE(to_string(Delay::of(Cycles{1})) == "1 cycle");
  REQUIRE(to_string(Delay::of(Duration{5'000'000})) == "5 us");
  REQUIRE(to_string(Rate{0.1}) == "0.1 flit/node/cycle");
  REQUIRE(to_string(Rate{1e-6}) == "0.000001 flit/node/cycle");
}

TEST_CASE("every quantity that is printed is read back equal", "[unit]") {
  Random random(1, "quantities");
  for (int i = 0; i < 5000; ++i) {
    const std::int64_t count = static_cast<std::int64_t>(random.bits() >> (3 + random.below(61)));
    const std::int64_t round = count - count % (random.below(2) == 0 ? 1000 : 1024);
    const double share = static_cast<double>(random.bits() >> 11) / 9007199254740992.0;
    for (const std::int64_t any : {count, round}) {
      CAPTURE(any);
      REQUIRE(read<Duration>(to_string(Duration{any})) == Duration{any});
      REQUIRE(read<Bytes>(to_string(Bytes{any})) == Bytes{any});
      REQUIRE(read<Flits>(to_string(Flits{any})) == Flits{any});
      REQUIRE(read<Cycles>(to_string(Cycles{any})) == Cycles{any});
    }
    REQUIRE(read<Rate>(to_string(Rate{share})).flits_per_node_cycle == share);
    REQUIRE(read<double>(Codec<double>::print(share)) == share);
  }
}

TEST_CASE("a delay in real time is rounded to whole cycles, halves up", "[unit]") {
  const Duration period{20'000};

  REQUIRE(Delay::of(Cycles{3}).rounded(period) == 3);
  REQUIRE(Delay::of(Duration{0}).rounded(period) == 0);
  REQUIRE(Delay::of(Duration{9'999}).rounded(period) == 0);
  REQUIRE(Delay::of(Duration{10'000}).rounded(period) == 1);
  REQUIRE(Delay::of(Duration{29'999}).rounded(period) == 1);
  REQUIRE(Delay::of(Duration{30'000}).rounded(period) == 2);
  REQUIRE(Delay::of(Duration{4}).rounded(Duration{3}) == 1);
  REQUIRE(Delay::of(Duration{5}).rounded(Duration{3}) == 2);
  REQUIRE(Delay::of(Cycles{3}).exact_picoseconds(period) == 60'000);
  REQUIRE(Delay::of(Duration{9'999}).exact_picoseconds(period) == 9'999);
  REQUIRE(contains(config_error_of([&] {
                     (void)Delay::of(Cycles{INT64_MAX / 4}).exact_picoseconds(period);
                   }).problem(),
                   "too long"));
}

TEST_CASE("integers are read in their range and in one notation only", "[unit]") {
  REQUIRE(read<int>("-2147483648") == INT32_MIN);
  REQUIRE(read<int>("2147483647") == INT32_MAX);
  REQUIRE(read<std::uint64_t>("18446744073709551615") == UINT64_MAX);
  REQUIRE(contains(rejection<int>("2147483648").remedy(), "-2147483648 .. 2147483647"));
  REQUIRE(contains(rejection<std::uint64_t>("18446744073709551616").problem(), "out of range"));
  REQUIRE(contains(rejection<std::uint64_t>("-1").problem(), "out of range"));
  REQUIRE(contains(rejection<int>("010").problem(), "leading zeros"));
  REQUIRE(rejection<int>("'8'").problem() == "expected an integer, found the text `8`");
  REQUIRE(rejection<int>("'8'").remedy() == "remove the quotes");
  for (const char* bad : {"1.5", "1e3", "0x10", "+1", "1_000", "eight", "[1]", ""}) {
    CAPTURE(bad);
    CHECK(contains(rejection<int>(bad).problem(), "expected an integer, found "));
  }
}

TEST_CASE("numbers are finite and do not depend on the locale", "[unit]") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  CHECK(read<double>("0.5") == 0.5);
  CHECK(read<double>("-1e-3") == -0.001);
  CHECK(Codec<double>::print(0.5) == "0.5");
  CHECK(contains(rejection<double>("0,5").problem(), "expected a number"));
  std::setlocale(LC_ALL, before.c_str());
  for (const char* bad : {"nan", "inf", "-inf", ".inf", "0x1p3", "1.5.2", "'0.5'", "{}"}) {
    CAPTURE(bad);
    CHECK(contains(rejection<double>(bad).problem(), "expected a number, found "));
  }
  REQUIRE(contains(rejection<double>("1e999").problem(), "out of range"));
}

TEST_CASE("a delay per byte is as long as all bytes, and one that is too long is rejected",
          "[unit]") {
  REQUIRE(to_string(Delay::of(Cycles{3}) * Bytes{16}) == "48 cycle");
  REQUIRE(to_string(Delay::of(Duration{330}) * Bytes{10}) == "3.3 ns");
  REQUIRE((Delay::of(Duration{330}) * Bytes{0}).picoseconds == 0);
  REQUIRE((Delay::of(Cycles{0}) * Bytes{INT64_MAX / 4}).cycles == 0);

  const std::int64_t most = INT64_MAX / 4;
  const std::int64_t half = most / 2;
  REQUIRE((Delay::of(Duration{half}) * Bytes{2}).picoseconds == 2 * half);
  REQUIRE((Delay::of(Cycles{1}) * Bytes{most}).cycles == most);
  for (const Delay& each : {Delay::of(Duration{half + 1}), Delay::of(Cycles{half + 1})}) {
    const ConfigError error = config_error_of([&] { (void)(each * Bytes{2}); });
    CHECK(contains(error.problem(), "for each byte of 2 B are too long"));
    CHECK(contains(error.problem(), to_string(each)));
    CHECK(contains(error.remedy(),
                   each.in_cycles ? "2305843009213693951 cycle" : "2305843009213693.951 ns"));
  }
}

TEST_CASE("quantities of one are printed in the singular", "[unit]") {
  REQUIRE(counted(0, "step") == "0 steps");
  REQUIRE(counted(1, "step") == "1 step");
  REQUIRE(counted(2, "step") == "2 steps");
}

TEST_CASE("a boolean is true or false and nothing else", "[unit]") {
  REQUIRE(read<bool>("true"));
  REQUIRE_FALSE(read<bool>("false"));
  for (const char* bad : {"yes", "no", "on", "True", "1", "'true'", "", "[true]"}) {
    CAPTURE(bad);
    CHECK(contains(rejection<bool>(bad).problem(), "expected true or false, found "));
  }
}

TEST_CASE("a list is required where one is expected, and each item has its index", "[unit]") {
  REQUIRE(read<std::vector<int>>("[8, 4]") == std::vector<int>{8, 4});
  REQUIRE(read<std::vector<int>>("[]").empty());
  REQUIRE(read<std::vector<std::vector<int>>>("[[1], [2, 3]]")[1][1] == 3);
  REQUIRE(rejection<std::vector<int>>("8").remedy() == "write it in brackets, e.g. [8]");
  REQUIRE(
      contains(rejection<std::vector<int>>("{a: 8}").problem(), "expected a list, found a map"));
  REQUIRE(rejection<std::vector<int>>("[8, x]").key() == "key[1]");
  REQUIRE(Codec<std::vector<Flits>>::print({{1}, {2}}) == "[1 flit, 2 flit]");
}

TEST_CASE("a choice is read by name, and a wrong name is rejected with the nearest one", "[unit]") {
  REQUIRE(read<Pace>("stepped") == Pace::stepped);
  REQUIRE(Codec<Pace>::print(Pace::stepped) == "stepped");
  REQUIRE(std::string(rejection<Pace>("steped").what()) ==
          "job.yaml:1:1: key: expected dataflow or stepped, found `steped`; "
          "did you mean `stepped`?");
  REQUIRE(contains(rejection<Pace>("[stepped]").problem(), "found a list"));
}

TEST_CASE("a text is quoted where it would be read as another type", "[unit]") {
  REQUIRE(Codec<std::string>::print("mesh_8x8 (a)") == "mesh_8x8 (a)");
  for (const char* text : {"8", "-1.5", "true", "No", "null", "~", "", ".inf", "0x1f", "2001-12-14",
                           "a: b", " a", "a ", "#a", "*a", "a\nb", "\"", "[a]", "1e3"}) {
    CAPTURE(text);
    const std::string printed = Codec<std::string>::print(text);
    CHECK(printed[0] == '"');
    CHECK(read<std::string>(printed) == text);
  }
}

TEST_CASE("every type has a name, an example that it reads, and a JSON schema", "[unit]") {
  REQUIRE(read<Duration>(Codec<Duration>::type().example) == Duration{20'000});
  REQUIRE(read<Delay>(Codec<Delay>::type().example).cycles == 3);
  REQUIRE(read<Rate>(Codec<Rate>::type().example).flits_per_node_cycle == 0.1);
  REQUIRE(read<std::vector<int>>(Codec<std::vector<int>>::type().example).size() == 2);
  REQUIRE(Codec<std::vector<int>>::type().json_schema ==
          R"({"type":"array","items":{"type":"integer"}})");
  REQUIRE(Codec<Pace>::type().name == "dataflow | stepped");
  REQUIRE(Codec<Pace>::type().json_schema == R"({"enum":["dataflow","stepped"]})");
  REQUIRE(Codec<Cycles>::type().json_schema ==
          R"({"type":"string","pattern":"^[0-9.]+ *cycles?$"})");
}

}  // namespace
}  // namespace flitwave::quantity_test
