# Every compiler and linker flag of the project lives here, in one INTERFACE target.
add_library(gpuwhy_flags INTERFACE)
target_include_directories(gpuwhy_flags INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(gpuwhy_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wnull-dereference -Wdouble-promotion -Wformat=2
  -Wimplicit-fallthrough -Wcast-align -Wundef -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(gpuwhy_flags INTERFACE
    -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wuseless-cast -Wsuggest-override)
else()
  target_compile_options(gpuwhy_flags INTERFACE -Wthread-safety -Wunreachable-code-aggressive)
endif()
if(GPUWHY_UNITS)
  # In a unit one file's parameter can have the name of another file's constant.
  target_compile_options(gpuwhy_flags INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)
endif()
if(GPUWHY_WERROR)
  target_compile_options(gpuwhy_flags INTERFACE -Werror)
endif()
target_compile_definitions(gpuwhy_flags INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)

if(GPUWHY_SANITIZE)
  target_compile_options(gpuwhy_flags INTERFACE
    -fsanitize=${GPUWHY_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(gpuwhy_flags INTERFACE -fsanitize=${GPUWHY_SANITIZE})
endif()
if(GPUWHY_FUZZER)
  target_compile_options(gpuwhy_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
