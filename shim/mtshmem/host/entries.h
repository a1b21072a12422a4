// What the library's entries share. The operations are those of kernels (mtshmem_detail/).
#pragma once

#define MTSHMEMI_HOST
#include <functional>

#include "libs/core/memory_access.h"
#include "mtshmem/include/mtshmem.h"
#include "mtshmem/include/mtshmem_detail/together.h"
#include "mtshmem/include/mtshmemx.h"

#define MTSHMEM_EXPORT __attribute__((visibility("default")))

namespace mtshmemi {

// Which call the thread is in, for reports of waits. Lives for ever.
extern thread_local const char* gCallOfThread __attribute__((tls_model("initial-exec")));

// One call of the host's: MTSHMEM is there, with its heap, and its memory is open to the thread. Ends the
// process with a word about `name` if it is not.
class HostCall {
 public:
  explicit HostCall(const char* name) {
    gCallOfThread = name;
    if (gState.heap == nullptr) needHeap(name);
  }
  static void needHeap(const char* name);

 private:
  musashim::libs::MemoryAccess access_;
};

// A call that touches no memory.
struct OrderCall {
  explicit OrderCall(const char* name) {
    if (gState.heap == nullptr) HostCall::needHeap(name);
  }
};

// `work` in the stream's order; musaSuccess, or what the stream said.
int onStream(const char* name, musaStream_t stream, std::function<void()> work);
// The same, and waits for it.
void onStreamNow(const char* name, musaStream_t stream, std::function<void()> work);

}  // namespace mtshmemi
