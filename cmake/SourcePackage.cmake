# Sources of other projects that are compiled in: pinned packages from PyPI, never committed.

# musashim_check_package(<path> <sha256>): ends the configuration where the file is another one.
function(musashim_check_package path checksum)
  file(SHA256 ${path} found)
  if(NOT found STREQUAL checksum)
    message(FATAL_ERROR "${path} has the SHA256 ${found} instead of ${checksum}: remove it and configure again")
  endif()
endfunction()

# musashim_source_package(<package> <version> <archive> <sha256> <folder>): sets <folder> to where the package's sources
# lie. The archive is kept in third_party/, so that a build folder more costs no download.
function(musashim_source_package package version archive checksum folder)
  set(path ${CMAKE_SOURCE_DIR}/third_party/${archive}.tar.gz)
  if(NOT EXISTS ${path})
    # Debian's pip comes with setuptools; another one has to download it, for which it is asked again.
    foreach(option IN ITEMS --no-build-isolation --no-input)
      execute_process(COMMAND ${Python3_EXECUTABLE} -m pip download --quiet --disable-pip-version-check --no-deps ${option}
                              --no-binary ${package} --dest ${CMAKE_SOURCE_DIR}/third_party ${package}==${version}
                      RESULT_VARIABLE failed ERROR_VARIABLE said)
      if(NOT failed)
        break()
      endif()
    endforeach()
    if(failed)
      message(FATAL_ERROR "The build needs ${archive}.tar.gz, and pip did not get it: ${said}\n"
                          "Put the file into ${CMAKE_SOURCE_DIR}/third_party, or install python3-pip and configure again.")
    endif()
  endif()
  musashim_check_package(${path} ${checksum})
  if(NOT EXISTS ${CMAKE_CURRENT_BINARY_DIR}/${archive})
    file(ARCHIVE_EXTRACT INPUT ${path} DESTINATION ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  set(${folder} ${CMAKE_CURRENT_BINARY_DIR}/${archive} PARENT_SCOPE)
endfunction()

# musashim_optional_package(<file> <sha256> <variable> <what> <command>...): the file in third_party/, fetched by the command
# if it is not there; else nothing and a warning. The SDK is complete without, but for what is made of it; so a machine
# without a network builds the rest.
function(musashim_optional_package file checksum variable what)
  set(path ${CMAKE_SOURCE_DIR}/third_party/${file})
  set(${variable} "" PARENT_SCOPE)
  file(MAKE_DIRECTORY ${CMAKE_SOURCE_DIR}/third_party)
  if(NOT EXISTS ${path})
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/third_party OUTPUT_QUIET ERROR_VARIABLE said TIMEOUT 120)
  endif()
  if(NOT EXISTS ${path})
    message(WARNING "The SDK will have no ${what}: ${file} could not be fetched. Put it into "
                    "${CMAKE_SOURCE_DIR}/third_party and configure again. ${said}")
    return()
  endif()
  musashim_check_package(${path} ${checksum})
  set(${variable} ${path} PARENT_SCOPE)
endfunction()
