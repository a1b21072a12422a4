/* Names for the driver's objects. */
#ifndef MTTX_MTTOOLSEXT_MUSA_H_
#define MTTX_MTTOOLSEXT_MUSA_H_

#include "mttx3/mtToolsExt.h"
#include "musa.h"

#ifdef __cplusplus
extern "C" {
#endif

MTTX_DECLSPEC void MTTX_API mttxNameMuDeviceA(MUdevice device, const char* name) {
  mttxName_(NULL, "device", (uint64_t)device, MUSHIM_TEXT_CHAR, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMuDeviceW(MUdevice device, const wchar_t* name) {
  mttxName_(NULL, "device", (uint64_t)device, MUSHIM_TEXT_WIDE, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMuContextA(MUcontext context, const char* name) {
  mttxName_(NULL, "context", (uint64_t)(uintptr_t)context, MUSHIM_TEXT_CHAR, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMuContextW(MUcontext context, const wchar_t* name) {
  mttxName_(NULL, "context", (uint64_t)(uintptr_t)context, MUSHIM_TEXT_WIDE, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMuStreamA(MUstream stream, const char* name) {
  mttxName_(NULL, "stream", (uint64_t)(uintptr_t)stream, MUSHIM_TEXT_CHAR, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMuStreamW(MUstream stream, const wchar_t* name) {
  mttxName_(NULL, "stream", (uint64_t)(uintptr_t)stream, MUSHIM_TEXT_WIDE, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMuEventA(MUevent event, const char* name) {
  mttxName_(NULL, "event", (uint64_t)(uintptr_t)event, MUSHIM_TEXT_CHAR, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameMuEventW(MUevent event, const wchar_t* name) {
  mttxName_(NULL, "event", (uint64_t)(uintptr_t)event, MUSHIM_TEXT_WIDE, name);
}

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define mttxNameMuDevice mttxNameMuDeviceW
#define mttxNameMuContext mttxNameMuContextW
#define mttxNameMuStream mttxNameMuStreamW
#define mttxNameMuEvent mttxNameMuEventW
#else
#define mttxNameMuDevice mttxNameMuDeviceA
#define mttxNameMuContext mttxNameMuContextA
#define mttxNameMuStream mttxNameMuStreamA
#define mttxNameMuEvent mttxNameMuEventA
#endif

#endif
