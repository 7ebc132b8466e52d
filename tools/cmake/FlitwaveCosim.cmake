# tools/cmake/FlitwaveCosim.cmake: the suite `cosim`: routers in Verilog in the slots of networks.
# SPDX-License-Identifier: Apache-2.0
if(NOT TARGET flitwave_rtl_models)
  return()
endif()
set(designs "${tests}/rtl/designs")

# Routers of the tests, one for each port map; packages first.
file(GLOB packages CONFIGURE_DEPENDS "${designs}/*_flit.sv")
file(GLOB maps CONFIGURE_DEPENDS "${designs}/*.yaml")
set(test_models "")
include(FlitwavePlanted)
foreach(map IN LISTS maps)
  get_filename_component(name "${map}" NAME_WLE)
  flitwave_add_rtl(NAME ${name} TOP ${name} SOURCES ${packages} "${designs}/${name}.sv" PORTS "${map}")
  list(APPEND test_models ${name})
  flitwave_test(rtl.lint.${name} LABELS rtl
    COMMAND "${VERILATOR_BIN}" --lint-only -Wall --top-module ${name} ${packages}
            "${designs}/${name}.sv")
endforeach()

file(GLOB cosim_files CONFIGURE_DEPENDS "${tests}/cosim/*.cpp")
list(APPEND cosim_files "${tests}/timed/vcd_reader.cpp")
flitwave_suite(cosim FILES ${cosim_files} USES flitwave_test_main flitwave_rtl_models ${test_models})

flitwave_test(rtl.port_map LABELS rtl
  COMMAND "${FLITWAVE_RTL_PYTHON}" "${tests}/rtl/port_map_test.py" "${VERILATOR_BIN}")
