/* MTRTC: device code compiled while a program runs, with NVRTC's interface and numbers. Prototypes follow
 * from shim/api/mtrtc.yml. What the compiler makes is what muModuleLoadData takes. */
#ifndef MTRTC_H_
#define MTRTC_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  MTRTC_SUCCESS = 0,
  MTRTC_ERROR_OUT_OF_MEMORY = 1,
  MTRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  MTRTC_ERROR_INVALID_INPUT = 3,
  MTRTC_ERROR_INVALID_PROGRAM = 4,
  MTRTC_ERROR_INVALID_OPTION = 5,
  MTRTC_ERROR_COMPILATION = 6,
  MTRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  MTRTC_ERROR_INTERNAL_ERROR = 11,
  MTRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
  MTRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
  MTRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
  MTRTC_ERROR_PCH_CREATE = 15,
  MTRTC_ERROR_CANCELLED = 16,
  MTRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} mtrtcResult;

typedef struct _mtrtcProgram* mtrtcProgram;

#pragma GCC visibility push(default)
#include "musa_detail/mtrtc_functions.h"
#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

/* The name of a type as name expressions have it. */
#if defined(__cplusplus) && (MTRTC_GET_TYPE_NAME || NVRTC_GET_TYPE_NAME)
#include <cxxabi.h>

#include <cstdlib>
#include <string>
#include <typeinfo>

template <typename T>
struct __mtrtcGetTypeName_helper_t {};

inline mtrtcResult mtrtcGetTypeName(const std::type_info& tinfo, std::string* result) {
  int status = 0;
  char* const name = abi::__cxa_demangle(tinfo.name(), nullptr, nullptr, &status);
  if (name == nullptr) return status == -1 ? MTRTC_ERROR_OUT_OF_MEMORY : MTRTC_ERROR_INTERNAL_ERROR;
  result->assign(name);
  std::free(name);
  return MTRTC_SUCCESS;
}

/* typeid leaves out references and qualifiers of T itself, so it stands in a template. */
template <typename T>
mtrtcResult mtrtcGetTypeName(std::string* result) {
  const mtrtcResult status = mtrtcGetTypeName(typeid(__mtrtcGetTypeName_helper_t<T>), result);
  if (status != MTRTC_SUCCESS) return status;
  const std::string::size_type first = result->find('<'), last = result->rfind('>');
  if (first == std::string::npos || last == std::string::npos) return MTRTC_ERROR_INTERNAL_ERROR;
  *result = result->substr(first + 1, last - first - 1);
  while (!result->empty() && result->back() == ' ') result->pop_back();
  return MTRTC_SUCCESS;
}
#endif

#endif
