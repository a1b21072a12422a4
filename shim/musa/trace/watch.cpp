#include "musa/trace/watch.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "musa/api/driver.h"
#include "musa/trace/listener.h"
#include "musa/trace/recorder.h"
#include "support/ticks.h"

namespace musashim::musa {
namespace {

constexpr uint64_t kCorrelations = 1u << 20;  // that a thread takes at once

std::atomic<uint64_t> correlations{0};
std::mutex watchMutex;
int watchers = 0, argumentWatchers = 0;

struct ThreadCalls {
  uint64_t correlation;      // of the call that the thread is in; 0: in none
  uint64_t lastCorrelation;  // that it gave to a call
  uint32_t id;
};
constinit thread_local ThreadCalls thisThread{};

unsigned enterCall() {
  if (thisThread.correlation != 0) return 0;
  if (++thisThread.lastCorrelation % kCorrelations <= 1) [[unlikely]]
    thisThread.lastCorrelation = correlations.fetch_add(kCorrelations, std::memory_order_relaxed) + 2;
  thisThread.correlation = thisThread.lastCorrelation;
  return static_cast<unsigned>(thisThread.correlation);
}

void beginCall(MUshimCall* call) {
  if (const MUshimListener* listener = currentListener()) [[unlikely]]
    listener->callBegins(call);
  call->begun = static_cast<unsigned long long>(support::ticks());
}

void endCall(MUshimCall* call, int result) {
  if (isRecording()) recordCall(*call, threadId(), support::ticks(), result);
  if (const MUshimListener* listener = currentListener()) [[unlikely]]
    listener->callEnds(call, result);
  thisThread.correlation = 0;
}

class Observer : public backend::CommandObserver {
 public:
  uint64_t tag() override { return thisThread.correlation; }

  void ran(const backend::CommandRun& run, int64_t begin, int64_t end) override {
    if (isRecording()) recordWork(run, begin, end);
    if (const MUshimListener* listener = currentListener()) [[unlikely]]
      tellWork(*listener, run, begin, end);
  }
};

constinit MUshimTraceTable table = {sizeof(MUshimTraceTable), nullptr, beginCall, endCall, 0};

// With watchMutex.
void tellEverybody() {
  __atomic_store_n(&table.wantsArguments, argumentWatchers > 0 ? 1u : 0u, __ATOMIC_RELAXED);
  unsigned (*const enter)() = watchers > 0 ? enterCall : nullptr;
  __atomic_store_n(&table.enter, enter, __ATOMIC_RELEASE);
}

}  // namespace

const MUshimTraceTable& traceTable() { return table; }

void beginWatching(bool wantsArguments) {
  const std::lock_guard lock(watchMutex);
  ++watchers;
  argumentWatchers += wantsArguments ? 1 : 0;
  tellEverybody();
  if (Driver::get() != nullptr) watchDevices(driver().backend());
}

void endWatching(bool wantsArguments) {
  const std::lock_guard lock(watchMutex);
  --watchers;
  argumentWatchers -= wantsArguments ? 1 : 0;
  tellEverybody();
  if (watchers == 0 && Driver::get() != nullptr) driver().backend().observe(nullptr);
}

bool isWatched() { return __atomic_load_n(&table.enter, __ATOMIC_RELAXED) != nullptr; }

void watchDevices(backend::Backend& backend) {
  static auto& observer = *new Observer;
  backend.observe(&observer);
}

uint32_t threadId() {
  if (thisThread.id == 0) [[unlikely]]
    thisThread.id = static_cast<uint32_t>(syscall(SYS_gettid));
  return thisThread.id;
}

}  // namespace musashim::musa
