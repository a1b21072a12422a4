# `cpack` in a build folder makes Debian packages and a tarball of the whole SDK:
#
#   runtime  what ported programs need to run           \
#   tools    what one looks at them with                 }  under /usr/local/musa-<release of the vendor's SDK>
#   sdk      what one ports and compiles them with      /
#   libfabric  MCCL's plugin for it, where it is installed when musashim is built: a package of its own, so that the
#              runtime does not depend on it
#
# That release is part of the packages' names, as of the vendor's, so that releases stand side by side; /usr/local/musa points to one of them
# (update-alternatives --config musa). What belongs to which package: musashim_install() and the COMPONENTs.
set(suffix ${MUSA_RELEASE_MAJOR}-${MUSA_RELEASE_MINOR})
set(CPACK_PACKAGE_NAME musashim)
set(CPACK_PACKAGE_VENDOR musashim)
set(CPACK_PACKAGE_CONTACT "the musashim authors <musashim@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${CMAKE_SOURCE_DIR}/README.md)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_COMPONENTS_ALL runtime tools sdk)

# Where it will lie, which the SDK's CUDA face knows. A tarball may lie anywhere (package/for_generator.cmake).
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr/local/musa-${MUSA_RELEASE})
set(CPACK_PACKAGE_FILE_NAME musashim-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/package/for_generator.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
get_property(private_dirs GLOBAL PROPERTY MUSASHIM_LIBRARY_FOLDERS)
list(REMOVE_DUPLICATES private_dirs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${private_dirs})

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME musashim-runtime-${suffix})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Libraries that run MUSA programs on emulated devices
 The MUSA runtime and driver, MCCL, MTSHMEM, and the libraries for mathematics.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libhwloc15, libibverbs1, ibverbs-providers")

set(same "(= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME musashim-tools-${suffix})
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "musashim-runtime-${suffix} ${same}")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "Tools for emulated MUSA devices
 musaInfo, mthreads-gmi, musashim-prof, musashim-diff, mcclras, mccl-sim, and the tests of collectives.")

# What mcc runs and links, and what programs are compiled with. The others' are found by what their files link; here that would look at
# each of thousands of headers.
set(CPACK_DEBIAN_SDK_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_SDK_PACKAGE_NAME musashim-sdk-${suffix})
set(CPACK_DEBIAN_SDK_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_SDK_PACKAGE_DEPENDS
  "musashim-runtime-${suffix} ${same}, clang-19, libclang-cpp19, libllvm19, zlib1g, libzstd1, lld-19, libclang-rt-19-dev, libstdc++-12-dev | libstdc++-dev, libc6-dev, binutils")
set(CPACK_DEBIAN_SDK_PACKAGE_RECOMMENDS "musashim-tools-${suffix} ${same}")
set(CPACK_DEBIAN_SDK_PACKAGE_SUGGESTS "cmake, ninja-build, pkg-config, python3-yaml, gdb")
set(CPACK_COMPONENT_SDK_DESCRIPTION "Compiler and headers for MUSA programs, and musaport for CUDA's
 mcc, musaport, headers, finders for CMake and pkg-config, and a CUDA toolkit's face.")

if(TARGET mccl-net-libfabric)
  list(APPEND CPACK_COMPONENTS_ALL libfabric)
  set(CPACK_DEBIAN_LIBFABRIC_PACKAGE_NAME musashim-net-libfabric-${suffix})
  set(CPACK_DEBIAN_LIBFABRIC_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_LIBFABRIC_PACKAGE_DEPENDS "musashim-runtime-${suffix} ${same}")
  set(CPACK_COMPONENT_LIBFABRIC_DESCRIPTION "MCCL on libfabric
 A network plugin of MCCL (MCCL_NET_PLUGIN=libfabric) for what libfabric has providers for.")
endif()

# The runtime, on which the others depend, says where the version is.
foreach(script postinst prerm)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/package/${script}.in ${CMAKE_BINARY_DIR}/package/${script} @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  list(APPEND CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/package/${script})
endforeach()
include(CPack)
