#include "libs/mublas/api/logger.h"

#include <mublas.h>

#include <cstdio>
#include <mutex>

#include "libs/mublas/api/entry.h"

namespace musashim::mublas {

std::atomic<bool> logIsOn{false};

namespace {

struct Places {
  std::mutex mutex;
  bool toStdout = false, toStderr = false;
  FILE* file = nullptr;
  mublasLogCallback callback = nullptr;
};

Places& places() {
  static Places places;  // has nothing to destroy: threads run until the process is gone
  return places;
}

}  // namespace

void logLine(const std::string& line) {
  mublasLogCallback callback = nullptr;
  {
    Places& to = places();
    std::lock_guard lock(to.mutex);
    for (FILE* file : {to.toStdout ? stdout : nullptr, to.toStderr ? stderr : nullptr, to.file}) {
      if (!file) continue;
      std::fprintf(file, "%s\n", line.c_str());
      std::fflush(file);
    }
    callback = to.callback;
  }
  if (callback) callback(line.c_str());  // may call the library
}

}  // namespace musashim::mublas

using namespace musashim::mublas;

extern "C" {

mublasStatus_t mublasLoggerConfigure(int isOn, int logToStdOut, int logToStdErr, const char* logFileName) {
  return tracedCall(
      "mublasLoggerConfigure",
      [&] {
        FILE* const file = logFileName ? std::fopen(logFileName, "w") : nullptr;
        MUBLAS_REQUIRE(file || !logFileName, MUBLAS_STATUS_INVALID_VALUE);
        Places& to = places();
        std::lock_guard lock(to.mutex);
        if (to.file) (void)std::fclose(to.file);
        to.file = file;
        to.toStdout = logToStdOut != 0;
        to.toStderr = logToStdErr != 0;
        logIsOn = isOn != 0;
        return MUBLAS_STATUS_SUCCESS;
      },
      isOn, logToStdOut, logToStdErr, logFileName);
}

// A callback hears of every call, whether or not the log is on.
mublasStatus_t mublasSetLoggerCallback(mublasLogCallback userCallback) {
  Places& to = places();
  std::lock_guard lock(to.mutex);
  to.callback = userCallback;
  if (userCallback) logIsOn = true;
  return MUBLAS_STATUS_SUCCESS;
}

mublasStatus_t mublasGetLoggerCallback(mublasLogCallback* userCallback) {
  MUBLAS_REQUIRE(userCallback, toldStatus(kBadPointer));
  Places& to = places();
  std::lock_guard lock(to.mutex);
  *userCallback = to.callback;
  return MUBLAS_STATUS_SUCCESS;
}

// What BLAS calls for a bad argument; programs may call it too.
__attribute__((visibility("default"))) void mublasXerbla(const char* srName, int info) {
  std::fprintf(stderr, " ** On entry to %s parameter number %d had an illegal value\n", srName ? srName : "?",
               info);
}

}  // extern "C"
