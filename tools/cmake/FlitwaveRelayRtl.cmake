# tools/cmake/FlitwaveRelayRtl.cmake: Lan's router in Verilog, verilated with several sets of parameters
# for the tests, and the synthesis of each.
# SPDX-License-Identifier: Apache-2.0
set(relay_tests "${PROJECT_SOURCE_DIR}/testbenches/tests/rtl/relay")

add_library(flitwave_relay_rtl STATIC)
target_compile_features(flitwave_relay_rtl PUBLIC cxx_std_17)
# Not instrumented by sanitizers, which would only slow the tests.
target_compile_options(flitwave_relay_rtl PRIVATE -O1 -w -fno-sanitize=all)
target_link_libraries(flitwave_relay_rtl PUBLIC $<$<CXX_COMPILER_ID:Clang>:atomic>)
set_target_properties(flitwave_relay_rtl PROPERTIES CXX_EXTENSIONS OFF SYSTEM ON)

set(includes "")  # of verilog_models.cpp
set(routers "")
set(units "")
# flitwave_relay_model(NAME router|unit [name=value ...])
function(flitwave_relay_model name what)
  list(TRANSFORM ARGN PREPEND "-G" OUTPUT_VARIABLE arguments)
  verilate(flitwave_relay_rtl SOURCES "${relay_tests}/observed_${what}.sv" INCLUDE_DIRS "${rtl}"
    PREFIX "V${name}" VERILATOR_ARGS -Wall --x-assign unique --x-initial unique ${arguments})
  set(settings "  parameters = {};\n")
  foreach(parameter IN LISTS ARGN)
    string(TOLOWER "${parameter}" parameter)
    string(REGEX REPLACE "=(1'b)?" " = " parameter "${parameter}")
    string(APPEND settings "  parameters.${parameter};\n")
  endforeach()
  set(make make_blocks)
  if(what STREQUAL "unit")
    set(make make_unit)
  endif()
  string(APPEND settings "  models.push_back({\"${name}\", parameters, ${make}<V${name}>});\n")
  if(YOSYS_BIN AND what STREQUAL "router")
    list(TRANSFORM ARGN REPLACE "1'b" "" OUTPUT_VARIABLE values)
    set(labels rtl)
    if(NOT name STREQUAL "cube_3")
      list(APPEND labels long)
    endif()
    flitwave_test(rtl.synthesis.${name} LABELS ${labels}
      COMMAND Python3::Interpreter "${rtl_tests}/synthesis_test.py" "${YOSYS_BIN}"
        routers/relay/rtl ${name} greedy_multicast_router DATA=8 ${values})
  endif()
  set(includes "${includes}#include <V${name}.h>\n" PARENT_SCOPE)
  set(${what}s "${${what}s}${settings}" PARENT_SCOPE)
endfunction()

set(slow FIELD_CYCLES=2 SELECTION_CYCLES=3)
set(ordered STORES=1'b1 SEQUENTIAL=1'b1 SERIAL=1'b1)
flitwave_relay_model(cube_3 router)
flitwave_relay_model(cube_3_stores router ${ordered} ARBITRATION=2 ROWS=2 SELECTION_CYCLES=1)
flitwave_relay_model(cube_3_chip router BROADCASTER=1'b0)
flitwave_relay_model(cube_4 router DIMENSIONS=4 SERIAL=1'b1 ARBITRATION=1)
flitwave_relay_model(cube_4_faults router DIMENSIONS=4 ROWS=6 FAULT_TOLERANT=1'b1 ${slow}
  ANSWER_CYCLES=1 LOCAL_ANSWER_CYCLES=3)
flitwave_relay_model(cube_5 router DIMENSIONS=5 ROWS=6)

flitwave_relay_model(unit_3 unit)
flitwave_relay_model(unit_3_local unit LOCAL=1'b1 ANSWER_CYCLES=2 SERIAL=1'b1)
flitwave_relay_model(unit_3_chip unit BROADCASTER=1'b0 SELECTION_CYCLES=1)
flitwave_relay_model(unit_4_stores unit DIMENSIONS=4 ROWS=3 SELECTION_CYCLES=2 ${ordered})
flitwave_relay_model(unit_4_faults unit DIMENSIONS=4 ROWS=6 FAULT_TOLERANT=1'b1 ${slow}
  ANSWER_CYCLES=1)
flitwave_relay_model(unit_4_faults_local unit DIMENSIONS=4 FAULT_TOLERANT=1'b1 LOCAL=1'b1
  SEQUENTIAL=1'b1)

flitwave_join_models(flitwave_relay_rtl 24)
configure_file("${relay_tests}/verilog_models.cpp.in" "${PROJECT_BINARY_DIR}/verilog_models.cpp" @ONLY)
file(GLOB relay_files CONFIGURE_DEPENDS "${relay_tests}/*.cpp")
list(APPEND relay_files "${PROJECT_BINARY_DIR}/verilog_models.cpp" "${tests}/timed/jobs.cpp")
