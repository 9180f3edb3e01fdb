# gpuwhy_library(<folder> SOURCES a.cc b.cc DEPS base os) : one static library per folder of src/.
set(gpuwhy_common_headers <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set> <span>
  <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)

function(gpuwhy_precompile target)
  if(GPUWHY_PCH)
    target_precompile_headers(${target} PRIVATE ${gpuwhy_common_headers} ${ARGN})
  endif()
endfunction()

function(gpuwhy_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_LIBS" ${ARGN})
  add_library(gpuwhy_${folder} STATIC ${ARG_SOURCES})
  target_link_libraries(gpuwhy_${folder} PRIVATE gpuwhy_flags ${ARG_PRIVATE_LIBS})
  gpuwhy_precompile(gpuwhy_${folder})
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
  add_executable(${folder}_test ${ARG_SOURCES})
  target_link_libraries(${folder}_test PRIVATE gpuwhy_flags gpuwhy_${folder} ${ARG_LIBS}
    GTest::gtest GTest::gmock GTest::gtest_main)
  gpuwhy_precompile(${folder}_test <gmock/gmock.h> <gtest/gtest.h>)
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
