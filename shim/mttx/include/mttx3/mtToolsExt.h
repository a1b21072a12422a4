/* Ranges and marks of a program's own, for whoever traces it: NVTX's interface in the vendor's words. In a
 * program that nobody traces a call is a load and a jump. Header-only; needs nothing but libc (and its libdl
 * where that is apart). */
#ifndef MTTX_MTTOOLSEXT_H_
#define MTTX_MTTOOLSEXT_H_

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "crt/ranges_abi.h"

#define MTTX_VERSION 3
#define MTTX_SUCCESS 0
#define MTTX_FAIL 1
#define MTTX_NO_PUSH_POP_TRACKING ((int)-2)
#define MTTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(mttxEventAttributes_t))
#define MTTX_RESOURCE_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(mttxResourceAttributes_t))
#define MTTX_INLINE_STATIC inline static
#define MTTX_DECLSPEC static inline
#define MTTX_API
/* RTLD_DEFAULT, which dlfcn.h has for GNU's C only. */
#define MTTX_EVERYWHERE_ ((void*)0)

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t mttxRangeId_t;
typedef struct mttxDomainRegistration_st mttxDomainRegistration;
typedef mttxDomainRegistration* mttxDomainHandle_t;
typedef struct mttxStringRegistration_st mttxStringRegistration;
typedef mttxStringRegistration* mttxStringHandle_t;
typedef struct mttxResourceHandle* mttxResourceHandle_t;

typedef enum mttxColorType_t { MTTX_COLOR_UNKNOWN = 0, MTTX_COLOR_ARGB = 1 } mttxColorType_t;
typedef enum mttxMessageType_t {
  MTTX_MESSAGE_UNKNOWN = 0,
  MTTX_MESSAGE_TYPE_ASCII = 1,
  MTTX_MESSAGE_TYPE_UNICODE = 2,
  MTTX_MESSAGE_TYPE_REGISTERED = 3
} mttxMessageType_t;
typedef enum mttxPayloadType_t {
  MTTX_PAYLOAD_UNKNOWN = 0,
  MTTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  MTTX_PAYLOAD_TYPE_INT64 = 2,
  MTTX_PAYLOAD_TYPE_DOUBLE = 3,
  MTTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  MTTX_PAYLOAD_TYPE_INT32 = 5,
  MTTX_PAYLOAD_TYPE_FLOAT = 6
} mttxPayloadType_t;
typedef enum mttxResourceGenericType_t {
  MTTX_RESOURCE_TYPE_UNKNOWN = 0,
  MTTX_RESOURCE_TYPE_GENERIC_POINTER = 1,
  MTTX_RESOURCE_TYPE_GENERIC_HANDLE = 2,
  MTTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE = 3,
  MTTX_RESOURCE_TYPE_GENERIC_THREAD_POSIX = 4
} mttxResourceGenericType_t;

typedef union mttxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  mttxStringHandle_t registered;
} mttxMessageValue_t;

typedef struct mttxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  mttxMessageValue_t message;
} mttxEventAttributes_v2;
typedef struct mttxEventAttributes_v2 mttxEventAttributes_t;

typedef struct mttxResourceAttributes_v0 {
  uint16_t version;
  uint16_t size;
  int32_t identifierType;
  union identifier_t {
    const void* pValue;
    uint64_t ullValue;
  } identifier;
  int32_t messageType;
  mttxMessageValue_t message;
} mttxResourceAttributes_v0;
typedef struct mttxResourceAttributes_v0 mttxResourceAttributes_t;

/* ---- Who records ---- */

/* Null where nobody does, 1 until it is asked: once in each file that includes this, for the answer does not
 * change. */
static const MUshimRangeTable* mttxTable_ = (const MUshimRangeTable*)1;

static __attribute__((cold, noinline, unused)) const MUshimRangeTable* mttxAsk_(void) {
  struct mttxTableId_ {
    char bytes[16];
  } id = MUSASHIM_RANGE_TABLE;
  const void* table = NULL;
  int (*getTable)(const void**, const struct mttxTableId_*);
  /* Not loaded where nobody has loaded it: then there is nothing to trace either. */
  void* symbol = dlsym(MTTX_EVERYWHERE_, "muGetExportTable");
  if (!symbol) {
    void* driver = dlopen("libmusa.so.1", RTLD_NOLOAD | RTLD_LAZY);
    if (driver) symbol = dlsym(driver, "muGetExportTable");
  }
  memcpy(&getTable, &symbol, sizeof symbol);
  if (symbol && getTable(&table, &id) != 0) table = NULL;
  __atomic_store_n(&mttxTable_, (const MUshimRangeTable*)table, __ATOMIC_RELEASE);
  return (const MUshimRangeTable*)table;
}

