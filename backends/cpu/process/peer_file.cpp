#include "cpu/process/peer_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cpu/exec/clock.h"

namespace musashim::backend::cpu {

namespace {

struct ProcessState {
  char state = 'X';
  long threads = 0;
  uint64_t startTime = 0;
};

// Reads /proc/N/stat; false when there is no such process.
bool readState(int32_t process, ProcessState& state) {
  UniqueFd file(open(fmt::format("/proc/{}/stat", process).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return false;
  char text[1024];
  ssize_t length = read(file.get(), text, sizeof text - 1);
  if (length <= 0) return false;
  text[length] = '\0';
  // The name, in parentheses, may hold anything; fields 3 (state), 20 (threads), 22 (start).
  const char* rest = strrchr(text, ')');
  unsigned long long start = 0;
  if (!rest ||
      sscanf(rest + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld %*d %llu",
             &state.state, &state.threads, &start) != 3) {
    return false;
  }
  state.startTime = start;
  return true;
}

}  // namespace

void UniqueFd::reset(int fd) {
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
}

Status createMemoryFile(const std::string& name, uint64_t bytes, UniqueFd& file) {
  file.reset(memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file || fchmod(file.get(), 0600) != 0 || ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) {
    return {StatusCode::kOutOfMemory,
            fmt::format("cannot create {} bytes of memory for {}: {}", bytes, name, strerror(errno))};
  }
  // Whoever maps it need not fear that it shrinks under them.
  fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL);
  return Status::ok();
}

PeerFileName nameOf(int fd) {
  struct stat status{};
  if (fstat(fd, &status) != 0) return {};
  return {getpid(), fd, status.st_ino};
}

Status makeDescriptor(const ShareTicket& word, int& fd) {
  UniqueFd file;
  MUSASHIM_RETURN_IF_ERROR(createMemoryFile("musa-word", sizeof word.bytes, file));
  if (pwrite(file.get(), word.bytes, sizeof word.bytes, 0) != sizeof word.bytes) {
    return {StatusCode::kOutOfMemory, fmt::format("cannot write a descriptor: {}", strerror(errno))};
  }
  fd = file.release();
  return Status::ok();
}

Status readDescriptor(int fd, ShareTicket& word) {
  struct stat status{};
  const bool ours = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                    status.st_uid == geteuid() && status.st_size == sizeof word.bytes &&
                    fcntl(fd, F_GET_SEALS) >= 0 &&
                    pread(fd, word.bytes, sizeof word.bytes, 0) == sizeof word.bytes;
  if (ours) return Status::ok();
  return {StatusCode::kInvalidValue, fmt::format("descriptor {} is not one that was made to be shared", fd)};
}

Status openPeerFile(const PeerFileName& name, uint64_t leastBytes, UniqueFd& file) {
  const std::string path = fmt::format("/proc/{}/fd/{}", name.process, name.descriptor);
  Status gone{StatusCode::kNotFound, fmt::format("{} does not name shared memory any more", path)};
  // Looked at before it is opened: opening some other file could have effects.
  struct stat status{};
  auto isOurs = [&] {
    return S_ISREG(status.st_mode) && status.st_ino == name.inode && status.st_uid == geteuid() &&
           (status.st_mode & 0777) == 0600 && static_cast<uint64_t>(status.st_size) >= leastBytes;
  };
  if (stat(path.c_str(), &status) != 0 || !isOurs()) return gone;
  file.reset(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!file || fstat(file.get(), &status) != 0 || !isOurs()) return gone;
  int seals = fcntl(file.get(), F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) return gone;
  return Status::ok();
}

bool isProcessAlive(int32_t process, uint64_t startTime) {
  ProcessState state;
  if (!readState(process, state) || state.startTime != startTime) return false;
  // A zombie has ended, unless only its first thread has.
  bool ended = state.state == 'X' || (state.state == 'Z' && state.threads <= 1);
  return !ended;
}

uint64_t startTimeOf(int32_t process) {
  ProcessState state;
  return readState(process, state) ? state.startTime : 0;
}

uint64_t randomKey() {
  uint64_t key = 0;
  if (getrandom(&key, sizeof key, 0) != sizeof key) {
    key = static_cast<uint64_t>(monotonicNow()) * 0x9e3779b97f4a7c15ull ^ static_cast<uint64_t>(getpid());
  }
  return key | 1;
}

}  // namespace musashim::backend::cpu
