// OpenBLAS's buffers for packed matrices. Its own allocator has no lock in Debian's serial build, and gives
// one buffer to two threads; so its calls come here (the linker's --wrap). There are as many buffers as calls
// have ever run at once, which wait for the next ones in places that threads take them from without a lock.
#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <new>

namespace {

constexpr size_t kBufferBytes = size_t{32} << 22;  // OpenBLAS's BUFFER_SIZE (common_<processor>.h)
constexpr unsigned kPlaces = 64;

// A place has cache lines of its own.
struct alignas(128) Place {
  std::atomic<void*> buffer{nullptr};
};
constinit Place places[kPlaces];

// Where the calling thread looks first: it finds there what it left.
unsigned placeOfThread() {
  static constinit std::atomic<unsigned> threads{0};
  thread_local const unsigned place = threads.fetch_add(1, std::memory_order_relaxed) % kPlaces;
  return place;
}

}  // namespace

extern "C" {

// Throws std::bad_alloc, through OpenBLAS, whose functions hold nothing else by then.
void* __wrap_blas_memory_alloc(int /*purpose*/) {
  const unsigned first = placeOfThread();
  for (unsigned i = 0; i < kPlaces; ++i) {
    std::atomic<void*>& place = places[(first + i) % kPlaces].buffer;
    if (!place.load(std::memory_order_relaxed)) continue;
    if (void* const buffer = place.exchange(nullptr, std::memory_order_acquire)) return buffer;
  }
  // Most of it is never touched.
  void* const buffer =
      mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (buffer == MAP_FAILED) throw std::bad_alloc();
  return buffer;
}

void __wrap_blas_memory_free(void* buffer) {
  const unsigned first = placeOfThread();
  for (unsigned i = 0; i < kPlaces; ++i) {
    void* none = nullptr;
    if (places[(first + i) % kPlaces].buffer.compare_exchange_strong(none, buffer, std::memory_order_release,
                                                                     std::memory_order_relaxed))
      return;
  }
  munmap(buffer, kBufferBytes);
}

// When the process ends OpenBLAS forgets which kernels it runs. Threads of ours may call it until the process
// is gone.
void __wrap_gotoblas_dynamic_quit() {}

}  // extern "C"
