#include "torch_musa/csrc/core/Queue.h"

#include <ATen/core/grad_mode.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "torch_musa/csrc/core/Capture.h"

namespace c10::musa {
namespace {

struct Work {
  std::string what;
  std::function<void()> run;
};

std::mutex theMutex;
std::vector<std::unique_ptr<Work>> theDone;  // to be given back by a thread that may call the runtime
std::string theFailure;

bool asynchronous() {
  static const bool kAsynchronous = [] {
    const char* const value = std::getenv("MUSASHIM_TORCH_ASYNC");
    return value != nullptr && std::strcmp(value, "1") == 0;
  }();
  return kAsynchronous;
}

void perform(const Work& work) {
  try {
    const at::NoGradGuard noGradients;
    work.run();
  } catch (const std::exception& error) {
    const std::lock_guard lock(theMutex);
    if (theFailure.empty()) theFailure = work.what + ": " + error.what();
  }
}

void performOnce(void* data) {
  std::unique_ptr<Work> work(static_cast<Work*>(data));
  perform(*work);
  const std::lock_guard lock(theMutex);
  theDone.push_back(std::move(work));
}

void performAgain(void* data) { perform(*static_cast<Work*>(data)); }

void giveBackDone() {
  std::vector<std::unique_ptr<Work>> done;
  const std::lock_guard lock(theMutex);
  done.swap(theDone);
}

}  // namespace

bool capturing(DeviceIndex device) { return captureOf(currentStream(device)) != 0; }

bool queues(DeviceIndex device) { return asynchronous() || capturing(device); }

void queueWork(DeviceIndex device, std::string what, std::function<void()> work) {
  giveBackDone();
  auto queued = std::make_unique<Work>(Work{std::move(what), std::move(work)});
  const Stream stream = currentStream(device);
  const DeviceScope scope(device);
  if (const unsigned long long capture = captureOf(stream); capture != 0) {
    std::shared_ptr<Work> kept(std::move(queued));
    C10_MUSA_CHECK(musaLaunchHostFunc(nativeStream(stream), performAgain, kept.get()));
    keepForCapture(capture, std::move(kept));
    return;
  }
  C10_MUSA_CHECK(musaLaunchHostFunc(nativeStream(stream), performOnce, queued.get()));
  (void)queued.release();
}

void throwQueued() {
  std::string failure;
  {
    const std::lock_guard lock(theMutex);
    if (theFailure.empty()) return;
    failure = std::exchange(theFailure, {});
  }
  TORCH_CHECK(false, "MUSA error: an operator that had been queued failed, ", failure,
              "\nIt was called before this line: run with MUSASHIM_TORCH_ASYNC=0 to see where.");
}

}  // namespace c10::musa
