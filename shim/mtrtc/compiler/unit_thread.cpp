#include "unit_thread.h"

#include <unistd.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/thread.h"

namespace musashim::mtrtc {
namespace {

constexpr unsigned kStack = 64u << 20;  // as much as is touched counts

struct Unit {
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  bool failed = false;
  std::string error;

  void end() {
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_all();
  }
};

thread_local Unit* current = nullptr;

void handleFatalError(void*, const char* reason, bool) {
  Unit* unit = current;
  if (unit == nullptr) return;  // another's use of LLVM
  unit->error = reason;
  unit->failed = true;
  unit->end();
  for (;;) pause();
}

}  // namespace

bool runInUnitThread(const std::function<void()>& work, std::string& error) {
  static std::once_flag once;
  std::call_once(once, [] { llvm::install_fatal_error_handler(handleFatalError); });
  auto unit = std::make_shared<Unit>();
  llvm::thread thread(std::optional<unsigned>(kStack), [unit, &work] {
    current = unit.get();
    work();
    unit->end();
  });
  std::unique_lock lock(unit->mutex);
  unit->ended.wait(lock, [&] { return unit->done; });
  if (unit->failed) {
    error = unit->error;
    thread.detach();
    return false;
  }
  lock.unlock();
  thread.join();
  return true;
}

}  // namespace musashim::mtrtc
