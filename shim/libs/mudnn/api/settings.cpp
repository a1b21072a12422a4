// Versions of the library's parts, errors of work that runs, and the function that is told of calls.
#include <musa_runtime_api.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "libs/mudnn/api/entry.h"

namespace musashim::mudnn {
namespace {

struct Callback {
  unsigned mask = 0;
  void* data = nullptr;
  mudnnCallback_t function = nullptr;
};

std::atomic<bool> isTelling{false};
std::mutex callbackMutex;
Callback callback;  // under callbackMutex
const auto kLoaded = std::chrono::steady_clock::now();

unsigned bitOf(mudnnSeverity_t severity) { return 1U << static_cast<unsigned>(severity); }

}  // namespace

mudnnStatus_t told(std::string_view name, mudnnStatus_t status) {
  if (!isTelling.load(std::memory_order_relaxed)) [[likely]]
    return status;
  libs::tellIfPossible([&] {
    const Callback to = [] {
      const std::lock_guard lock(callbackMutex);
      return callback;
    }();
    const mudnnSeverity_t severity = status == MUDNN_STATUS_SUCCESS ? MUDNN_SEV_INFO : MUDNN_SEV_ERROR;
    if (!to.function || !(to.mask & bitOf(severity))) return;
    using namespace std::chrono;
    const auto now = duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
    mudnnDebug_t facts{};
    facts.mudnn_version = MUDNN_VERSION;
    facts.mudnnStatus = status;
    facts.time_sec = static_cast<unsigned>(now / 1000000);
    facts.time_usec = static_cast<unsigned>(now % 1000000);
    facts.time_delta =
        static_cast<unsigned>(duration_cast<milliseconds>(steady_clock::now() - kLoaded).count());
    facts.pid = static_cast<unsigned long long>(getpid());
    facts.tid = std::hash<std::thread::id>()(std::this_thread::get_id());
    if (musaGetDevice(&facts.musaDeviceId) != musaSuccess) facts.musaDeviceId = -1;
    const std::string text = std::string(name) + "() -> " + mudnnGetErrorString(status);
    to.function(severity, to.data, &facts, text.c_str());
  });
  return status;
}

}  // namespace musashim::mudnn

using musashim::mudnn::entry;

extern "C" {

// The library is one: its parts are of one version.
#define MUDNN_VERSION_CHECK(Part)                                                    \
  MUDNN_ENTRY mudnn##Part##VersionCheck(void) {                                      \
    return entry("mudnn" #Part "VersionCheck", [] { return MUDNN_STATUS_SUCCESS; }); \
  }
MUDNN_VERSION_CHECK(Graph)
MUDNN_VERSION_CHECK(Ops)
MUDNN_VERSION_CHECK(Cnn)
MUDNN_VERSION_CHECK(Adv)
#undef MUDNN_VERSION_CHECK

// Work that fails is a fault of its device, which every later call finds; so there is nothing that only this
// tells.
MUDNN_ENTRY mudnnQueryRuntimeError(mudnnHandle_t handle, mudnnStatus_t* rstatus, mudnnErrQueryMode_t mode,
                                   mudnnRuntimeTag_t* tag) {
  return entry(
      "mudnnQueryRuntimeError",
      [&] {
        if (!musashim::mudnn::isHandle(handle) || !rstatus || mode < MUDNN_ERRQUERY_RAWCODE ||
            mode > MUDNN_ERRQUERY_BLOCKING)
          return MUDNN_STATUS_BAD_PARAM;
        musaStream_t stream = nullptr;
        const mudnnStatus_t status = mudnnGetStream(handle, &stream);
        if (status != MUDNN_STATUS_SUCCESS) return status;
        const musaError_t error =
            mode == MUDNN_ERRQUERY_BLOCKING ? musaStreamSynchronize(stream) : musaStreamQuery(stream);
        *rstatus = error == musaSuccess || error == musaErrorNotReady ? MUDNN_STATUS_SUCCESS
                                                                      : MUDNN_STATUS_EXECUTION_FAILED;
        return MUDNN_STATUS_SUCCESS;
      },
      handle, mode, tag);
}

MUDNN_ENTRY mudnnSetCallback(unsigned mask, void* udata, mudnnCallback_t fptr) {
  return entry(
      "mudnnSetCallback",
      [&] {
        musashim::mudnn::told("mudnnSetCallback", MUDNN_STATUS_SUCCESS);  // for the last time
        // Who asks for one severity is told of all that are worse.
        unsigned all = mask;
        for (unsigned bit = MUDNN_SEV_INFO_EN; bit > MUDNN_SEV_ERROR_EN; bit >>= 1)
          if (all & bit) all |= bit >> 1;
        const std::lock_guard lock(musashim::mudnn::callbackMutex);
        musashim::mudnn::callback = {all, udata, fptr};
        musashim::mudnn::isTelling.store(fptr && all);
        return MUDNN_STATUS_SUCCESS;
      },
      mask, udata);
}

MUDNN_ENTRY mudnnGetCallback(unsigned* mask, void** udata, mudnnCallback_t* fptr) {
  return entry("mudnnGetCallback", [&] {
    const std::lock_guard lock(musashim::mudnn::callbackMutex);
    const musashim::mudnn::Callback& now = musashim::mudnn::callback;
    if (mask) *mask = now.mask;
    if (udata) *udata = now.data;
    if (fptr) *fptr = now.function;
    return MUDNN_STATUS_SUCCESS;
  });
}

}  // extern "C"
