# The release of the vendor's SDK that this one is at. musa.h says it, where code and scripts read it; all else that tells
# it - sonames, tools, packages, metadata - has it from here.
set(release_header ${CMAKE_SOURCE_DIR}/shim/include/musa.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${release_header})
file(STRINGS ${release_header} line REGEX "^#define MUSA_VERSION [0-9]+")
string(REGEX REPLACE "^#define MUSA_VERSION ([0-9]+).*" "\\1" MUSA_RELEASE_NUMBER "${line}")
math(EXPR MUSA_RELEASE_MAJOR "${MUSA_RELEASE_NUMBER} / 10000")
math(EXPR MUSA_RELEASE_MINOR "${MUSA_RELEASE_NUMBER} / 100 % 100")
math(EXPR MUSA_RELEASE_PATCH "${MUSA_RELEASE_NUMBER} % 100")
set(MUSA_RELEASE ${MUSA_RELEASE_MAJOR}.${MUSA_RELEASE_MINOR}.${MUSA_RELEASE_PATCH})
# Programs of this release of the runtime's run as well: nothing that they call has changed.
set(MUSA_RELEASE_BEFORE 4)

file(STRINGS ${CMAKE_SOURCE_DIR}/shim/include/musa_runtime_api.h line REGEX "^#define MUSART_VERSION [0-9]+")
if(NOT line MATCHES " ${MUSA_RELEASE_NUMBER} ")
  message(FATAL_ERROR "musa_runtime_api.h has another MUSART_VERSION than ${MUSA_RELEASE_NUMBER}, the MUSA_VERSION of musa.h")
endif()
