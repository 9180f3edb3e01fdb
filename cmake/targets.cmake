# gpuwhy_units(<out variable> <name> SOURCES...): the sources as they are; with GPUWHY_UNITS, units of
# several of them each, which compile in a third of the time.
function(gpuwhy_units out name)
  if(NOT GPUWHY_UNITS)
    set(${out} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(sources ${ARGN})
  set(others ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.cc$")
  list(FILTER others EXCLUDE REGEX "\\.cc$")
  list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")
  list(LENGTH sources total)
  # Of at most 16 sources, each unit as long as the others.
  math(EXPR count "(${total} + 15) / 16")
  math(EXPR last "${count} - 1")
  set(units "")
  foreach(number RANGE ${last})
    math(EXPR begin "${total} * ${number} / ${count}")
    math(EXPR length "${total} * (${number} + 1) / ${count} - ${begin}")
    list(SUBLIST sources ${begin} ${length} part)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/units/${name}_${number}.cc)
    add_custom_command(OUTPUT ${unit}
      COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/units.py ${unit} ${part}
      DEPENDS ${PROJECT_SOURCE_DIR}/tools/units.py ${part} VERBATIM)
    list(APPEND units ${unit})
  endforeach()
  set(${out} ${units} ${others} PARENT_SCOPE)
endfunction()

# gpuwhy_library(<folder> SOURCES a.cc b.cc DEPS base os) : one static library per folder of src/.
function(gpuwhy_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_LIBS" ${ARGN})
  gpuwhy_units(sources ${folder} ${ARG_SOURCES})
  add_library(gpuwhy_${folder} STATIC ${sources})
  target_link_libraries(gpuwhy_${folder} PRIVATE gpuwhy_flags ${ARG_PRIVATE_LIBS})
  foreach(dep IN LISTS ARG_DEPS)
    target_link_libraries(gpuwhy_${folder} PUBLIC gpuwhy_${dep})
  endforeach()
endfunction()

# gpuwhy_unit_test(<folder> SOURCES a_test.cc LIBS ...) : the folder's own unit tests, label "unit".
function(gpuwhy_unit_test folder)
  if(NOT GPUWHY_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  gpuwhy_units(sources ${folder}_test ${ARG_SOURCES})
  add_executable(${folder}_test ${sources})
  target_link_libraries(${folder}_test PRIVATE gpuwhy_flags gpuwhy_${folder} ${ARG_LIBS}
    GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${folder}_test PRIVATE
    GPUWHY_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GPUWHY_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gtest_discover_tests(${folder}_test DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)
endfunction()

# gpuwhy_fuzz_target(<name> LIBS gpuwhy_parse ...), in fuzz/: fuzz_<name>.cc as the program
# fuzz_<name>. Its seeds, seeds/<name>/*, are replayed as the test fuzz-seeds.<name>; with
# GPUWHY_FUZZER=ON the program is libFuzzer's (fuzz_<name> CORPUS...) and the test runs it on the
# seeds alone.
function(gpuwhy_fuzz_target name)
  cmake_parse_arguments(ARG "" "" "LIBS" ${ARGN})
  set(seeds ${CMAKE_CURRENT_SOURCE_DIR}/seeds/${name})
  file(GLOB seed_files LIST_DIRECTORIES false CONFIGURE_DEPENDS ${seeds}/*)
  if(NOT seed_files)
    message(FATAL_ERROR "${seeds}: a fuzz target needs seeds")
  endif()
  add_executable(fuzz_${name} fuzz_${name}.cc)
  target_link_libraries(fuzz_${name} PRIVATE gpuwhy_flags ${ARG_LIBS})
  if(GPUWHY_FUZZER)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME fuzz-seeds.${name} COMMAND fuzz_${name} ${seed_files})
  else()
    if(NOT TARGET fuzz_replay)
      add_library(fuzz_replay OBJECT replay_main.cc)
      target_link_libraries(fuzz_replay PRIVATE gpuwhy_flags)
    endif()
    target_link_libraries(fuzz_${name} PRIVATE fuzz_replay)
    add_test(NAME fuzz-seeds.${name} COMMAND fuzz_${name} ${seeds})
  endif()
  set_tests_properties(fuzz-seeds.${name} PROPERTIES LABELS fuzz-seeds TIMEOUT 60)
endfunction()
