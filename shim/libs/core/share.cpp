#include "libs/core/share.h"

#include <musashim_tables.h>

#include <atomic>
#include <exception>

#include "core/driver_call.h"

namespace musashim::libs {
namespace {

// Null where libmusa has no such table: everybody works alone then.
const MUshimShareTable* shareTable() {
  static const auto* const kTable = core::driverTable<MUshimShareTable>(MUSASHIM_SHARE_TABLE);
  return kTable;
}

// Parts, of which the first that throws tells the caller when all have run.
class Parts {
 public:
  explicit Parts(const std::function<void(size_t)>& part) : part_(part) {}

  static void run(void* data, size_t index) {
    auto& self = *static_cast<Parts*>(data);
    try {
      self.part_(index);
    } catch (...) {
      if (!self.failed_.exchange(true)) self.failure_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (failed_) std::rethrow_exception(failure_);
  }

 private:
  const std::function<void(size_t)>& part_;
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
};

}  // namespace

size_t sharingThreads() {
  static const size_t kThreads = shareTable() != nullptr ? shareTable()->threads() : 1;
  return kThreads;
}

void shareOut(size_t parts, const std::function<void(size_t)>& part) {
  if (parts < 2 || sharingThreads() < 2) {
    for (size_t index = 0; index < parts; ++index) part(index);
    return;
  }
  Parts all(part);
  shareTable()->shareOut(parts, Parts::run, &all);
  all.rethrow();
}

}  // namespace musashim::libs
