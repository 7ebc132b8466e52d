// testbenches/tests/timed/modules/flit_words_test.cpp: words cross a channel with their flits.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/flit_words.hpp"

#include <optional>

#include "testbenches/tests/catch.hpp"

namespace flit_words_test {

using namespace flitwave;

TEST_CASE("a word is there a latency after it was put, for one cycle", "[timed]") {
  const Cycle latency = GENERATE(1, 2, 7);
  FlitWords words(latency);
  for (Cycle now = 0; now < 40; ++now) {
    INFO("latency " << latency << ", cycle " << now);
    const Cycle sent = now - latency;
    const bool carries = sent >= 0 && sent % 3 != 0;
    const std::optional<FlitWord> expected =
        carries ? std::optional(static_cast<FlitWord>(100 + sent)) : std::nullopt;
    CHECK(words.at(now) == expected);  // the receiver ticks first
    if (now % 3 != 0) words.put(static_cast<FlitWord>(100 + now), now);
    CHECK(words.at(now) == expected);  // the sender does
  }
}

TEST_CASE("a word that is not read is gone", "[timed]") {
  FlitWords words(2);
  words.put(5, 10);

  CHECK(words.at(12) == FlitWord{5});
  for (const Cycle later : {11, 13, 15, 18}) CHECK(words.at(later) == std::nullopt);
}

}  // namespace flit_words_test
