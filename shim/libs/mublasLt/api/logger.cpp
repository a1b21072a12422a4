#include "libs/mublasLt/api/logger.h"

#include <mublasLt.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>

#include "libs/mublasLt/api/entry.h"

namespace musashim::mublasLt {

std::atomic<int> logMask{-1};  // as long as nobody has asked

namespace {

struct Places {
  std::mutex mutex;
  bool isOver = false;
  bool isOurs = false;  // the file, which we opened
  FILE* file = stdout;
  mublasLtLoggerCallback_t callback = nullptr;
};

Places& places() {
  static Places places;  // has nothing to destroy: threads run until the process is gone
  return places;
}

void useFile(Places& to, FILE* file, bool isOurs) {
  if (to.isOurs) (void)std::fclose(to.file);
  to.file = file;
  to.isOurs = isOurs;
}

int maskOfLevel(int level) { return (1 << level) - 1; }
constexpr int kLevels = 5;

}  // namespace

int readLogSettings() {
  Places& to = places();
  std::lock_guard lock(to.mutex);
  int mask = logMask;
  if (mask >= 0) return mask;
  mask = 0;
  if (const char* text = std::getenv("MUBLASLT_LOG_LEVEL")) {
    const int level = std::atoi(text);
    if (level >= 0 && level <= kLevels) mask = maskOfLevel(level);
  }
  if (const char* text = std::getenv("MUBLASLT_LOG_MASK")) mask |= std::atoi(text) & maskOfLevel(kLevels);
  if (const char* name = std::getenv("MUBLASLT_LOG_FILE"))
    if (FILE* const file = std::fopen(name, "w")) useFile(to, file, true);
  logMask = mask;
  return mask;
}

void logCall(std::string_view name, const std::string& call, mublasStatus_t status) {
  const bool isError = status != MUBLAS_STATUS_SUCCESS;
  const std::string function(name);
  const std::string message = call + " -> " + mublas::nameOfTold(status);
  mublasLtLoggerCallback_t callback = nullptr;
  {
    Places& to = places();
    std::lock_guard lock(to.mutex);
    if (to.isOver) return;
    if (to.file) {
      char when[32] = "";
      const std::time_t now = std::time(nullptr);
      std::tm parts{};
      if (localtime_r(&now, &parts)) (void)std::strftime(when, sizeof when, "%F %T", &parts);
      std::fprintf(to.file, "[%s][mublasLt][%d][%s][%s] %s\n", when, static_cast<int>(getpid()),
                   isError ? "Error" : "Api", function.c_str(), message.c_str());
      std::fflush(to.file);
    }
    callback = to.callback;
  }
  if (callback) callback(isError ? 1 : kLevels, function.c_str(), message.c_str());  // may call the library
}

}  // namespace musashim::mublasLt

using namespace musashim::mublasLt;

namespace {

mublasStatus_t setMask(int mask) {
  (void)readLogSettings();
  std::lock_guard lock(places().mutex);
  logMask = places().isOver ? 0 : mask & maskOfLevel(kLevels);
  return MUBLAS_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

MUBLASLT_ENTRY mublasLtLoggerSetCallback(mublasLtLoggerCallback_t callback) {
  std::lock_guard lock(places().mutex);
  places().callback = callback;
  return MUBLAS_STATUS_SUCCESS;
}

MUBLASLT_ENTRY mublasLtLoggerSetFile(FILE* file) {
  (void)readLogSettings();
  std::lock_guard lock(places().mutex);
  useFile(places(), file, false);
  return MUBLAS_STATUS_SUCCESS;
}

MUBLASLT_ENTRY mublasLtLoggerOpenFile(const char* logFile) {
  (void)readLogSettings();
  FILE* const file = logFile ? std::fopen(logFile, "w") : nullptr;
  MUBLASLT_REQUIRE(file || !logFile, musashim::mublas::toldStatus(MUBLAS_STATUS_INVALID_VALUE));
  std::lock_guard lock(places().mutex);
  useFile(places(), file ? file : stdout, file != nullptr);
  return MUBLAS_STATUS_SUCCESS;
}

MUBLASLT_ENTRY mublasLtLoggerSetLevel(int level) {
  MUBLASLT_REQUIRE(level >= 0 && level <= kLevels + 1,
                   musashim::mublas::toldStatus(MUBLAS_STATUS_INVALID_VALUE));  // as cuBLASLt, one beyond
  return setMask(maskOfLevel(level));
}

MUBLASLT_ENTRY mublasLtLoggerSetMask(int mask) { return setMask(mask); }

MUBLASLT_ENTRY mublasLtLoggerForceDisable(void) {
  {
    std::lock_guard lock(places().mutex);
    places().isOver = true;
  }
  return setMask(0);
}

}  // extern "C"
