# tools/cmake/FlitwaveRoom.cmake: one room is one static library with one include spelling.
# SPDX-License-Identifier: Apache-2.0

# "flitwave/<room>/<file>.hpp" resolves through links in the build tree, as it does after install.
set(FLITWAVE_INCLUDE_ROOT "${PROJECT_BINARY_DIR}/include")
file(MAKE_DIRECTORY "${FLITWAVE_INCLUDE_ROOT}/flitwave")
foreach(room configs topologies algorithms modules routers testbenches tools)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${room}" "${FLITWAVE_INCLUDE_ROOT}/flitwave/${room}"
       SYMBOLIC)
endforeach()

# What runs once per job is optimized little in a release build: that cuts its compile time to a
# third, which is most of what joined files cost. The instrumented tests (preset asan) run it a few
# times and compile it for longer than that, so not at all there; the search for jobs on which the
# reader crashes (preset fuzz) is a release build, and runs it millions of times.
set(FLITWAVE_RUN_ONCE_OPTIONS $<$<CONFIG:Release>:-Og>)
if(FLITWAVE_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(FLITWAVE_RUN_ONCE_OPTIONS -O0)
endif()

# flitwave_room(NAME FOLDER f [SOURCES ...] [RUN_ONCE ...] HEADERS ... [PLUGINS folder ...]
#               [RUN_ONCE_PLUGINS folder ...] [RUN_ONCE_OPTIONS option ...]
#               USES ... [PRIVATE_USES ...])
# RUN_ONCE: sources of which nothing runs in each cycle or for each packet.
# PLUGINS: every .cpp of these sub-folders belongs to the room; nothing else is globbed.
function(flitwave_room name)
  cmake_parse_arguments(ROOM "" "FOLDER"
    "SOURCES;RUN_ONCE;HEADERS;PLUGINS;RUN_ONCE_PLUGINS;RUN_ONCE_OPTIONS;USES;PRIVATE_USES" ${ARGN})
  if(NOT ROOM_RUN_ONCE_OPTIONS)
    set(ROOM_RUN_ONCE_OPTIONS ${FLITWAVE_RUN_ONCE_OPTIONS})
  endif()
  foreach(group PLUGINS RUN_ONCE_PLUGINS)
    set(${group} "")
    foreach(folder IN LISTS ROOM_${group})
      file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${ROOM_FOLDER}/${folder}/*.cpp")
      list(APPEND ${group} ${found})
    endforeach()
  endforeach()
  set(targets flitwave_${name})
  # In the inner loop, a program that uses a library need not be linked again when that has changed.
  set(kind STATIC)
  if(FLITWAVE_TEST_PER_FILE)
    set(kind SHARED)
  endif()
  add_library(flitwave_${name} ${kind} ${ROOM_SOURCES} ${PLUGINS})
  add_library(flitwave::${name} ALIAS flitwave_${name})
  set(run_once ${ROOM_RUN_ONCE} ${RUN_ONCE_PLUGINS})
  if(run_once)
    add_library(flitwave_${name}_run_once OBJECT ${run_once})
    list(APPEND targets flitwave_${name}_run_once)
    target_compile_options(flitwave_${name}_run_once PRIVATE ${ROOM_RUN_ONCE_OPTIONS})
    target_include_directories(flitwave_${name}_run_once PRIVATE "${FLITWAVE_INCLUDE_ROOT}")
    target_link_libraries(flitwave_${name}_run_once PRIVATE ${ROOM_USES})
    target_sources(flitwave_${name} PRIVATE $<TARGET_OBJECTS:flitwave_${name}_run_once>)
  endif()
  foreach(target IN LISTS targets)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
    target_compile_features(${target} PUBLIC cxx_std_17)
    # Else no function that another library could replace is inlined.
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    target_link_libraries(${target} PRIVATE
      $<BUILD_INTERFACE:flitwave_warnings> ${ROOM_PRIVATE_USES})
  endforeach()
  # No define of its own when shared: rooms share precompiled headers.
  set_target_properties(flitwave_${name} PROPERTIES EXPORT_NAME ${name} DEFINE_SYMBOL "")
  list(TRANSFORM ROOM_HEADERS PREPEND "${FLITWAVE_INCLUDE_ROOT}/flitwave/${ROOM_FOLDER}/")
  target_sources(flitwave_${name} PUBLIC FILE_SET HEADERS
    BASE_DIRS "${FLITWAVE_INCLUDE_ROOT}" FILES ${ROOM_HEADERS})
  target_link_libraries(flitwave_${name} PUBLIC ${ROOM_USES})
endfunction()

# flitwave_registrations(declarations calls TYPE registry folder): appends to both variables what
# registers the kinds of a plug-in folder, whose x.cpp must define register_x(TYPE&).
function(flitwave_registrations declarations calls type registry folder)
  file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
  list(SORT found)
  foreach(path IN LISTS found)
    get_filename_component(stem "${path}" NAME_WE)
    string(APPEND ${declarations} "void register_${stem}(${type}&);\n")
    string(APPEND ${calls} "  register_${stem}(${registry});\n")
  endforeach()
  set(${declarations} "${${declarations}}" PARENT_SCOPE)
  set(${calls} "${${calls}}" PARENT_SCOPE)
endfunction()
