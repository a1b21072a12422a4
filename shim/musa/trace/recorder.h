// Collects what MUSASHIM_TRACE_FILE asks for: calls, by whichever library, and the commands that devices ran.
// Each thread writes to memory of its own; at the end of the process all of it becomes a timeline
// (run_end.cpp).
#pragma once

#include <atomic>
#include <cstddef>
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
  // Written as words, since they are read as such at once: a word from narrower stores waits for them all.
  union {
    uint64_t words[3];
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

  void setLaunch(const MusaDim3& grids, const MusaDim3& blocks, uint32_t shared) {
    words[0] = grids.x | uint64_t{grids.y} << 32;
    words[1] = grids.z | uint64_t{shared} << 32;
    words[2] = blocks.x | uint64_t{blocks.y} << 16 | uint64_t{blocks.z} << 32;
  }
  void setCall(const MUshimCall& call, int32_t callResult) {
    words[0] = reinterpret_cast<uintptr_t>(call.library);
    words[1] = call.bytes;
    words[2] = static_cast<uint32_t>(callResult) | uint64_t{call.ranks & 0xffff} << 32 |
               uint64_t{call.member & 0x7fff} << 48 | uint64_t{call.inGroup & 1} << 63;
  }
};

// True when the environment asks for a trace; it begins then.
bool startRecording();
extern std::atomic<bool> recordingNow;
inline bool isRecording() { return recordingNow.load(std::memory_order_relaxed); }

// Where it is recording. Times are in ticks.
void recordCall(const MUshimCall& call, uint32_t thread, int64_t ended, int result);
void recordWork(const backend::CommandRun& run, int64_t begin, int64_t end);
// A range of the program's own, kAsyncRange where threads may begin and end it, or a mark. Its texts live for
// ever.
void recordRange(RecordKind kind, const char* name, const char* domain, uint32_t thread, int64_t begin,
                 int64_t end);

// All that was recorded so far, in no order.
void forEachRecord(const std::function<void(const Record&)>& look);
// A bound of their number, at present.
size_t mostRecords();
// How many found no room.
uint64_t droppedRecords();
// Of the recording's begin. `calendar`: in nanoseconds of the clock of files.
const support::TickScale& recordingScale();
int64_t recordingCalendar();

// Writes the timeline, or prints its summary: run_end.cpp.
void finishRecording();

}  // namespace musashim::musa
