#include "mtshmem/job/shared_job.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>

#include "mtshmem/include/mtshmem_detail/layout.h"

namespace musashim::mtshmem {

struct SharedJob::Shared {
  std::atomic<int> attached;
  std::atomic<uint64_t> arrived;
  struct Pe {
    std::atomic<int> process;
    std::atomic<int> left;
    std::size_t cardBytes;
    char card[Job::kMostCard];
  } pes[MTSHMEMI_MAX_PES];
};

namespace {

std::string nameOf(const JobPlace& place) {
  std::string name = "/mtshmem-" + std::to_string(getuid()) + "-" + place.key;
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    if (!plain) c = '_';
  }
  name.front() = '/';
  return name.size() < 200 ? name : name.substr(0, 160) + std::to_string(std::hash<std::string>()(name));
}

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void rest() {
  const timespec little{0, 100000};
  nanosleep(&little, nullptr);
}

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

}  // namespace

SharedJob::SharedJob(const JobPlace& place) : place_(place) {
  const std::string name = nameOf(place);
  const int file = shm_open(name.c_str(), O_RDWR | O_CREAT, 0600);
  if (file < 0) fail("cannot open the shared memory " + name);
  struct stat status {};
  // Fresh memory is zero, which is how all begins.
  if (fstat(file, &status) != 0 || (status.st_size == 0 && ftruncate(file, sizeof(Shared)) != 0)) {
    close(file);
    fail("cannot make the shared memory " + name);
  }
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) fail("cannot map the shared memory " + name);
  shared_ = static_cast<Shared*>(memory);
  shared_->pes[place.me].process.store(getpid());
  shared_->attached.fetch_add(1);
  const double until = now() + bootstrapSeconds();
  while (shared_->attached.load() < place.size) {
    if (now() > until) {
      std::string missing;
      for (int pe = 0; pe < place.size; ++pe) {
        if (shared_->pes[pe].process.load() == 0)
          missing += (missing.empty() ? "" : ", ") + std::to_string(pe);
      }
      shm_unlink(name.c_str());
      throw std::runtime_error(
          "PE " + missing + " of " + std::to_string(place.size) +
          " did not come; were all started, by one launcher? (MTSHMEM_BOOTSTRAP_TIMEOUT: seconds)");
    }
    rest();
  }
  barrier();
  if (place.me == 0) shm_unlink(name.c_str());
  for (int pe = 0; pe < place.size; ++pe)
    processes_.emplace_back(static_cast<int>(syscall(SYS_pidfd_open, shared_->pes[pe].process.load(), 0)));
}

SharedJob::~SharedJob() { munmap(shared_, sizeof(Shared)); }

std::vector<Card> SharedJob::exchange(const Card& mine) {
  if (mine.size() > kMostCard)
    throw std::runtime_error("a card of " + std::to_string(mine.size()) + " bytes");
  Shared::Pe& own = shared_->pes[place_.me];
  std::memcpy(own.card, mine.data(), mine.size());
  own.cardBytes = mine.size();
  barrier();
  std::vector<Card> cards;
  for (int pe = 0; pe < place_.size; ++pe) {
    const Shared::Pe& one = shared_->pes[pe];
    cards.emplace_back(one.card, one.card + one.cardBytes);
  }
  barrier();  // all have read them
  return cards;
}

void SharedJob::barrier() {
  const auto size = static_cast<uint64_t>(place_.size);
  const uint64_t turn = shared_->arrived.fetch_add(1) / size + 1;
  for (unsigned turns = 0; shared_->arrived.load() < turn * size; ++turns) {
    if (turns > 100) rest();
    if (turns % 10000 != 9999) continue;
    if (const int lost = lostPe(); lost >= 0)
      throw std::runtime_error("PE " + std::to_string(lost) + " ended while others wait for it");
  }
}

// Also one that its parent has not asked for so far, which kill() still finds.
bool SharedJob::hasEnded(int pe) const {
  const auto index = static_cast<std::size_t>(pe);
  if (index < processes_.size() && processes_[index]) {
    pollfd ended{processes_[index].get(), POLLIN, 0};
    return poll(&ended, 1, 0) > 0;
  }
  const int process = shared_->pes[pe].process.load();
  return process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

int SharedJob::lostPe() {
  for (int pe = 0; pe < place_.size; ++pe) {
    if (pe != place_.me && hasEnded(pe) && !shared_->pes[pe].left.load()) return pe;
  }
  return -1;
}

void SharedJob::leave() { shared_->pes[place_.me].left.store(1); }

}  // namespace musashim::mtshmem
