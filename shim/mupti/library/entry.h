// What MUPTI's entries share.
#pragma once

#include "mupti_result.h"
#include "musashim_tables.h"

#define MUPTI_ENTRY extern "C" __attribute__((visibility("default")))

namespace musashim::mupti {

// Keeps an error for muptiGetLastError(), by thread.
MUptiResult remember(MUptiResult result);
MUptiResult lastError();

// Null where libmusa is another's.
const MUshimListenTable* listenTable();
// In ns of the clock that records are told in: CLOCK_MONOTONIC, or CLOCK_REALTIME as CUPTI's, unless the
// program has one of its own.
uint64_t timestamp();
void tellRealTime(bool wanted);
// A time of now() as that.
uint64_t timestampOf(unsigned long long time);
void useClock(uint64_t (*clock)(void));

// Listens as long as somebody wants something, records or callbacks.
MUptiResult listenAsWanted();

}  // namespace musashim::mupti
