# Read by cpack for each kind of package. A tarball is of relative paths, and lies wherever it is unpacked; what has to name a
# place (shim/cuda/install_face.cmake) names the vendor's.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_SET_DESTDIR OFF)
  set(CPACK_MONOLITHIC_INSTALL ON)
  set(CPACK_COMPONENTS_ALL "")
  set(ENV{MUSASHIM_FINAL_PREFIX} /usr/local/musa)
endif()
