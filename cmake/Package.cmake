# `cpack` in a build folder makes a Debian package and a tarball of the SDK: the package goes to a folder of its version
# beside others, /usr/local/musa points to one of them (update-alternatives --config musa).
set(CPACK_PACKAGE_NAME musashim)
set(CPACK_PACKAGE_VENDOR musashim)
set(CPACK_PACKAGE_CONTACT "the musashim authors <musashim@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${CMAKE_SOURCE_DIR}/README.md)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_MONOLITHIC_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)

# The SDK's CUDA face knows where it will lie.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr/local/musa-${PROJECT_VERSION})
set(CPACK_PACKAGE_FILE_NAME musashim-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/shim/musa ${CMAKE_BINARY_DIR}/shim/musart
  ${CMAKE_BINARY_DIR}/shim/mccl ${CMAKE_BINARY_DIR}/backends/cpu/devrt)
# What mcc runs, and what programs are compiled with. Others are found by what the files link.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, lld-19, libclang-rt-19-dev, libstdc++-12-dev | libstdc++-dev, libc6-dev, binutils")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libhwloc15, libibverbs1, ibverbs-providers")
foreach(script postinst prerm)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/package/${script}.in ${CMAKE_BINARY_DIR}/package/${script} @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/package/postinst ${CMAKE_BINARY_DIR}/package/prerm)
include(CPack)
