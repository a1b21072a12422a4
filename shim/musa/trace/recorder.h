// Collects what MUSASHIM_TRACE_FILE asks for: calls, by whichever library, and the commands that devices ran.
// Each thread writes to memory of its own; at the end of the process all of it becomes a timeline
// (run_end.cpp).
#pragma once

#include <cstdint>
#include <functional>

#include "interface/backend.h"
#include "interface/observer.h"
#include "musashim_tables.h"
#include "support/ticks.h"

namespace musashim::musa {

enum class RecordKind : uint8_t { kCall, kKernel, kCopy, kFill, kHostFunction, kRange, kAsyncRange, kMark };

struct Record {
  int64_t begin, end;    // ticks (support/ticks.h)
  const char* name;      // of a call or kernel
  uint64_t lane;         // queue; of a call or range: thread
  uint32_t correlation;  // of a call and the commands that it submitted; 0: none
  uint8_t device;        // the backend's index
  RecordKind kind;
  union {
    struct {
      uint32_t grid[3];
      uint32_t sharedBytes;
      uint16_t block[4];  // no bytes in between: records are compared
    } launch;
    struct {
      const char* detail;  // a call's library; where a copy goes; a range's domain or null
      uint64_t bytes;
      int32_t result;  // of a call
      // Of a collective: how many ranks there are, and which one called; in a group it is done at the end of
      // that.
      uint16_t ranks, member : 15, inGroup : 1;
    } other;
  };
};

// True when the environment asks for a trace; it begins then.
bool startRecording();
bool isRecording();

// Where it is recording. `ended`: in ticks.
void recordCall(const MUshimCall& call, int64_t ended, int result);
void recordWork(const backend::CommandRun& run);
// A range of the program's own, kAsyncRange where threads may begin and end it, or a mark. Its texts live for
// ever.
void recordRange(RecordKind kind, const char* name, const char* domain, uint32_t thread, int64_t begin,
                 int64_t end);

// All that was recorded so far, in no order.
void forEachRecord(const std::function<void(const Record&)>& look);
// How many found no room.
uint64_t droppedRecords();
// Of the recording's begin. `calendar`: in nanoseconds of the clock of files.
const support::TickScale& recordingScale();
int64_t recordingCalendar();

// Writes the timeline, or prints its summary: run_end.cpp.
void finishRecording();

}  // namespace musashim::musa
