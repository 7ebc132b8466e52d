# routers/rtl/designs/wormhole.cmake: the wormhole router as designs of several sizes.
# SPDX-License-Identifier: Apache-2.0
# wormhole[_ready_valid][_pipelined]_NUMBERvc[_torus][_NUMBERslots], with 4 slots per virtual channel
# and flits of 32 bits, or with another number of slots and flits of 45 bits.
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
  list(APPEND designs wormhole_1vc_1slots wormhole_pipelined_4vc_2slots wormhole_2vc_torus_7slots
    wormhole_ready_valid_1vc_7slots wormhole_ready_valid_pipelined_2vc_1slots
    wormhole_ready_valid_4vc_torus_3slots)
endif()

foreach(design IN LISTS designs)
  string(REGEX MATCH "([0-9]+)vc" vcs "${design}")
  set(parameters "VCS=${CMAKE_MATCH_1}")
  if(design MATCHES "_([0-9]+)slots$")
    list(APPEND parameters FLIT_WIDTH=45 "DEPTH=${CMAKE_MATCH_1}")
  else()
    list(APPEND parameters FLIT_WIDTH=32)
  endif()
  if(design MATCHES "_torus")
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