static inline __attribute__((always_inline, unused)) const MUshimRangeTable* mttxGet_(void) {
  const MUshimRangeTable* table = __atomic_load_n(&mttxTable_, __ATOMIC_ACQUIRE);
  if (__builtin_expect(!table, 1)) return NULL;
  return table == (const MUshimRangeTable*)1 ? mttxAsk_() : table;
}

static inline __attribute__((cold, unused)) MUshimRange mttxRange_(mttxDomainHandle_t domain,
                                                                   const mttxEventAttributes_t* attributes) {
  MUshimRange range;
  memset(&range, 0, sizeof range);
  range.domain = domain;
  if (!attributes) return range;
  range.category = attributes->category;
  range.colorType = attributes->colorType;
  range.color = attributes->color;
  range.payloadType = attributes->payloadType;
  memcpy(&range.payload, &attributes->payload, sizeof range.payload);
  range.textType = attributes->messageType;
  memcpy(&range.text, &attributes->message, sizeof range.text);
  return range;
}

static inline __attribute__((cold, unused)) MUshimRange mttxText_(int type, const void* text) {
  MUshimRange range;
  memset(&range, 0, sizeof range);
  range.textType = type;
  range.text = text;
  return range;
}

/* ---- The interface ---- */

MTTX_DECLSPEC void MTTX_API mttxInitialize(const void* reserved) {
  (void)reserved;
  (void)mttxGet_();
}

MTTX_DECLSPEC void MTTX_API mttxDomainMarkEx(mttxDomainHandle_t domain,
                                             const mttxEventAttributes_t* eventAttrib) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) {
    const MUshimRange mark = mttxRange_(domain, eventAttrib);
    table->mark(&mark);
  }
}

MTTX_DECLSPEC void MTTX_API mttxMarkEx(const mttxEventAttributes_t* eventAttrib) {
  mttxDomainMarkEx(NULL, eventAttrib);
}

MTTX_DECLSPEC void MTTX_API mttxMarkA(const char* message) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) {
    const MUshimRange mark = mttxText_(MUSHIM_TEXT_CHAR, message);
    table->mark(&mark);
  }
}

MTTX_DECLSPEC void MTTX_API mttxMarkW(const wchar_t* message) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) {
    const MUshimRange mark = mttxText_(MUSHIM_TEXT_WIDE, message);
    table->mark(&mark);
  }
}

MTTX_DECLSPEC mttxRangeId_t MTTX_API mttxDomainRangeStartEx(mttxDomainHandle_t domain,
                                                            const mttxEventAttributes_t* eventAttrib) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) {
    const MUshimRange range = mttxRange_(domain, eventAttrib);
    return table->start(&range);
  }
  return 0;
}

MTTX_DECLSPEC mttxRangeId_t MTTX_API mttxRangeStartEx(const mttxEventAttributes_t* eventAttrib) {
  return mttxDomainRangeStartEx(NULL, eventAttrib);
}

MTTX_DECLSPEC mttxRangeId_t MTTX_API mttxRangeStartA(const char* message) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) {
    const MUshimRange range = mttxText_(MUSHIM_TEXT_CHAR, message);
    return table->start(&range);
  }
  return 0;
}

MTTX_DECLSPEC mttxRangeId_t MTTX_API mttxRangeStartW(const wchar_t* message) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) {
    const MUshimRange range = mttxText_(MUSHIM_TEXT_WIDE, message);
    return table->start(&range);
  }
  return 0;
}

MTTX_DECLSPEC void MTTX_API mttxRangeEnd(mttxRangeId_t id) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) table->end(id);
}

MTTX_DECLSPEC void MTTX_API mttxDomainRangeEnd(mttxDomainHandle_t domain, mttxRangeId_t id) {
  (void)domain;
  mttxRangeEnd(id);
}

MTTX_DECLSPEC int MTTX_API mttxDomainRangePushEx(mttxDomainHandle_t domain,
                                                 const mttxEventAttributes_t* eventAttrib) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) {
    const MUshimRange range = mttxRange_(domain, eventAttrib);
    return table->push(&range);
  }
  return MTTX_NO_PUSH_POP_TRACKING;
}

MTTX_DECLSPEC int MTTX_API mttxRangePushEx(const mttxEventAttributes_t* eventAttrib) {
  return mttxDomainRangePushEx(NULL, eventAttrib);
}

MTTX_DECLSPEC int MTTX_API mttxRangePushA(const char* message) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) {
    const MUshimRange range = mttxText_(MUSHIM_TEXT_CHAR, message);
    return table->push(&range);
  }
  return MTTX_NO_PUSH_POP_TRACKING;
}

MTTX_DECLSPEC int MTTX_API mttxRangePushW(const wchar_t* message) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) {
    const MUshimRange range = mttxText_(MUSHIM_TEXT_WIDE, message);
    return table->push(&range);
  }
  return MTTX_NO_PUSH_POP_TRACKING;
}

