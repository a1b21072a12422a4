#include "recorder.h"

#include <sys/mman.h>
#include <time.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <variant>
#include <vector>

#include "musa/api/driver.h"
#include "musa/trace/record_codec.h"
#include "musa/trace/watch.h"

namespace musashim::musa {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 18;
constexpr uint64_t kMostChunks = 1u << 12;  // 1 GiB

struct Chunk {
  std::atomic<uint32_t> used;  // bytes of `records`
  RecordCodec codec;           // the writing thread's
  uint8_t records[kChunkBytes - 1024];
};
static_assert(sizeof(Chunk) <= kChunkBytes);

std::atomic<uint64_t> dropped{0};
std::mutex chunksMutex;
constinit std::vector<Chunk*>* chunks = nullptr;  // of all threads, for ever
constinit support::TickScale* scale = nullptr;
int64_t calendar = 0;

constinit thread_local Chunk* chunkOfThread = nullptr;

Chunk* newChunk() {
  const std::lock_guard lock(chunksMutex);
  if (chunks->size() >= kMostChunks) return nullptr;
  // With its pages: one by one they would cost a thread more than the records that they take.
  void* const memory =
      mmap(nullptr, sizeof(Chunk), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* chunk = new (memory) Chunk;
  chunk->used.store(0, std::memory_order_relaxed);
  chunks->push_back(chunk);
  return chunk;
}

// Inline, so that the record never is in memory.
[[gnu::always_inline]] inline void add(const Record& record) {
  Chunk* chunk = chunkOfThread;
  uint32_t used = chunk == nullptr ? 0 : chunk->used.load(std::memory_order_relaxed);
  if (chunk == nullptr || used + kLongestRecord > sizeof chunk->records) [[unlikely]] {
    chunk = newChunk();
    if (chunk == nullptr) {
      dropped.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    chunkOfThread = chunk;
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
    record.setLaunch(launch->grid, launch->block,
                     launch->dynamicSharedBytes + launch->kernel->info->static_shared_bytes);
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

}  // namespace

constinit std::atomic<bool> recordingNow{false};

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
  beginWatching(false);
  return true;
}

void recordCall(const MUshimCall& call, uint32_t thread, int64_t ended, int result) {
  Record record = {};
  record.begin = static_cast<int64_t>(call.begun);
  record.end = ended;
  record.name = call.name;
  record.correlation = call.correlation;
  record.lane = thread;
  record.setCall(call, result);
  record.kind = RecordKind::kCall;
  add(record);
}

void recordWork(const backend::CommandRun& run, int64_t begin, int64_t end) {
  Record record = {};
  record.begin = begin;
  record.end = end;
  record.correlation = static_cast<uint32_t>(run.tag);
  record.lane = run.queue;
  record.device = static_cast<uint8_t>(run.device);
  describe(run.command, record);
  add(record);
}

void recordRange(RecordKind kind, const char* name, const char* domain, uint32_t thread, int64_t begin,
                 int64_t end) {
  Record record = {};
  record.begin = begin;
  record.end = end;
  record.name = name;
  record.lane = thread;
  record.other.detail = domain;
  record.kind = kind;
  add(record);
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

size_t mostRecords() {
  const std::lock_guard lock(chunksMutex);
  size_t bytes = 0;
  for (const Chunk* chunk : *chunks) bytes += chunk->used.load(std::memory_order_acquire);
  return bytes / kShortestRecord;
}

const support::TickScale& recordingScale() {
  scale->close();
  return *scale;
}

int64_t recordingCalendar() { return calendar; }

uint64_t droppedRecords() { return dropped.load(); }

}  // namespace musashim::musa
