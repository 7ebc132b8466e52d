// testbenches/tests/paper/tsai_1997/tsai_1997_tau_test.cpp: the tau-plots of Tsai 1997 and the
// tables behind them.
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "algorithms/cost_models/closed_forms.hpp"
#include "algorithms/cost_models/machines.hpp"
#include "configs/table.hpp"
#include "testbenches/reference/papers/tau_regions.hpp"
#include "testbenches/tests/catch.hpp"

namespace tsai_1997_tau_test {

using namespace flitwave;

namespace {

/// alpha = gamma, alpha + gamma = 1 us, so that beta equals tau_0.
AlphaBetaGamma balanced(double tau_0) { return {0.5, tau_0, 0.5}; }

/// Points of a table of measurements, by name.
std::map<std::string, TauPoint> measured(const std::string& stem) {
  const std::string file = "configs/measurements/tsai_1997/" + stem + ".csv";
  std::map<std::string, TauPoint> points;
  for (const TauTrace& trace : tau_traces(load_csv(file), file))
    for (const auto& [name, point] : trace.points) points[name] = point;
  return points;
}

/// As printed in the dissertation. Unit: us, us per byte, 1 per byte
struct Printed {
  std::string name;
  double startup, per_byte, tau;
};
/// By file. Shape: [rows]
const std::map<std::string, std::vector<Printed>>& printed_tables() {
  static const std::map<std::string, std::vector<Printed>> tables{
      {"table_5_1",
       {{"t3d_max", 3, 0.00781, 0.0026},
        {"paragon_sunmos", 25, 0.00585, 0.000234},
        {"delta_nx", 77, 0.125, 0.00162},
        {"ipsc860_nx", 65, 0.333, 0.00513},
        {"ipsc2_nx", 370, 0.357, 0.000965},
        {"sp1_mpl", 270, 0.143, 0.000529},
        {"sp2_mpi", 35, 0.0286, 0.000816},
        {"ksr1_osf", 73, 0.125, 0.00171},
        {"cs2_solaris", 11, 0.0250, 0.00227},
        {"ncube2_vertex", 154, 0.589, 0.00382},
        {"ncube1_vertex", 384, 2.5, 0.00651},
        {"cenju3", 34, 0.04, 0.00118},
        {"sgi_irix", 10, 0.0156, 0.00156},
        {"cm5_cmmd", 95, 0.111, 0.00117},
        {"ss20_asx200_udp", 716, 0.16, 0.000224},
        {"ss20_asx200_tcp", 817, 0.13, 0.000159},
        {"ss20_myrinet_udp", 746, 0.18, 0.000241},
        {"ss20_myrinet_tcp", 807, 0.152, 0.000188},
        {"ss20_unet_udp", 65, 0.75, 0.0115},
        {"ss20_unet_tcp", 75, 0.85, 0.0113},
        {"ss10_ethernet_tcp", 552.17, 0.913, 0.00165},
        {"ss20_ethernet_tcp", 260.85, 0.892, 0.00342},
        {"indy_ethernet_tcp", 294.45, 0.889, 0.00302}}},
      {"table_5_6",
       {{"rs6000_mpi_ccl_4", 793, 0.893, 0.00113},
        {"rs6000_mpi_ccl_8", 2090, 1.2, 0.000573},
        {"ss10_asx100_4", 6080, 1.87, 0.000308},
        {"ss10_asx100_8", 12800, 1.14, 0.0000888},
        {"ethernet_panda_8", 311.3, 0.105, 0.000337},
        {"ethernet_fm_8", 86.6, 0.147, 0.00170},
        {"myrinet_panda_8", 156.7, 0.0838, 0.000535},
        {"myrinet_fm_8", 53.6, 0.0901, 0.00168},
        {"asx200_panda_8", 370.3, 0.106, 0.000286},
        {"asx200_fm_8", 112.4, 0.103, 0.000916},
        {"sp2_mpi_512", 360, 0.333, 0.000925},
        {"sp2_mpl_512", 144, 0.225, 0.00156},
        {"paragon_intercomm_512", 3900, 0.043, 0.0000110}}},
      {"table_5_7",
       {{"a_4", 3220, 9.11, .00283},
        {"b_4", 5380, 9.66, .00180},
        {"a_8", 6200, 47.7, .00769},
        {"b_8", 14700, 43.8, .00298},
        {"a_12", 12900, 107, .00830},
        {"b_12", 32900, 92.4, .00281}}}};
  return tables;
}

/// The algorithms of Fig. 5.8 and 5.9 for n = 5, in the order of their columns.
const std::vector<std::pair<std::string, Terms>>& broadcasts() {
  static const std::vector<std::pair<std::string, Terms>> all{
      {"RD", dimensional_broadcast(5)}, {"EDN", edn(5)},
      {"FT2", fibonacci_tree(5, 2)},    {"FT4", fibonacci_tree(5, 4)},
      {"FT8", fibonacci_tree(5, 8)},    {"SC", scatter_collect(5)}};
  return all;
}

}  // namespace

TEST_CASE("the end points of Fig. 5.8 and 5.9", "[paper]") {
  struct Setting {
    double alpha;
    double beta;
    std::vector<std::vector<double>> points;  ///< T_s, T_n, tau
  };
  const std::vector<Setting> settings{{0.5,
                                       0.01,
                                       {{10.62, .1, .00942},
                                        {10.81, .06, .00555},
                                        {17.24, .08, .00464},
                                        {26.48, .06, .00227},
                                        {42.96, .0475, .00111},
                                        {73.86, .01998, .000271}}},
                                      {1.5,
                                       0.01,
                                       {{30.62, .1, .00327},
                                        {31.81, .06, .00189},
                                        {49.24, .08, .00162},
                                        {74.48, .06, .000806},
                                        {118.96, .0475, .000399},
                                        {217.86, .01998, .0000917}}},
                                      {0.5,
                                       0.001,
                                       {{10.062, .01, .000994},
                                        {10.531, .006, .000570},
                                        {16.124, .008, .000496},
                                        {24.248, .006, .000247},
                                        {38.496, .00475, .000123},
                                        {72.186, .001998, .0000277}}},
                                      {0.5,
                                       0.191,
                                       {{21.84, 1.91, .0874},
                                        {16.42, 1.146, .0698},
                                        {39.68, 1.528, .0385},
                                        {71.37, 1.146, .0161},
                                        {132.7, .907, .00684},
                                        {107.5, .382, .00355}}}};
  for (const Setting& setting : settings)
    for (std::size_t i = 0; i < broadcasts().size(); ++i) {
      const TauPoint point =
          broadcasts()[i].second.point({setting.alpha, setting.beta, setting.alpha});
      REQUIRE(point.startup == Approx(setting.points[i][0]).epsilon(0.0005));
      REQUIRE(point.per_byte == Approx(setting.points[i][1]).epsilon(0.001));
      REQUIRE(point.tau() == Approx(setting.points[i][2]).epsilon(0.005));
    }
}

TEST_CASE("Fig. 5.8: with growing start-up scatter-collect rises most steeply, doubling least",
          "[paper][Q18]") {
  const std::vector<double> growth{20, 21, 32, 48, 76, 144};
  for (std::size_t i = 0; i < broadcasts().size(); ++i) {
    const Terms& terms = broadcasts()[i].second;
    REQUIRE(terms.sends + terms.receives == growth[i]);
    for (double alpha = 0.5; alpha < 1.55; alpha += 0.1) {
      const AlphaBetaGamma cost{alpha, 0.01, alpha};
      if (i > 0) REQUIRE(terms.point(cost).tau() < broadcasts()[0].second.point(cost).tau());
      if (i < 5) REQUIRE(terms.point(cost).tau() > broadcasts()[5].second.point(cost).tau());
    }
  }
  // beta / (alpha + gamma) falls from 0.01 to 0.0033; section 5.4.1 prints 0.003.
  REQUIRE(0.01 / (2 * 1.5) == Approx(0.00333).epsilon(0.002));
  // Its alpha = gamma = 0.01 is a misprint of 0.5: T_s would be 0.82 instead of 10.62.
  REQUIRE(broadcasts()[0].second.point({0.01, 0.01, 0.01}).startup == Approx(0.82));
}

TEST_CASE("Fig. 5.9: with growing beta tau falls from doubling to scatter-collect",
          "[paper][Q19]") {
  for (std::size_t i = 1; i < broadcasts().size(); ++i) {
    const AlphaBetaGamma cost{0.5, 0.191, 0.5};
    REQUIRE(broadcasts()[i].second.point(cost).tau() <
            broadcasts()[i - 1].second.point(cost).tau());
  }
  // EDN's start-up is below that of doubling for beta above 1/62.
  for (double beta : {0.016, 0.0163}) {
    const AlphaBetaGamma cost{0.5, beta, 0.5};
    REQUIRE((edn(5).point(cost).startup < dimensional_broadcast(5).point(cost).startup) ==
            (beta > 0.5 / 31));
  }
  // Scatter-collect dominates eight packets for beta above epsilon(5, 8) = 0.1097.
  for (double beta : {0.109, 0.1095, 0.11, 0.191})
    REQUIRE((relation(scatter_collect(5).point(balanced(beta)),
                      fibonacci_tree(5, 8).point(balanced(beta))) == Relation::dominates) ==
            (beta > 0.1097));
}

TEST_CASE("every tau of tables 5.1, 5.6 and 5.7 is T_n / T_s within a per cent", "[paper]") {
  const auto [stem, rows] = GENERATE(
      table<std::string, std::size_t>({{"table_5_1", 23}, {"table_5_6", 13}, {"table_5_7", 6}}));
  const std::string file = "configs/measurements/tsai_1997/" + stem + ".csv";
  const Table table = load_csv(file);

  REQUIRE(table.rows.size() == rows);
  REQUIRE(measured(stem).size() == rows);  // no name occurs twice
  for (std::size_t row = 0; row < rows; ++row)
    REQUIRE(table.number(row, "per_byte", file) / table.number(row, "startup", file) ==
            Approx(table.number(row, "tau", file)).epsilon(0.01));
}

TEST_CASE("tables 5.1, 5.6 and 5.7 contain every printed figure", "[paper]") {
  for (const auto& [stem, rows] : printed_tables()) {
    const std::string file = "configs/measurements/tsai_1997/" + stem + ".csv";
    const Table table = load_csv(file);
    REQUIRE(table.rows.size() == rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      INFO(stem << ": " << rows[row].name);
      REQUIRE(table.rows[row][table.column("name", file)] == rows[row].name);
      REQUIRE(table.number(row, "startup", file) == rows[row].startup);
      REQUIRE(table.number(row, "per_byte", file) == rows[row].per_byte);
      REQUIRE(table.number(row, "tau", file) == rows[row].tau);
    }
  }
}

TEST_CASE("table 5.1 and the parameter sets are machines that a job can name", "[paper]") {
  REQUIRE(std::count_if(machines().begin(), machines().end(), [](const Machine& known) {
            return known.source.compare(0, 9, "Tsai 1997") == 0;
          }) == 6 + 23);
  REQUIRE(machine("paragon_sunmos").point().startup == 25);
  REQUIRE(machine("paragon_sunmos").point().per_byte == 0.00585);
  REQUIRE(machine("ncube2").point().startup == 170);
  REQUIRE(machine("ncube2").cost.beta == 0.45);
  REQUIRE(machine("t3d_fast").point().startup == Approx(machine("t3d").point().startup / 10));
  REQUIRE_THROWS_WITH(machine("ncube3"), Catch::Matchers::Contains("did you mean `ncube2`?"));
}

TEST_CASE("Fig. 5.4: U-Net and faster processors have points lower and to the right",
          "[paper][Q23]") {
  const auto points = measured("table_5_1");
  const auto lower_right = [&](const char* point, const char* seen_from) {
    const Region place = region(points.at(point), points.at(seen_from));
    return place == Region::d_above || place == Region::d_below;
  };
  for (const char* unet : {"ss20_unet_udp", "ss20_unet_tcp"})
    for (const char* other :
         {"ss20_asx200_udp", "ss20_asx200_tcp", "ss20_myrinet_udp", "ss20_myrinet_tcp"})
      REQUIRE(lower_right(unet, other));
  REQUIRE(lower_right("ss20_ethernet_tcp", "ss10_ethernet_tcp"));
  REQUIRE(lower_right("indy_ethernet_tcp", "ss10_ethernet_tcp"));
}

TEST_CASE("machines of equal tau differ by one factor at all lengths", "[paper][Q24][O22]") {
  const auto points = measured("table_5_1");
  const auto [slow, quick, factor, spread] =
      GENERATE(table<std::string, std::string, double, double>(
          {{"ss20_asx200_udp", "paragon_sunmos", 28.0, 0.03},
           {"cm5_cmmd", "cenju3", 2.78, 0.006}}));

  for (double bytes : {0.0, 100.0, 1e4, 1e6, 1e8})
    REQUIRE(points.at(slow).at(bytes) / points.at(quick).at(bytes) ==
            Approx(factor).epsilon(spread));
}

TEST_CASE("table 5.6: Panda has the smaller tau, and the points show which machine dominates",
          "[paper][Q25][Q26]") {
  const auto points = measured("table_5_6");
  for (const char* network : {"ethernet", "myrinet", "asx200"}) {
    const std::string name = network;
    REQUIRE(points.at(name + "_panda_8").tau() < points.at(name + "_fm_8").tau());
  }

  const auto dominates = [&](const char* a, const char* b) {
    return relation(points.at(a), points.at(b)) == Relation::dominates;
  };
  REQUIRE(dominates("myrinet_fm_8", "ethernet_fm_8"));
  REQUIRE(dominates("asx200_fm_8", "sp2_mpi_512"));
  REQUIRE(dominates("myrinet_panda_8", "ethernet_panda_8"));  // the text reads the plot differently
}

TEST_CASE("table 5.7: with more nodes version A moves right and version B up", "[paper][Q27]") {
  const auto points = measured("table_5_7");

  REQUIRE(points.at("a_4").tau() < points.at("a_8").tau());
  REQUIRE(points.at("a_8").tau() < points.at("a_12").tau());
  for (const char* name : {"b_4", "b_8", "b_12"}) {
    REQUIRE(points.at(name).tau() > 0.00175);
    REQUIRE(points.at(name).tau() < 0.0030);
  }
  REQUIRE(points.at("b_4").startup < points.at("b_8").startup);
  REQUIRE(points.at("b_8").startup < points.at("b_12").startup);
}

TEST_CASE("table 5.7: A's fit is lower for all lengths on 4 nodes, up to a crossover on 8 and 12",
          "[paper]") {
  const auto points = measured("table_5_7");

  REQUIRE(relation(points.at("a_4"), points.at("b_4")) == Relation::dominates);
  REQUIRE(relation(points.at("a_8"), points.at("b_8")) == Relation::better_short);
  REQUIRE(*crossover(points.at("a_8"), points.at("b_8")) == Approx(2179).margin(1));
  REQUIRE(*crossover(points.at("a_12"), points.at("b_12")) == Approx(1370).margin(1));
}

TEST_CASE("version B sends P (P - 1) messages one after another, and grows as measured",
          "[paper]") {
  const auto points = measured("table_5_7");
  const auto [nodes, startup, per_byte] = GENERATE(
      table<int, double, double>({{4, 6626, 10.96}, {8, 30922, 51.1}, {12, 72886, 120.5}}));

  const TauPoint model = all_to_all_by_token(nodes, machine("ss10_ethernet_tcp").point());

  REQUIRE(model.startup == Approx(startup).margin(1));
  REQUIRE(model.per_byte == Approx(per_byte).epsilon(0.001));
  const TauPoint& found = points.at("b_" + std::to_string(nodes));
  REQUIRE(model.startup / found.startup > 1.2);
  REQUIRE(model.startup / found.startup < 2.25);
  REQUIRE(model.per_byte / found.per_byte > 1.1);
  REQUIRE(model.per_byte / found.per_byte < 1.35);
}

}  // namespace tsai_1997_tau_test
