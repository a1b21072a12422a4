#include "recorder.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <variant>
#include <vector>

#include "musa/api/driver.h"
#include "musa/trace/record_codec.h"

namespace musashim::musa {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 18;
constexpr uint64_t kMostChunks = 1u << 12;            // 1 GiB
constexpr uint64_t kCorrelations = 1u << 20;          // that a thread takes at once
constexpr unsigned long long kInsideAnother = ~0ull;  // what an inner call begins with

struct Chunk {
  std::atomic<uint32_t> used;  // bytes of `records`
  RecordCodec codec;           // the writing thread's
  uint8_t records[kChunkBytes - 1024];
};
static_assert(sizeof(Chunk) <= kChunkBytes);

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

Chunk* newChunk() {
  const std::lock_guard lock(chunksMutex);
  if (chunks->size() >= kMostChunks) return nullptr;
  auto* chunk = new (std::nothrow) Chunk;
  if (chunk == nullptr) return nullptr;
  chunk->used.store(0, std::memory_order_relaxed);
  chunks->push_back(chunk);
  return chunk;
}

void add(const Record& record) {
  Chunk* chunk = thisThread.chunk;
  uint32_t used = chunk == nullptr ? 0 : chunk->used.load(std::memory_order_relaxed);
  if (chunk == nullptr || used + kLongestRecord > sizeof chunk->records) [[unlikely]] {
    chunk = newChunk();
    if (chunk == nullptr) {
      dropped.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    thisThread.chunk = chunk;
    used = 0;
  }
  const uint8_t* const end = chunk->codec.encode(record, chunk->records + used);
  chunk->used.store(static_cast<uint32_t>(end - chunk->records), std::memory_order_release);
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
        {static_cast<uint16_t>(block.x), static_cast<uint16_t>(block.y), static_cast<uint16_t>(block.z), 0}};
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
    Record record = {};
    record.begin = run.begin;
    record.end = run.end;
    record.correlation = static_cast<uint32_t>(run.tag);
    record.lane = run.queue;
    record.device = static_cast<uint8_t>(run.device);
    describe(run.command, record);
    add(record);
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
  Record record = {};
  record.begin = static_cast<int64_t>(begun);
  record.end = support::ticks();
  record.name = name;
  record.correlation = static_cast<uint32_t>(thisThread.correlation);
  record.lane = threadId();
  record.other.detail = library;
  record.other.result = result;
  record.kind = RecordKind::kCall;
  add(record);
  thisThread.correlation = 0;
}

void forEachRecord(const std::function<void(const Record&)>& look) {
  std::vector<Chunk*> all;
  {
    const std::lock_guard lock(chunksMutex);
    all = *chunks;
  }
  for (const Chunk* chunk : all) {
    const uint8_t* const end = chunk->records + chunk->used.load(std::memory_order_acquire);
    RecordCodec codec;
    Record record;
    for (const uint8_t* place = chunk->records; place < end;) {
      place = codec.decode(place, record);
      look(record);
    }
  }
}

const support::TickScale& recordingScale() {
  scale->close();
  return *scale;
}

int64_t recordingCalendar() { return calendar; }

uint64_t droppedRecords() { return dropped.load(); }

}  // namespace musashim::musa
