// The other processes of the tests.
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>

#include "ipc_support.h"

extern char** environ;

namespace musashim::test {
namespace {

constexpr int kChannel = 3;  // the descriptor that a child talks by

// Allocates `bytes` on `device`, fills it and waits for the end.
int owner(Channel& parent) {
  auto order = parent.receive<OwnerOrder>();
  ROLE_MUSA(musaSetDevice(order.device));
  char *first = nullptr, *memory = nullptr;
  if (order.before) ROLE_MUSA(musaMalloc(reinterpret_cast<void**>(&first), order.before));
  ROLE_MUSA(musaMalloc(reinterpret_cast<void**>(&memory), order.bytes));
  ROLE_MUSA(musaMemset(memory, 0x5a, order.bytes));
  ROLE_MUSA(musaDeviceSynchronize());
  musaIpcMemHandle_t handle;
  ROLE_MUSA(musaIpcGetMemHandle(&handle, memory));
  parent.send(handle);
  // What the parent has written.
  if (parent.receive<char>() == 'f') {
    ROLE_MUSA(musaFree(memory));
    parent.send('f');
    return parent.receive<char>() == 'q' ? 0 : 2;
  }
  std::vector<char> seen(order.bytes);
  ROLE_MUSA(musaMemcpy(seen.data(), memory, seen.size(), musaMemcpyDeviceToHost));
  for (char byte : seen) {
    if (byte != 0x21) return 3;
  }
  ROLE_MUSA(musaFree(memory));
  return 0;
}

// Opens memory and an event of the parent, waits for the event in a stream, then adds
// one to every int and records the event itself.
int adder(Channel& parent) {
  auto order = parent.receive<AdderOrder>();
  ROLE_MUSA(musaSetDevice(order.device));
  int* memory = nullptr;
  musaEvent_t event;
  musaStream_t stream;
  ROLE_MUSA(musaStreamCreate(&stream));
  ROLE_MUSA(
      musaIpcOpenMemHandle(reinterpret_cast<void**>(&memory), order.memory, musaIpcMemLazyEnablePeerAccess));
  ROLE_MUSA(musaIpcOpenEventHandle(&event, order.event));
  parent.send('o');
  while (parent.receive<char>() == 'a') {
    ROLE_MUSA(musaStreamWaitEvent(stream, event, 0));
    ROLE_MUSA(launch(kernels.addOne, dim3(1), dim3(1), 0, stream, memory, order.count, 1));
    ROLE_MUSA(musaEventRecord(event, stream));
    parent.send('r');
  }
  ROLE_MUSA(musaStreamSynchronize(stream));
  ROLE_MUSA(musaEventDestroy(event));
  ROLE_MUSA(musaIpcCloseMemHandle(memory));
  return 0;
}

// Records an event behind a kernel that does not end, and says so.
int blocker(Channel& parent) {
  auto handle = parent.receive<musaIpcEventHandle_t>();
  musaEvent_t event;
  ROLE_MUSA(musaIpcOpenEventHandle(&event, handle));
  musaStream_t stream;
  ROLE_MUSA(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  SpinFlag flag;
  ROLE_MUSA(flag.startOn(stream));
  ROLE_MUSA(musaEventRecord(event, stream));
  parent.send('r');
  (void)parent.receive<char>();
  flag.raise();
  ROLE_MUSA(musaStreamSynchronize(stream));
  parent.send('d');
  return 0;
}

// Allocates what it is told on a device and keeps it.
int hoarder(Channel& parent) {
  auto order = parent.receive<HoarderOrder>();
  ROLE_MUSA(musaSetDevice(order.device));
  size_t free = 0, total = 0;
  ROLE_MUSA(musaMemGetInfo(&free, &total));
  void* memory = nullptr;
  ROLE_MUSA(musaMalloc(&memory, free - order.leave));
  parent.send('h');
  (void)parent.receive<char>();
  ROLE_MUSA(musaFree(memory));
  parent.send('f');
  (void)parent.receive<char>();
  return 0;
}

// What others have promised to themselves and not touched counts as taken from the machine.
int promises(Channel& parent) {
  size_t free = 0, total = 0;
  ROLE_MUSA(musaMemGetInfo(&free, &total));
  constexpr size_t kGiB = size_t{1} << 30;
  if (free < 4 * kGiB) return 0;  // too small a machine to tell
  Peer other("hoarder");
  other.send(HoarderOrder{0, kGiB});
  if (other.receive<char>() != 'h') return 2;
  for (int device : {0, 1}) {
    ROLE_MUSA(musaSetDevice(device));
    void* memory = nullptr;
    if (musaMalloc(&memory, free - kGiB / 2) != musaErrorMemoryAllocation) return 3 + device;
  }
  other.kill();
  void* memory = nullptr;
  ROLE_MUSA(musaMalloc(&memory, free - kGiB));
  parent.send('k');
  return 0;
}

// Does all that leaves traces in other processes, until it is killed.
int busy(Channel& parent) {
  std::mt19937 random(parent.receive<unsigned>());
  ROLE_MUSA(musaSetDevice(static_cast<int>(random() % kDevices)));
  musaEvent_t event;
  ROLE_MUSA(musaEventCreateWithFlags(&event, musaEventInterprocess | musaEventDisableTiming));
  musaIpcEventHandle_t eventHandle;
  ROLE_MUSA(musaIpcGetEventHandle(&eventHandle, event));
  parent.send(eventHandle);
  for (;;) {
    void* memory = nullptr;
    ROLE_MUSA(musaMalloc(&memory, 1 + random() % (4 << 20)));
    musaIpcMemHandle_t handle;
    ROLE_MUSA(musaIpcGetMemHandle(&handle, memory));
    ROLE_MUSA(musaMemsetAsync(memory, 1, 1, nullptr));
    ROLE_MUSA(musaEventRecord(event, nullptr));
    if (random() % 8 == 0) parent.send(handle);
    ROLE_MUSA(musaFree(memory));
  }
}

const std::map<std::string, int (*)(Channel&)> kRoles = {{"owner", owner},       {"adder", adder},
                                                         {"blocker", blocker},   {"hoarder", hoarder},
                                                         {"promises", promises}, {"busy", busy}};

}  // namespace

int runRole(const std::string& role, Channel& parent) { return kRoles.at(role)(parent); }

void Channel::sendBytes(const void* data, size_t bytes) { (void)::send(fd_, data, bytes, MSG_NOSIGNAL); }

bool Channel::receiveBytes(void* data, size_t bytes) {
  return ::recv(fd_, data, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes);
}

Peer::Peer(const std::string& role) : Channel(-1) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::abort();
  fd_ = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], kChannel);
  std::string argument = "--role=" + role, program = "/proc/self/exe";
  char* arguments[] = {program.data(), argument.data(), nullptr};
  if (posix_spawn(&process_, program.c_str(), &actions, nullptr, arguments, environ) != 0) std::abort();
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
}

Peer::~Peer() {
  if (process_ > 0) kill();
  close(fd_);
}

void Peer::kill() {
  ::kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

int Peer::join() {
  int status = -1;
  waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace musashim::test

// Before the device code is registered, which reads the settings.
__attribute__((constructor(101))) static void chooseSettings() {
  // The processes of one test share devices with each other and nobody else.
  setenv("IPC_TEST_SESSION", ("test-" + std::to_string(getpid())).c_str(), 0);
  setenv("MUSASHIM_SESSION", getenv("IPC_TEST_SESSION"), 1);
  setenv("MUSASHIM_OVERCOMMIT", "1", 0);  // figures then depend on nothing but these processes
}

int main(int argc, char** argv) {
  const std::string prefix = "--role=";
  if (argc == 2 && strncmp(argv[1], prefix.c_str(), prefix.size()) == 0) {
    musashim::test::Channel parent(3);
    return musashim::test::runRole(argv[1] + prefix.size(), parent);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
