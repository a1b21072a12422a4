/* How the headers for ranges reach whoever records them: a table that muGetExportTable() gives. It only ever
 * grows at its end; `size` says how far it goes. Plain C, without the driver's header. */
#ifndef MUSASHIM_CRT_RANGES_ABI_H
#define MUSASHIM_CRT_RANGES_ABI_H

#include <stddef.h>
#include <stdint.h>

#define MUSASHIM_RANGE_TABLE                                                           \
  {                                                                                    \
    { 'm', 'u', 's', 'a', 's', 'h', 'i', 'm', '.', 'r', 'a', 'n', 'g', 'e', 's', '1' } \
  }

enum { MUSHIM_TEXT_NONE = 0, MUSHIM_TEXT_CHAR = 1, MUSHIM_TEXT_WIDE = 2, MUSHIM_TEXT_REGISTERED = 3 };

/* What is said of a range or a mark. */
typedef struct MUshimRange_st {
  const void* domain; /* of createDomain(); null: the default one */
  uint32_t category;
  int colorType; /* 0: none, 1: argb */
  uint32_t color;
  int payloadType;  /* 0: none, 1: uint64_t, 2: int64_t, 3: double, 4: uint32_t, 5: int32_t, 6: float */
  uint64_t payload; /* its bits, in the lowest ones */
  int textType;     /* of `text`: a string of char or wchar_t, or what registerText() gave */
  const void* text;
} MUshimRange;

typedef struct MUshimRangeTable_st {
  size_t size; /* bytes of the table */
  /* Ranges of a thread, one in the other: their level, from 0. pop(): a negative number where there is none.
   */
  int (*push)(const MUshimRange* range);
  int (*pop)(const void* domain);
  /* Ranges that any thread may end. */
  uint64_t (*start)(const MUshimRange* range);
  void (*end)(uint64_t id);
  void (*mark)(const MUshimRange* mark);
  /* What they give lives as long as the process. */
  const void* (*createDomain)(int textType, const void* text);
  const void* (*registerText)(const void* domain, int textType, const void* text);
  /* A name for a thread, a category, a stream...: `what` says which. */
  void (*name)(const void* domain, const char* what, uint64_t of, int textType, const void* text);
} MUshimRangeTable;

#endif