MTTX_DECLSPEC int MTTX_API mttxDomainRangePop(mttxDomainHandle_t domain) {
  const MUshimRangeTable* table = mttxGet_();
  return table ? table->pop(domain) : MTTX_NO_PUSH_POP_TRACKING;
}

MTTX_DECLSPEC int MTTX_API mttxRangePop(void) { return mttxDomainRangePop(NULL); }

MTTX_DECLSPEC mttxDomainHandle_t MTTX_API mttxDomainCreateA(const char* name) {
  const MUshimRangeTable* table = mttxGet_();
  return table ? (mttxDomainHandle_t)table->createDomain(MUSHIM_TEXT_CHAR, name) : NULL;
}

MTTX_DECLSPEC mttxDomainHandle_t MTTX_API mttxDomainCreateW(const wchar_t* name) {
  const MUshimRangeTable* table = mttxGet_();
  return table ? (mttxDomainHandle_t)table->createDomain(MUSHIM_TEXT_WIDE, name) : NULL;
}

/* Its name stays, for ranges that were made in it. */
MTTX_DECLSPEC void MTTX_API mttxDomainDestroy(mttxDomainHandle_t domain) { (void)domain; }

MTTX_DECLSPEC mttxStringHandle_t MTTX_API mttxDomainRegisterStringA(mttxDomainHandle_t domain,
                                                                    const char* string) {
  const MUshimRangeTable* table = mttxGet_();
  return table ? (mttxStringHandle_t)table->registerText(domain, MUSHIM_TEXT_CHAR, string) : NULL;
}

MTTX_DECLSPEC mttxStringHandle_t MTTX_API mttxDomainRegisterStringW(mttxDomainHandle_t domain,
                                                                    const wchar_t* string) {
  const MUshimRangeTable* table = mttxGet_();
  return table ? (mttxStringHandle_t)table->registerText(domain, MUSHIM_TEXT_WIDE, string) : NULL;
}

static inline __attribute__((unused)) void mttxName_(mttxDomainHandle_t domain, const char* what, uint64_t of,
                                                     int type, const void* name) {
  const MUshimRangeTable* table = mttxGet_();
  if (table) table->name(domain, what, of, type, name);
}

MTTX_DECLSPEC void MTTX_API mttxDomainNameCategoryA(mttxDomainHandle_t domain, uint32_t category,
                                                    const char* name) {
  mttxName_(domain, "category", category, MUSHIM_TEXT_CHAR, name);
}
MTTX_DECLSPEC void MTTX_API mttxDomainNameCategoryW(mttxDomainHandle_t domain, uint32_t category,
                                                    const wchar_t* name) {
  mttxName_(domain, "category", category, MUSHIM_TEXT_WIDE, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameCategoryA(uint32_t category, const char* name) {
  mttxDomainNameCategoryA(NULL, category, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameCategoryW(uint32_t category, const wchar_t* name) {
  mttxDomainNameCategoryW(NULL, category, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameOsThreadA(uint32_t threadId, const char* name) {
  mttxName_(NULL, "thread", threadId, MUSHIM_TEXT_CHAR, name);
}
MTTX_DECLSPEC void MTTX_API mttxNameOsThreadW(uint32_t threadId, const wchar_t* name) {
  mttxName_(NULL, "thread", threadId, MUSHIM_TEXT_WIDE, name);
}

MTTX_DECLSPEC mttxResourceHandle_t MTTX_API mttxDomainResourceCreate(mttxDomainHandle_t domain,
                                                                     mttxResourceAttributes_t* attribs) {
  if (attribs && attribs->messageType <= MTTX_MESSAGE_TYPE_UNICODE)
    mttxName_(domain, "resource", attribs->identifier.ullValue, attribs->messageType, attribs->message.ascii);
  return NULL;
}
MTTX_DECLSPEC void MTTX_API mttxDomainResourceDestroy(mttxResourceHandle_t resource) { (void)resource; }

#ifdef __cplusplus
}
#endif

#ifdef UNICODE
#define mttxMark mttxMarkW
#define mttxRangeStart mttxRangeStartW
#define mttxRangePush mttxRangePushW
#define mttxNameCategory mttxNameCategoryW
#define mttxNameOsThread mttxNameOsThreadW
#define mttxDomainCreate mttxDomainCreateW
#define mttxDomainRegisterString mttxDomainRegisterStringW
#define mttxDomainNameCategory mttxDomainNameCategoryW
#else
#define mttxMark mttxMarkA
#define mttxRangeStart mttxRangeStartA
#define mttxRangePush mttxRangePushA
#define mttxNameCategory mttxNameCategoryA
#define mttxNameOsThread mttxNameOsThreadA
#define mttxDomainCreate mttxDomainCreateA
#define mttxDomainRegisterString mttxDomainRegisterStringA
#define mttxDomainNameCategory mttxDomainNameCategoryA
#endif

#endif
