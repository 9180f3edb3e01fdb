# Run at build time: cmake -DSOURCE_DIR=... -DOUTPUT=... -P git_commit.cmake. Writes a header with the
# commit that is built; "unknown" where there is no git or no repository. The file is touched only
# when the commit changed, so that nothing is compiled for nothing.
cmake_minimum_required(VERSION 3.25)
find_package(Git QUIET)
set(commit "unknown")
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE_DIR} describe --always --dirty --exclude=*
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed AND found)
    set(commit "${found}")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "inline constexpr const char* kGitCommit = \"@commit@\";\n")
