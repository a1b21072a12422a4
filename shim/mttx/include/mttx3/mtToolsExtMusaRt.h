/* Names for the runtime's objects. */
#ifndef MTTX_MTTOOLSEXT_MUSART_H_
#define MTTX_MTTOOLSEXT_MUSART_H_

#include "mttx3/mtToolsExt.h"
#include "musa_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

MTTX_DECLSPEC void MTTX_API mttxNameMusaDeviceA(int device, const char* name) {
  mttxName_(NULL, "device", (uint64_t)device, MUSHIM_TEXT_CHAR, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMusaDeviceW(int device, const wchar_t* name) {
  mttxName_(NULL, "device", (uint64_t)device, MUSHIM_TEXT_WIDE, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMusaStreamA(musaStream_t stream, const char* name) {
  mttxName_(NULL, "stream", (uint64_t)(uintptr_t)stream, MUSHIM_TEXT_CHAR, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMusaStreamW(musaStream_t stream, const wchar_t* name) {
  mttxName_(NULL, "stream", (uint64_t)(uintptr_t)stream, MUSHIM_TEXT_WIDE, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMusaEventA(musaEvent_t event, const char* name) {
  mttxName_(NULL, "event", (uint64_t)(uintptr_t)event, MUSHIM_TEXT_CHAR, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMusaEventW(musaEvent_t event, const wchar_t* name) {
  mttxName_(NULL, "event", (uint64_t)(uintptr_t)event, MUSHIM_TEXT_WIDE, name);
}

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define mttxNameMusaDevice mttxNameMusaDeviceW
#define mttxNameMusaStream mttxNameMusaStreamW
#define mttxNameMusaEvent mttxNameMusaEventW
#else
#define mttxNameMusaDevice mttxNameMusaDeviceA
#define mttxNameMusaStream mttxNameMusaStreamA
#define mttxNameMusaEvent mttxNameMusaEventA
#endif

#endif
