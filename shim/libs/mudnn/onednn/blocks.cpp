#include "libs/mudnn/onednn/blocks.h"

#include <sys/mman.h>

#include <map>
#include <mutex>
#include <new>

namespace musashim::mudnn::onednn {
namespace {

constexpr size_t kMostKept = size_t{256} << 20;  // bytes, in all
constexpr size_t kUnit = 4096;
constexpr size_t kHugePage = size_t{2} << 20;

std::align_val_t alignmentOf(size_t bytes) { return std::align_val_t{bytes < kHugePage ? kUnit : kHugePage}; }

char* allocate(size_t bytes) {
  auto* const data = static_cast<char*>(::operator new(bytes, alignmentOf(bytes)));
  // Small pages would take as long as what is done with them; without huge ones it is as before.
  if (bytes >= kHugePage) (void)madvise(data, bytes, MADV_HUGEPAGE);
  return data;
}

void release(char* data, size_t bytes) { ::operator delete(data, alignmentOf(bytes)); }

class Pool {
 public:
  // Never destroyed: threads run until the process is gone.
  static Pool& instance() {
    static Pool& pool = *new Pool;
    return pool;
  }

  // `bytes` becomes what the block has.
  char* take(size_t& bytes) {
    {
      std::lock_guard lock(mutex_);
      const auto found = free_.lower_bound(bytes);
      if (found != free_.end() && found->first <= 2 * bytes) {
        bytes = found->first;
        char* const data = found->second;
        free_.erase(found);
        kept_ -= bytes;
        return data;
      }
    }
    return allocate(bytes);
  }

  void give(char* data, size_t bytes) noexcept {
    try {
      std::lock_guard lock(mutex_);
      // The smallest are the cheapest to lose.
      while (!free_.empty() && kept_ + bytes > kMostKept) {
        release(free_.begin()->second, free_.begin()->first);
        kept_ -= free_.begin()->first;
        free_.erase(free_.begin());
      }
      if (kept_ + bytes <= kMostKept) {
        free_.emplace(bytes, data);
        kept_ += bytes;
        return;
      }
    } catch (const std::exception&) {  // there is no memory to remember it
    }
    release(data, bytes);
  }

 private:
  std::mutex mutex_;
  std::multimap<size_t, char*> free_;
  size_t kept_ = 0;
};

}  // namespace

Block::Block(size_t bytes) : bytes_((bytes + kUnit - 1) / kUnit * kUnit) {
  if (bytes_ != 0) data_ = Pool::instance().take(bytes_);
}
Block::~Block() {
  if (data_) Pool::instance().give(data_, bytes_);
}

}  // namespace musashim::mudnn::onednn
