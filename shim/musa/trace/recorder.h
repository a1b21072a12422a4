// Collects what MUSASHIM_TRACE_FILE asks for: calls, by whichever library, and the commands that devices ran.
// Each thread writes to memory of its own; at the end of the process all of it becomes a timeline
// (run_end.cpp).
#pragma once

#include <cstdint>
#include <functional>

#include "interface/backend.h"
#include "support/ticks.h"

namespace musashim::musa {

enum class RecordKind : uint8_t { kCall, kKernel, kCopy, kFill, kHostFunction };

struct Record {
  int64_t begin, end;    // ticks (support/ticks.h)
  const char* name;      // of a call or kernel
  uint64_t lane;         // queue; of a call: thread
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
      const char* detail;  // a call's library; where a copy goes
      union {
        uint64_t bytes;
        int64_t result;  // of a call
      };
    } other;
  };
};

// True when the environment asks for a trace; it begins then.
bool startRecording();
bool isRecording();
// Commands of `backend` are recorded from now on.
void observeDevices(backend::Backend& backend);

// For the table of musashim_tables.h.
unsigned long long beginRecordedCall();
void endRecordedCall(const char* library, const char* name, unsigned long long begun, int result);

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
