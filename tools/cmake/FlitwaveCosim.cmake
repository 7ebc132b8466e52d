# tools/cmake/FlitwaveCosim.cmake: the suite `cosim`: routers in Verilog in the slots of networks.
# SPDX-License-Identifier: Apache-2.0
if(NOT TARGET flitwave_rtl_models)
  return()
endif()
set(designs "${tests}/rtl/designs")
set(wormhole "${PROJECT_SOURCE_DIR}/routers/rtl")

# Routers of the tests, one for each port map; packages first.
file(GLOB packages CONFIGURE_DEPENDS "${designs}/*_flit.sv")
file(GLOB maps CONFIGURE_DEPENDS "${designs}/*.yaml")
set(test_models "")
include(FlitwavePlanted)
foreach(map IN LISTS maps)
  get_filename_component(name "${map}" NAME_WLE)
  flitwave_add_rtl(NAME ${name} TOP ${name} SOURCES ${packages} "${designs}/${name}.sv"
    INCLUDE_DIRS "${wormhole}" PORTS "${map}")
  list(APPEND test_models ${name})
  flitwave_test(rtl.lint.${name} LABELS rtl
    COMMAND "${VERILATOR_BIN}" --lint-only -Wall -y "${wormhole}" --top-module ${name} ${packages}
            "${designs}/${name}.sv")
endforeach()

flitwave_add_rtl(NAME field_router_on_request TOP field_router PARAMETERS ON_REQUEST=1
  SOURCES "${designs}/field_router.sv" INCLUDE_DIRS "${wormhole}" PORTS "${designs}/field_router.yaml")
list(APPEND test_models field_router_on_request)

# The wormhole router with as many local ports as EDN needs on a mesh.
flitwave_add_rtl(NAME wormhole_1vc_three_ports TOP wormhole_credit
  PARAMETERS FLIT_WIDTH=32 LOCAL_PORTS=3 SOURCES "${wormhole}/wormhole_credit.sv"
  INCLUDE_DIRS "${wormhole}" PORTS "${wormhole}/wormhole_credit.yaml")

# The same with arbiters that keep their turns through the reset.
file(READ "${wormhole}/round_robin.sv" arbiter)
string(REPLACE "if (reset) beyond <= '0;\n    else if (served)" "if (served)" planted "${arbiter}")
if(planted STREQUAL arbiter)
  message(FATAL_ERROR "routers/rtl/round_robin.sv has another reset; adapt FlitwaveCosim.cmake")
endif()
set(unreset "${PROJECT_BINARY_DIR}/unreset_rtl")
file(CONFIGURE OUTPUT "${unreset}/round_robin.sv" CONTENT "${planted}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${wormhole}/round_robin.sv")
flitwave_add_rtl(NAME turns_without_reset TOP wormhole_credit PARAMETERS FLIT_WIDTH=32
  SOURCES "${unreset}/round_robin.sv" "${wormhole}/wormhole_credit.sv"
  INCLUDE_DIRS "${wormhole}" PORTS "${wormhole}/wormhole_credit.yaml")
list(APPEND test_models wormhole_1vc_three_ports turns_without_reset)

file(GLOB cosim_files CONFIGURE_DEPENDS "${tests}/cosim/*.cpp")
list(APPEND cosim_files "${tests}/timed/vcd_reader.cpp")
flitwave_suite(cosim FILES ${cosim_files} USES flitwave_test_main flitwave_rtl_models ${test_models})

flitwave_test(rtl.port_map LABELS rtl
  COMMAND "${FLITWAVE_RTL_PYTHON}" "${tests}/rtl/port_map_test.py" "${VERILATOR_BIN}")

# Verilator's code is not ours: instrumented, it would take minutes to compile.
if(FLITWAVE_SANITIZE)
  get_property(all_designs GLOBAL PROPERTY FLITWAVE_RTL_DESIGNS)
  list(TRANSFORM all_designs APPEND _models)
  foreach(target IN LISTS all_designs ITEMS flitwave_verilator)
    target_compile_options(${target} PRIVATE -fno-sanitize=all -g0)
  endforeach()
endif()
