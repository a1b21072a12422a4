#include "mccl/core/log.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <mutex>

namespace musashim::mccl {
namespace {

std::atomic<int (*)()> logDevice{nullptr};

struct LastError {
  std::mutex mutex;
  std::string text;
};

LastError& lastErrorState() {
  static LastError* const kState = new LastError;
  return *kState;
}

std::string hostName() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  std::string host = name;
  return host.substr(0, host.find('.'));
}

std::string expandFileName(const std::string& pattern) {
  std::string name;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '%' || i + 1 == pattern.size()) {
      name += pattern[i];
      continue;
    }
    const char code = pattern[++i];
    if (code == 'h') {
      name += hostName();
    } else if (code == 'p') {
      name += std::to_string(getpid());
    } else if (code == '%') {
      name += '%';
    } else {
      name += '%';
      name += code;
    }
  }
  return name;
}

FILE* openLog() {
  if (settings().debugFile.empty()) return stdout;
  FILE* file = std::fopen(expandFileName(settings().debugFile).c_str(), "we");
  return file ? file : stdout;
}

}  // namespace

void setLogDevice(int (*currentDevice)()) { logDevice.store(currentDevice); }

void writeLog(DebugLevel level, const std::string& text) {
  static FILE* const kFile = openLog();
  static const std::string* const kHost = new std::string(hostName());
  auto device = logDevice.load();
  const std::string line =
      fmt::format("{}:{}:{} [{}] MCCL {} {}\n", *kHost, getpid(), gettid(), device ? device() : -1,
                  level == DebugLevel::kWarn ? "WARN" : "INFO", text);
  std::fwrite(line.data(), 1, line.size(), kFile);
  std::fflush(kFile);
}

std::string lastError() {
  std::lock_guard lock(lastErrorState().mutex);
  return lastErrorState().text;
}

void setLastError(std::string text) {
  std::lock_guard lock(lastErrorState().mutex);
  lastErrorState().text = std::move(text);
}

}  // namespace musashim::mccl
