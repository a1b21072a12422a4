#include "libs/mudnn/onednn/blocks.h"

#include <map>
#include <mutex>
#include <new>

namespace musashim::mudnn::onednn {
namespace {

constexpr size_t kMostKept = size_t{256} << 20;  // bytes, in all
constexpr size_t kUnit = 4096;
constexpr auto kAlignment = std::align_val_t{kUnit};

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
    return static_cast<char*>(::operator new(bytes, kAlignment));
  }

  void give(char* data, size_t bytes) noexcept {
    try {
      std::lock_guard lock(mutex_);
      // The smallest are the cheapest to lose.
      while (!free_.empty() && kept_ + bytes > kMostKept) {
        ::operator delete(free_.begin()->second, kAlignment);
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
    ::operator delete(data, kAlignment);
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
