# gpuwhy_library(<folder> SOURCES a.cc b.cc DEPS base os) : one static library per folder of src/.
function(gpuwhy_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS;PRIVATE_LIBS" ${ARGN})
  add_library(gpuwhy_${folder} STATIC ${ARG_SOURCES})
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
  add_executable(${folder}_test ${ARG_SOURCES})
  target_link_libraries(${folder}_test PRIVATE gpuwhy_flags gpuwhy_${folder} ${ARG_LIBS}
    GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${folder}_test PRIVATE
    GPUWHY_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GPUWHY_BINARY_DIR="${PROJECT_BINARY_DIR}")
  gtest_discover_tests(${folder}_test DISCOVERY_TIMEOUT 60 PROPERTIES LABELS unit)
endfunction()
