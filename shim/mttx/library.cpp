// The headers' functions for programs that load them by name, or that are linked with NVTX's second version:
// each is here by both names.
#include "mttx3/mtToolsExt.h"
#include "nvtx3/nvToolsExt.h"

// EXPORT(result, name, (parameters), (arguments)): mttx<name> and nvtx<name>. The header's functions have the
// names already, so ours have others, which the assembler does not see.
#define EXPORT_AS(prefix, result, name, parameters, arguments)      \
  extern "C" __attribute__((visibility("default")))                 \
  result exported_##prefix##name parameters __asm__(#prefix #name); \
  result exported_##prefix##name parameters { return prefix##name arguments; }
#define EXPORT(result, name, parameters, arguments)    \
  EXPORT_AS(mttx, result, name, parameters, arguments) \
  EXPORT_AS(nvtx, result, name, parameters, arguments)

EXPORT(void, Initialize, (const void* reserved), (reserved))
EXPORT(void, MarkA, (const char* message), (message))
EXPORT(void, MarkW, (const wchar_t* message), (message))
EXPORT(int, RangePushA, (const char* message), (message))
EXPORT(int, RangePushW, (const wchar_t* message), (message))
EXPORT(int, RangePop, (), ())
EXPORT(uint64_t, RangeStartA, (const char* message), (message))
EXPORT(uint64_t, RangeStartW, (const wchar_t* message), (message))
EXPORT(void, RangeEnd, (uint64_t id), (id))
EXPORT(void, NameCategoryA, (uint32_t category, const char* name), (category, name))
EXPORT(void, NameCategoryW, (uint32_t category, const wchar_t* name), (category, name))
EXPORT(void, NameOsThreadA, (uint32_t thread, const char* name), (thread, name))
EXPORT(void, NameOsThreadW, (uint32_t thread, const wchar_t* name), (thread, name))

#define EXPORT_EX(prefix)                                                                                   \
  EXPORT_AS(prefix, void, MarkEx, (const prefix##EventAttributes_t* attributes), (attributes))              \
  EXPORT_AS(prefix, int, RangePushEx, (const prefix##EventAttributes_t* attributes), (attributes))          \
  EXPORT_AS(prefix, uint64_t, RangeStartEx, (const prefix##EventAttributes_t* attributes), (attributes))    \
  EXPORT_AS(prefix, prefix##DomainHandle_t, DomainCreateA, (const char* name), (name))                      \
  EXPORT_AS(prefix, prefix##DomainHandle_t, DomainCreateW, (const wchar_t* name), (name))                   \
  EXPORT_AS(prefix, void, DomainDestroy, (prefix##DomainHandle_t domain), (domain))                         \
  EXPORT_AS(prefix, void, DomainMarkEx,                                                                     \
            (prefix##DomainHandle_t domain, const prefix##EventAttributes_t* attributes),                   \
            (domain, attributes))                                                                           \
  EXPORT_AS(prefix, int, DomainRangePushEx,                                                                 \
            (prefix##DomainHandle_t domain, const prefix##EventAttributes_t* attributes),                   \
            (domain, attributes))                                                                           \
  EXPORT_AS(prefix, int, DomainRangePop, (prefix##DomainHandle_t domain), (domain))                         \
  EXPORT_AS(prefix, uint64_t, DomainRangeStartEx,                                                           \
            (prefix##DomainHandle_t domain, const prefix##EventAttributes_t* attributes),                   \
            (domain, attributes))                                                                           \
  EXPORT_AS(prefix, void, DomainRangeEnd, (prefix##DomainHandle_t domain, uint64_t id), (domain, id))       \
  EXPORT_AS(prefix, prefix##StringHandle_t, DomainRegisterStringA,                                          \
            (prefix##DomainHandle_t domain, const char* text), (domain, text))                              \
  EXPORT_AS(prefix, prefix##StringHandle_t, DomainRegisterStringW,                                          \
            (prefix##DomainHandle_t domain, const wchar_t* text), (domain, text))                           \
  EXPORT_AS(prefix, void, DomainNameCategoryA,                                                              \
            (prefix##DomainHandle_t domain, uint32_t category, const char* name), (domain, category, name)) \
  EXPORT_AS(prefix, void, DomainNameCategoryW,                                                              \
            (prefix##DomainHandle_t domain, uint32_t category, const wchar_t* name),                        \
            (domain, category, name))                                                                       \
  EXPORT_AS(prefix, prefix##ResourceHandle_t, DomainResourceCreate,                                         \
            (prefix##DomainHandle_t domain, prefix##ResourceAttributes_t * attributes),                     \
            (domain, attributes))                                                                           \
  EXPORT_AS(prefix, void, DomainResourceDestroy, (prefix##ResourceHandle_t resource), (resource))
EXPORT_EX(mttx)
EXPORT_EX(nvtx)
