#include "mtml/state/log.h"

#include <fmt/core.h>
#include <syslog.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

namespace musashim::mtml {
namespace {

constexpr long kMiB = 1 << 20;

struct Log {
  std::mutex mutex;
  MtmlLogConfiguration configuration{};
  std::FILE* file = nullptr;
};

// Never destroyed: threads may call until the process is gone.
Log& log() {
  static Log* const kLog = new Log;
  return *kLog;
}

// The most that any place wants.
constinit std::atomic<int> most{MTML_LOG_LEVEL_OFF};

MtmlLogLevel levelOf(int status) {
  switch (status) {
    case MTML_SUCCESS:
      return MTML_LOG_LEVEL_INFO;
    case MTML_ERROR_NOT_SUPPORTED:
      return MTML_LOG_LEVEL_WARNING;
    case MTML_ERROR_DRIVER_NOT_LOADED:
    case MTML_ERROR_DRIVER_FAILURE:
      return MTML_LOG_LEVEL_FATAL;
    default:
      return MTML_LOG_LEVEL_ERROR;
  }
}

int priorityOf(MtmlLogLevel level) {
  switch (level) {
    case MTML_LOG_LEVEL_FATAL:
      return LOG_CRIT;
    case MTML_LOG_LEVEL_ERROR:
      return LOG_ERR;
    case MTML_LOG_LEVEL_WARNING:
      return LOG_WARNING;
    default:
      return LOG_INFO;
  }
}

void writeToFile(Log& log, const std::string& line) {
  const auto& wanted = log.configuration.fileConfig;
  const long limit = static_cast<long>(wanted.size) * kMiB;
  if (limit != 0 && std::ftell(log.file) + static_cast<long>(line.size()) > limit) {
    // Anew, in the same file: those that follow it go on.
    if (ftruncate(fileno(log.file), 0) != 0) return;
    std::rewind(log.file);
  }
  std::fputs(line.c_str(), log.file);
  std::fflush(log.file);
}

}  // namespace

const char* errorText(MtmlReturn result) {
  switch (result) {
    case MTML_SUCCESS:
      return "The operation was successful";
    case MTML_ERROR_DRIVER_NOT_LOADED:
      return "Driver not loaded";
    case MTML_ERROR_DRIVER_FAILURE:
      return "Driver failure";
    case MTML_ERROR_INVALID_ARGUMENT:
      return "Invalid argument";
    case MTML_ERROR_NOT_SUPPORTED:
      return "Not supported";
    case MTML_ERROR_NO_PERMISSION:
      return "No permission";
    case MTML_ERROR_INSUFFICIENT_SIZE:
      return "Insufficient size";
    case MTML_ERROR_NOT_FOUND:
      return "Not found";
    case MTML_ERROR_INSUFFICIENT_MEMORY:
      return "Insufficient memory";
    case MTML_ERROR_DRIVER_TOO_OLD:
      return "Driver too old";
    case MTML_ERROR_DRIVER_TOO_NEW:
      return "Driver too new";
    case MTML_ERROR_TIMEOUT:
      return "Timeout";
    case MTML_ERROR_RESOURCE_IS_BUSY:
      return "Resource is busy";
    case MTML_ERROR_UNKNOWN:
      break;
  }
  return "Unknown error";
}

MtmlReturn configureLog(const MtmlLogConfiguration& wanted) {
  const MtmlLogLevel levels[] = {wanted.consoleConfig.level, wanted.systemConfig.level,
                                 wanted.fileConfig.level, wanted.callbackConfig.level};
  for (const MtmlLogLevel level : levels) {
    if (static_cast<unsigned int>(level) > MTML_LOG_LEVEL_INFO) return MTML_ERROR_INVALID_ARGUMENT;
  }
  if (wanted.callbackConfig.level != MTML_LOG_LEVEL_OFF && !wanted.callbackConfig.callback)
    return MTML_ERROR_INVALID_ARGUMENT;
  std::FILE* file = nullptr;
  if (wanted.fileConfig.level != MTML_LOG_LEVEL_OFF) {
    const char* const path = wanted.fileConfig.file;
    if (path[0] == '\0' || !std::memchr(path, '\0', sizeof wanted.fileConfig.file))
      return MTML_ERROR_INVALID_ARGUMENT;
    file = std::fopen(path, "ae");
    if (!file) return errno == EACCES || errno == EROFS ? MTML_ERROR_NO_PERMISSION : MTML_ERROR_NOT_FOUND;
  }
  Log& own = log();
  std::lock_guard lock(own.mutex);
  if (own.file) std::fclose(own.file);
  own.file = file;
  own.configuration = wanted;
  most.store(*std::ranges::max_element(levels));
  return MTML_SUCCESS;
}

MtmlLogConfiguration logConfiguration() {
  std::lock_guard lock(log().mutex);
  return log().configuration;
}

bool isLogging() { return most.load(std::memory_order_relaxed) != MTML_LOG_LEVEL_OFF; }

void logCall(std::string_view name, int status) {
  const MtmlLogLevel level = levelOf(status);
  const std::string line = fmt::format("MTML: {}: {}\n", name, errorText(static_cast<MtmlReturn>(status)));
  void (*callback)(const char*, unsigned int) = nullptr;
  {
    Log& own = log();
    std::lock_guard lock(own.mutex);
    const MtmlLogConfiguration& wanted = own.configuration;
    if (wanted.consoleConfig.level >= level) std::fputs(line.c_str(), stderr);
    if (wanted.systemConfig.level >= level) syslog(priorityOf(level), "%s", line.c_str());
    if (wanted.fileConfig.level >= level && own.file) writeToFile(own, line);
    if (wanted.callbackConfig.level >= level) callback = wanted.callbackConfig.callback;
  }
  if (callback) callback(line.c_str(), static_cast<unsigned int>(line.size()));
}

}  // namespace musashim::mtml
