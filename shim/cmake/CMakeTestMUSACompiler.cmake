# The language MUSA: one kernel is compiled and linked, once a build folder.
if(CMAKE_MUSA_COMPILER_FORCED OR CMAKE_MUSA_COMPILER_WORKS)
  return()
endif()
set(_musa_probe "${CMAKE_BINARY_DIR}/CMakeFiles/MUSAProbe")
file(MAKE_DIRECTORY "${_musa_probe}")
file(WRITE "${_musa_probe}/probe.mu" "__global__ void probe() {}\nint main() { probe<<<1, 1>>>(); return 0; }\n")
message(STATUS "Check for working MUSA compiler: ${CMAKE_MUSA_COMPILER}")
execute_process(
  COMMAND "${CMAKE_MUSA_COMPILER}" -x musa "${_musa_probe}/probe.mu" -o "${_musa_probe}/probe"
          "-L${CMAKE_MUSA_TOOLKIT_ROOT}/lib" -lmusart
  RESULT_VARIABLE _musa_failed OUTPUT_VARIABLE _musa_said ERROR_VARIABLE _musa_said)
if(_musa_failed)
  message(FATAL_ERROR "The MUSA compiler\n  ${CMAKE_MUSA_COMPILER}\ndoes not compile a simple kernel:\n${_musa_said}")
endif()
message(STATUS "Check for working MUSA compiler: ${CMAKE_MUSA_COMPILER} - works")
set(CMAKE_MUSA_COMPILER_WORKS 1 CACHE INTERNAL "")
