#include "cpu/process/device_board.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cpu/devrt/control.h"
#include "cpu/process/abstract_socket.h"
#include "cpu/process/forked_child.h"

namespace musashim::backend::cpu {

namespace {

// A lock on one byte that ends with this process (with its last copy of the descriptor).
bool tryLockByte(int fd, size_t byte) {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(byte);
  lock.l_len = 1;
  return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

void unlockByte(int fd, size_t byte) {
  struct flock lock{};
  lock.l_type = F_UNLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(byte);
  lock.l_len = 1;
  fcntl(fd, F_OFD_SETLK, &lock);
}

// Processes see each other's numbers within one namespace only.
std::string processNamespace() {
  struct stat status{};
  return stat("/proc/self/ns/pid", &status) == 0 ? std::to_string(status.st_ino) : "0";
}

// What the names of this user's sockets begin with.
std::string allBoards() { return fmt::format("musashim1/{}/{}/", geteuid(), processNamespace()); }

// Where a socket's name says that the board is.
bool parseName(const std::string& rest, PeerFileName& name) {
  return sscanf(rest.c_str(), "%d/%d", &name.process, &name.descriptor) == 2;
}

bool openBoard(const std::string& prefix, uint64_t bytes, UniqueFd& file) {
  for (const std::string& rest : abstractNames(prefix)) {
    PeerFileName name;
    if (!parseName(rest, name)) continue;
    struct stat status{};
    if (stat(fmt::format("/proc/{}/fd/{}", name.process, name.descriptor).c_str(), &status) != 0) continue;
    name.inode = status.st_ino;
    if (openPeerFile(name, bytes, file).isOk()) return true;
  }
  return createMemoryFile("musa-devices", bytes, file).isOk();
}

}  // namespace

void DeviceBoard::Slot::clear() {
  reserved.store(0);
  for (auto& bytes : used) bytes.store(0);
  for (auto& fd : files) fd.store(0);
  present.store(0);
  lost.store(0);
  for (size_t i = 0; i < queues.load(); ++i) running[i].device.store(0);
  queues.store(0);
}

std::unique_ptr<DeviceBoard> DeviceBoard::join(const std::string& machine, size_t devices) {
  std::unique_ptr<DeviceBoard> board(new DeviceBoard);
  if (!machine.empty()) {
    if (board->attach(fmt::format("{}{}/", allBoards(), machine), devices)) return board;
    fprintf(stderr,
            "musashim: cannot share the devices with other processes: they are this process's alone\n");
  }
  board->alone_ = std::make_unique<Slot>();
  board->own_ = board->alone_.get();
  return board;
}

bool DeviceBoard::attach(const std::string& prefix, size_t devices) {
  // One at a time: two that start at once must not each make a board.
  UniqueFd lock = lockAbstractName(prefix + "lock");
  if (!lock || !openBoard(prefix, sizeof(Page), file_)) return false;
  void* memory = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (memory == MAP_FAILED) return false;
  page_ = static_cast<Page*>(memory);
  socket_ = bindAbstractName(fmt::format("{}{}/{}/{}", prefix, getpid(), file_.get(), devices));
  if (!socket_ || !takeSlot()) {
    munmap(page_, sizeof(Page));
    page_ = nullptr;
    return false;
  }
  // A child that only forks has no devices, and must not keep ours.
  closeInForkedChildren(file_.get());
  closeInForkedChildren(socket_.get());
  return true;
}

bool DeviceBoard::takeSlot() {
  for (size_t i = 0; i < kProcesses; ++i) {
    if (!tryLockByte(file_.get(), i)) continue;
    ownIndex_ = i;
    own_ = &page_->slots[i];
    own_->clear();
    own_->process.store(getpid());
    own_->taken.store(1);
    uint32_t highest = page_->highest.load();
    while (highest < i + 1 && !page_->highest.compare_exchange_weak(highest, static_cast<uint32_t>(i) + 1)) {
    }
    return true;
  }
  return false;
}

DeviceBoard::~DeviceBoard() {
  if (!page_) return;
  own_->clear();
  own_->taken.store(0);
  keepInForkedChildren(file_.get());
  keepInForkedChildren(socket_.get());
  munmap(page_, sizeof(Page));
}

// Whoever gets the lock of a taken slot may change it: its owner has ended.
void DeviceBoard::clearDead() {
  if (!page_) return;
  for (size_t i = 0; i < page_->highest.load(); ++i) {
    Slot& slot = page_->slots[i];
    if (i == ownIndex_ || slot.taken.load() == 0 || !tryLockByte(file_.get(), i)) continue;
    slot.clear();
    slot.taken.store(0);
    unlockByte(file_.get(), i);
  }
}

uint64_t DeviceBoard::used(size_t device) const {
  if (!page_) return own_->used[device].load();
  uint64_t sum = 0;
  for (size_t i = 0; i < page_->highest.load(std::memory_order_relaxed); ++i) {
    const Slot& slot = page_->slots[i];
    if (slot.taken.load(std::memory_order_relaxed) != 0) sum += slot.used[device].load();
  }
  return sum;
}

bool DeviceBoard::claim(size_t device, uint64_t bytes, uint64_t total) {
  own_->used[device].fetch_add(bytes);
  if (used(device) <= total) [[likely]]
    return true;
  clearDead();
  if (used(device) <= total) return true;
  own_->used[device].fetch_sub(bytes);
  return false;
}

void DeviceBoard::release(size_t device, uint64_t bytes) { own_->used[device].fetch_sub(bytes); }

uint64_t DeviceBoard::usedByAll(size_t device) {
  clearDead();
  return used(device);
}

void DeviceBoard::setPresent(size_t device, bool present) {
  const uint64_t bit = uint64_t{1} << device;
  if (present) {
    own_->present.fetch_or(bit);
  } else {
    own_->present.fetch_and(~bit);
  }
}

std::atomic<uint32_t>& DeviceBoard::runningOn(size_t queue) {
  if (queue >= kQueues) return unseen_;
  uint32_t used = own_->queues.load();
  while (used < queue + 1 && !own_->queues.compare_exchange_weak(used, static_cast<uint32_t>(queue) + 1)) {
  }
  return own_->running[queue].device;
}

template <class Visit>
void DeviceBoard::forEachSlot(Visit&& visit) const {
  if (!page_) return visit(*own_);
  for (size_t i = 0; i < page_->highest.load(); ++i) {
    if (page_->slots[i].taken.load() != 0) visit(page_->slots[i]);
  }
}

std::vector<ProcessUse> DeviceBoard::processesOn(size_t device) {
  clearDead();
  std::vector<ProcessUse> found;
  forEachSlot([&](const Slot& slot) {
    const uint64_t bytes = slot.used[device].load();
    if (bytes == 0 && (slot.present.load() >> device & 1) == 0) return;
    found.push_back({page_ ? slot.process.load() : getpid(), bytes});
  });
  return found;
}

uint64_t DeviceBoard::lostDevices() {
  clearDead();
  uint64_t lost = 0;
  forEachSlot([&](const Slot& slot) { lost |= slot.lost.load(); });
  return lost;
}

uint64_t DeviceBoard::runningDevices() {
  uint64_t running = 0;
  forEachSlot([&](const Slot& slot) {
    for (size_t i = 0; i < slot.queues.load(std::memory_order_relaxed); ++i) {
      const uint32_t device = slot.running[i].device.load(std::memory_order_relaxed);
      if (device != 0) running |= uint64_t{1} << (device - 1);
    }
  });
  return running;
}

const char* DeviceBoard::runningKernel() { return devrt::runningKernel(); }

std::vector<RunningMachine> DeviceBoard::running() {
  std::vector<RunningMachine> machines;
  for (const std::string& name : abstractNames(allBoards())) {
    char session[32] = "", product[32] = "";
    unsigned devices = 0;
    if (sscanf(name.c_str(), "%31[^/]/%31[^/]/%*d/%*d/%u", session, product, &devices) != 3) continue;
    const auto known = std::find_if(machines.begin(), machines.end(), [&](const RunningMachine& one) {
      return one.session == session && one.product == product;
    });
    RunningMachine& machine =
        known != machines.end() ? *known : machines.emplace_back(RunningMachine{session, product, 0, 0});
    machine.devices = std::max<size_t>(machine.devices, devices);
    ++machine.processes;
  }
  return machines;
}

void DeviceBoard::addFile(int fd) {
  for (auto& file : own_->files) {
    int32_t none = 0;
    if (file.compare_exchange_strong(none, fd + 1)) return;
  }
}

void DeviceBoard::removeFile(int fd) {
  for (auto& file : own_->files) {
    int32_t known = fd + 1;
    if (file.compare_exchange_strong(known, 0)) return;
  }
}

uint64_t DeviceBoard::debtOf(const Slot& slot) const {
  uint64_t touched = 0;
  for (const auto& file : slot.files) {
    int32_t fd = file.load(std::memory_order_relaxed);
    if (fd == 0) continue;
    struct stat status{};
    if (stat(fmt::format("/proc/{}/fd/{}", slot.process.load(), fd - 1).c_str(), &status) != 0) continue;
    touched += static_cast<uint64_t>(status.st_blocks) * 512;
  }
  uint64_t reserved = slot.reserved.load();
  return reserved - std::min(reserved, touched);
}

uint64_t DeviceBoard::debtOfOthers() {
  if (!page_) return 0;
  clearDead();
  uint64_t debt = 0;
  for (size_t i = 0; i < page_->highest.load(); ++i) {
    const Slot& slot = page_->slots[i];
    if (i != ownIndex_ && slot.taken.load() != 0 && slot.reserved.load() != 0) debt += debtOf(slot);
  }
  return debt;
}

size_t DeviceBoard::processes() {
  if (!page_) return 1;
  clearDead();
  size_t count = 0;
  for (size_t i = 0; i < page_->highest.load(); ++i) count += page_->slots[i].taken.load();
  return count;
}

}  // namespace musashim::backend::cpu
