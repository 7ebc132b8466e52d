# routers/rtl/designs/wormhole.cmake: the wormhole router as designs of several sizes.
# SPDX-License-Identifier: Apache-2.0
# wormhole[_ready_valid][_pipelined]_NUMBERvc[_torus], all with 4 slots per virtual channel.
set(designs wormhole_1vc wormhole_2vc_torus wormhole_4vc wormhole_pipelined_2vc
  wormhole_ready_valid_1vc wormhole_ready_valid_2vc)
if(FLITWAVE_RTL_ALL)
  set(designs "")
  foreach(begin wormhole wormhole_pipelined wormhole_ready_valid wormhole_ready_valid_pipelined)
    list(APPEND designs ${begin}_1vc)
    foreach(vcs 2 4)
      list(APPEND designs ${begin}_${vcs}vc ${begin}_${vcs}vc_torus)
    endforeach()
  endforeach()
endif()

foreach(design IN LISTS designs)
  string(REGEX MATCH "([0-9]+)vc" vcs "${design}")
  set(parameters FLIT_WIDTH=32 "VCS=${CMAKE_MATCH_1}")
  if(design MATCHES "_torus$")
    list(APPEND parameters TORUS=1)
  endif()
  if(design MATCHES "_pipelined_")
    list(APPEND parameters ROUTE_DELAY=1 VC_DELAY=1 SWITCH_DELAY=1 TRAVERSAL=1)
  endif()
  set(top wormhole_credit)
  if(design MATCHES "_ready_valid_")
    set(top wormhole_ready_valid)
  endif()
  flitwave_add_rtl(NAME ${design} TOP ${top} PARAMETERS ${parameters}
    SOURCES "${PROJECT_SOURCE_DIR}/routers/rtl/${top}.sv"
    INCLUDE_DIRS "${PROJECT_SOURCE_DIR}/routers/rtl"
    PORTS "${PROJECT_SOURCE_DIR}/routers/rtl/${top}.yaml")
  target_link_libraries(flitwave_rtl_models INTERFACE ${design})
endforeach()
