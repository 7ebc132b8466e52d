// testbenches/tests/paper/wang_2001/wang_2001_pictures_test.cpp: pictures of figures 2 and 3 of
// Wang et al. 2001.
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include "testbenches/plots/partition_picture.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/paper/wang_2001/wang_2001.hpp"

namespace wang_2001_pictures_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

/// The group of a network.
std::string network_in(const std::string& picture, int number) {
  const std::size_t begin = picture.find(fmt::format("<g id=\"network_{}\">", number));
  if (begin == std::string::npos) return "";
  return picture.substr(begin, picture.find("</g>", begin) - begin);
}

struct Figure {
  bool wraps;
  DdnType type;
  int h;
  int networks;
  int channels;  ///< Of each network.
  int panels;    ///< As many as the networks that share a channel, for each direction.
};

}  // namespace

TEST_CASE("a picture of a partition has the nodes and channels that section 2.6 counts",
          "[paper][wang][O-9]") {
  for (const Figure& figure : {Figure{true, DdnType::one, 4, 4, 256, 1},
                               {true, DdnType::two, 4, 16, 256, 4},
                               {true, DdnType::three, 4, 8, 128, 2},
                               {true, DdnType::four, 4, 16, 128, 4},
                               {true, DdnType::one, 2, 2, 512, 1},
                               {true, DdnType::three, 2, 4, 256, 2},
                               {false, DdnType::one, 4, 4, 240, 1},
                               {false, DdnType::two, 2, 4, 480, 2}}) {
    const Topology network = figure.wraps ? torus({16, 16}) : mesh({16, 16});
    const std::string picture = partition_picture(Partition(network, {figure.type, figure.h}));
    CAPTURE(name_of({figure.type, figure.h, 0}), figure.wraps);
    CHECK(count(picture, "class=\"panel\"") == figure.panels);
    CHECK(count(picture, "id=\"network_") == figure.networks);
    for (int number = 0; number < figure.networks; ++number) {
      const std::string group = network_in(picture, number);
      CHECK(count(group, "class=\"channel\"") == figure.channels);
      CHECK(count(group, "class=\"node\"") == 256 / (figure.h * figure.h));
    }
    CHECK(count(picture, "class=\"block\"") == figure.panels * 256 / (figure.h * figure.h));
    CHECK(count(picture, "class=\"dot\"") == figure.panels * 256);
  }
}

TEST_CASE(
    "figure 2 is one panel, and figure 3 has separate panels for positive and negative networks",
    "[paper][wang]") {
  const Topology network = torus({16, 16});
  const std::string second = partition_picture(Partition(network, {DdnType::one, 4}));
  CHECK(count(second, "4I, channels both ways") == 1);
  const std::string third = partition_picture(Partition(network, {DdnType::three, 4, 2}));
  const std::size_t positive = third.find("4III, positive channels");
  const std::size_t negative = third.find("4III, negative channels");
  REQUIRE(positive != std::string::npos);
  REQUIRE(negative != std::string::npos);
  CHECK(positive < third.find("id=\"network_3\""));
  CHECK(third.find("id=\"network_3\"") < negative);
  CHECK(negative < third.find("id=\"network_4\""));
}

}  // namespace wang_2001_pictures_test
