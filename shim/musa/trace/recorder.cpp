#include "recorder.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <variant>
#include <vector>

#include "musa/api/driver.h"

namespace musashim::musa {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 21;       // a large page
constexpr uint64_t kMostChunks = 512;                 // 16 million records, 1 GiB
constexpr uint64_t kCorrelations = 1u << 20;          // that a thread takes at once
constexpr unsigned long long kInsideAnother = ~0ull;  // what an inner call begins with

constexpr uint32_t kChunk = kChunkBytes / sizeof(Record) - 1;
struct Chunk {
  alignas(64) std::atomic<uint32_t> used;
  Record records[kChunk];
};
static_assert(sizeof(Record) == 64 && sizeof(Chunk) == kChunkBytes);

std::atomic<bool> recordingNow{false};
std::atomic<uint64_t> correlations{0};
std::atomic<uint64_t> dropped{0};
std::mutex chunksMutex;
constinit std::vector<Chunk*>* chunks = nullptr;  // of all threads, for ever
constinit support::TickScale* scale = nullptr;
int64_t calendar = 0;

struct ThreadTrace {
  Chunk* chunk;
  uint64_t correlation;      // of the call that the thread is in; 0: in none
  uint64_t lastCorrelation;  // that it gave to a call
  uint32_t depth;            // of calls
  uint32_t id;               // the system's
};
constinit thread_local ThreadTrace thisThread{};

uint32_t threadId() {
  if (thisThread.id == 0) thisThread.id = static_cast<uint32_t>(syscall(SYS_gettid));
  return thisThread.id;
}

// One large page where the system has them: small ones, a fault for each, would cost as much as the records.
Chunk* newChunk() {
  const std::lock_guard lock(chunksMutex);
  if (chunks->size() >= kMostChunks) return nullptr;
  void* memory = std::aligned_alloc(kChunkBytes, kChunkBytes);
  if (memory == nullptr) return nullptr;
  madvise(memory, kChunkBytes, MADV_HUGEPAGE);
  static_cast<Chunk*>(memory)->used.store(0, std::memory_order_relaxed);
  chunks->push_back(static_cast<Chunk*>(memory));
  return chunks->back();
}

// Where the thread's next record is written; null: there is no room. publish() it then.
Record* nextRecord() {
  Chunk* chunk = thisThread.chunk;
  if (chunk == nullptr || chunk->used.load(std::memory_order_relaxed) == kChunk) [[unlikely]] {
    chunk = newChunk();
    if (chunk == nullptr) {
      dropped.fetch_add(1, std::memory_order_relaxed);
      return nullptr;
    }
    thisThread.chunk = chunk;
  }
  return &chunk->records[chunk->used.load(std::memory_order_relaxed)];
}

void publish() {
  std::atomic<uint32_t>& used = thisThread.chunk->used;
  used.store(used.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// Of the device that has it; -1: the host's.
int placeOf(const void* pointer) {
  const Allocation* allocation = driver().allocations().peek(reinterpret_cast<uintptr_t>(pointer));
  return allocation != nullptr && allocation->isDevice() ? allocation->device : -1;
}

const char* directionOf(const backend::Copy& copy) {
  const int from = placeOf(copy.src), to = placeOf(copy.dst);
  if (from < 0 && to < 0) return "HtoH";
  if (from < 0) return "HtoD";
  if (to < 0) return "DtoH";
  return from == to ? "DtoD" : "PtoP";
}

void describe(const backend::Command& command, Record& record) {
  if (const auto* launch = std::get_if<backend::KernelLaunch>(&command)) {
    record.kind = RecordKind::kKernel;
    record.name = launch->kernel->info->name;
    const MusaDim3 &grid = launch->grid, &block = launch->block;
    record.launch = {
        {grid.x, grid.y, grid.z},
        launch->dynamicSharedBytes + launch->kernel->info->static_shared_bytes,
        {static_cast<uint16_t>(block.x), static_cast<uint16_t>(block.y), static_cast<uint16_t>(block.z)}};
  } else if (const auto* copy = std::get_if<backend::Copy>(&command)) {
    record.kind = RecordKind::kCopy;
    record.other.detail = directionOf(*copy);
    record.other.bytes = copy->width * copy->height * copy->depth;
  } else if (const auto* fill = std::get_if<backend::Fill>(&command)) {
    record.kind = RecordKind::kFill;
    record.other.bytes = fill->width * fill->elementBytes * fill->height;
  } else {
    record.kind = RecordKind::kHostFunction;
  }
}

class Observer : public backend::CommandObserver {
 public:
  uint64_t tag() override { return thisThread.correlation; }

  void ran(const backend::CommandRun& run) override {
    Record* const record = nextRecord();
    if (record == nullptr) return;
    record->begin = run.begin;
    record->end = run.end;
    record->correlation = static_cast<uint32_t>(run.tag);
    record->lane = run.queue;
    record->device = static_cast<uint8_t>(run.device);
    describe(run.command, *record);
    publish();
  }
};

}  // namespace

bool isRecording() { return recordingNow.load(std::memory_order_relaxed); }

bool startRecording() {
  const std::lock_guard lock(chunksMutex);
  if (isRecording()) return true;
  const char* file = std::getenv("MUSASHIM_TRACE_FILE");
  if (file == nullptr || *file == '\0') return false;
  chunks = new std::vector<Chunk*>;
  scale = new support::TickScale;
  timespec time;
  clock_gettime(CLOCK_REALTIME_COARSE, &time);  // as files have it
  calendar = int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  recordingNow.store(true);
  std::atexit(finishRecording);
  if (Driver::get() != nullptr) observeDevices(driver().backend());
  return true;
}

void observeDevices(backend::Backend& backend) {
  static auto& observer = *new Observer;
  backend.observe(observer);
}

unsigned long long beginRecordedCall() {
  if (thisThread.depth++ != 0) return kInsideAnother;
  if (++thisThread.lastCorrelation % kCorrelations <= 1)
    thisThread.lastCorrelation = correlations.fetch_add(kCorrelations, std::memory_order_relaxed) + 2;
  thisThread.correlation = thisThread.lastCorrelation;
  return static_cast<unsigned long long>(support::ticks());
}

void endRecordedCall(const char* library, const char* name, unsigned long long begun, int result) {
  --thisThread.depth;
  if (begun == kInsideAnother) return;
  const int64_t end = support::ticks();
  if (Record* const record = nextRecord()) {
    record->begin = static_cast<int64_t>(begun);
    record->end = end;
    record->name = name;
    record->correlation = static_cast<uint32_t>(thisThread.correlation);
    record->lane = threadId();
    record->other.detail = library;
    record->other.result = result;
    record->kind = RecordKind::kCall;
    publish();
  }
  thisThread.correlation = 0;
}

void forEachRecord(const std::function<void(const Record&)>& look) {
  std::vector<Chunk*> all;
  {
    const std::lock_guard lock(chunksMutex);
    all = *chunks;
  }
  for (const Chunk* chunk : all) {
    const uint32_t used = chunk->used.load(std::memory_order_acquire);
    for (uint32_t i = 0; i < used; ++i) look(chunk->records[i]);
  }
}

const support::TickScale& recordingScale() {
  scale->close();
  return *scale;
}

int64_t recordingCalendar() { return calendar; }

uint64_t droppedRecords() { return dropped.load(); }

}  // namespace musashim::musa
