// Memory of devices is kept from host code, and from kernels of devices without peer access, as on hardware.
//
// Where the processor has memory protection keys; elsewhere the test is skipped. Each case runs in a process of its
// own: this program, with the case's name.
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <musa.h>

#define REQUIRE(condition)                                              \
  do {                                                                  \
    if (!(condition)) {                                                 \
      std::printf("line %d: not so: %s\n", __LINE__, #condition);       \
      std::exit(1);                                                     \
    }                                                                   \
  } while (0)
#define MUST(call) REQUIRE((call) == musaSuccess)

extern char** environ;

namespace {

constexpr int kCount = 1 << 20;

__global__ void addOne(int* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += 1;
}

int* zeros(int count = kCount) {
  int* data = nullptr;
  MUST(musaMalloc(&data, count * sizeof(int)));
  MUST(musaMemset(data, 0, count * sizeof(int)));
  return data;
}

void run(int* data, int count = kCount) { addOne<<<(count + 255) / 256, 256>>>(data, count); }

int at(const int* data, int index) {
  int value = -1;
  MUST(musaMemcpy(&value, data + index, sizeof value, musaMemcpyDeviceToHost));
  return value;
}

void hostReads() {
  volatile int* data = zeros();
  REQUIRE(data[5] == 0);
}

void hostWrites() {
  int* data = zeros();
  run(data);
  MUST(musaDeviceSynchronize());
  static_cast<volatile int*>(data)[5] = 1;
}

void newThreadReads() {
  volatile int* data = zeros();
  run(const_cast<int*>(data));
  MUST(musaDeviceSynchronize());
  std::thread([&] { REQUIRE(data[5] == 1); }).join();
}

void hostFunctionReads() {
  int* data = zeros();
  run(data);
  MUST(musaLaunchHostFunc(nullptr, [](void* memory) { REQUIRE(*static_cast<volatile int*>(memory) == 1); }, data));
  MUST(musaDeviceSynchronize());
}

void hostReadsPool() {
  int* data = nullptr;
  MUST(musaMallocAsync(&data, 4096, nullptr));
  MUST(musaMemsetAsync(data, 0, 4096, nullptr));
  MUST(musaDeviceSynchronize());
  REQUIRE(*static_cast<volatile int*>(data) == 0);
}

int* mapped() {
  REQUIRE(musaFree(nullptr) == musaSuccess);
  MUmemAllocationProp properties = {};
  properties.type = MU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {MU_MEM_LOCATION_TYPE_DEVICE, 0};
  const size_t bytes = size_t{4} << 20;
  MUmemGenericAllocationHandle handle;
  MUdeviceptr address;
  REQUIRE(muMemCreate(&handle, bytes, &properties, 0) == MUSA_SUCCESS);
  REQUIRE(muMemAddressReserve(&address, bytes, 0, 0, 0) == MUSA_SUCCESS);
  REQUIRE(muMemMap(address, bytes, 0, handle, 0) == MUSA_SUCCESS);
  const MUmemAccessDesc access[] = {{{MU_MEM_LOCATION_TYPE_DEVICE, 0}, MU_MEM_ACCESS_FLAGS_PROT_READWRITE},
                                    {{MU_MEM_LOCATION_TYPE_DEVICE, 1}, MU_MEM_ACCESS_FLAGS_PROT_READWRITE}};
  REQUIRE(muMemSetAccess(address, bytes, access, 2) == MUSA_SUCCESS);
  int* data = reinterpret_cast<int*>(address);
  MUST(musaMemset(data, 0, bytes));
  run(data);
  MUST(musaDeviceSynchronize());
  MUST(musaSetDevice(1));
  run(data);
  MUST(musaDeviceSynchronize());
  return data;
}

void hostReadsMapped() { REQUIRE(*static_cast<volatile int*>(mapped()) == 0); }

void kernelsUseMapped() {
  int* data = mapped();
  REQUIRE(at(data, 7) == 2);
}

void systemCallWrites() {
  int* data = zeros();
  const int zero = open("/dev/zero", O_RDONLY);
  REQUIRE(read(zero, data, 64) == -1 && errno == EFAULT);
}

void peerWithoutAccess() {
  int* data = zeros();
  MUST(musaSetDevice(1));
  run(data);
  REQUIRE(musaDeviceSynchronize() == musaErrorIllegalAddress);
}

void peerWithAccess() {
  int* data = zeros();
  MUST(musaDeviceSynchronize());
  MUST(musaSetDevice(1));
  MUST(musaDeviceEnablePeerAccess(0, 0));
  run(data);
  MUST(musaDeviceSynchronize());
  REQUIRE(at(data, kCount - 1) == 1);
  MUST(musaDeviceDisablePeerAccess(0));
  run(data);
  REQUIRE(musaDeviceSynchronize() == musaErrorIllegalAddress);
}

void copiesNeedNoAccess() {
  int* here = zeros();
  run(here);
  MUST(musaDeviceSynchronize());
  MUST(musaSetDevice(1));
  int* there = zeros();
  MUST(musaMemcpyPeer(there, 1, here, 0, kCount * sizeof(int)));
  REQUIRE(at(there, 77) == 1);
  MUST(musaMemcpy(there, here, 4, musaMemcpyDefault));
  MUST(musaMemcpy2D(there, 64, here, 128, 32, 100, musaMemcpyDeviceToDevice));
}

void rightUseWorks() {
  const int count = 24 << 20;
  int *data = zeros(count), *managed = nullptr, *pinned = nullptr;
  MUST(musaMallocManaged(&managed, 4096));
  MUST(musaMallocHost(&pinned, 4096));
  managed[3] = pinned[3] = 4;
  std::vector<int> host(count, 3);
  MUST(musaMemcpy(data, host.data(), count * sizeof(int), musaMemcpyHostToDevice));
  for (int i = 0; i < 20; ++i) run(data, count);
  run(managed, 1024);
  run(pinned, 1024);
  MUST(musaMemcpy(host.data(), data, count * sizeof(int), musaMemcpyDeviceToHost));
  REQUIRE(host[0] == 23 && host[count - 1] == 23 && managed[3] == 5 && pinned[3] == 5);
  MUST(musaLaunchHostFunc(nullptr, [](void* memory) { static_cast<int*>(memory)[3] = 9; }, managed));
  REQUIRE(muStreamWriteValue32(nullptr, reinterpret_cast<MUdeviceptr>(data), 8, 0) == MUSA_SUCCESS);
  REQUIRE(muStreamWaitValue32(nullptr, reinterpret_cast<MUdeviceptr>(data), 8, MU_STREAM_WAIT_VALUE_EQ) ==
          MUSA_SUCCESS);
  REQUIRE(at(data, 0) == 8 && managed[3] == 9);
  MUST(musaMemset2D(data, 64, 1, 32, 1000));
  REQUIRE(at(data, 0) == 0x01010101);
  MUST(musaFree(data));
  MUST(musaFree(zeros(1000)));
}

struct Case {
  void (*function)();
  bool ends;  // by SIGSEGV
  const char* protect = "";
};

const std::map<std::string, Case> kCases = {
    {"host reads", {hostReads, true}},
    {"host writes", {hostWrites, true}},
    {"host reads, protected explicitly", {hostReads, true, "MUSASHIM_PROTECT=1"}},
    {"host reads, not protected", {hostReads, false, "MUSASHIM_PROTECT=0"}},
    {"new thread reads", {newThreadReads, true}},
    {"host function reads", {hostFunctionReads, true}},
    {"host reads memory of a pool", {hostReadsPool, true}},
    {"host reads mapped memory", {hostReadsMapped, true}},
    {"kernels use mapped memory", {kernelsUseMapped, false}},
    {"system call writes", {systemCallWrites, false}},
    {"peer without access", {peerWithoutAccess, false}},
    {"peer with access", {peerWithAccess, false}},
    {"copies need no access", {copiesNeedNoAccess, false}},
    {"right use works", {rightUseWorks, false}}};

// Whether it ended as it should.
bool runCase(const char* program, const std::string& name, const Case& one) {
  std::string protect = one.protect, text = name;
  std::vector<char*> environment;
  for (char** variable = environ; *variable; ++variable) {
    if (std::strncmp(*variable, "MUSASHIM_PROTECT=", 17) != 0) environment.push_back(*variable);
  }
  if (!protect.empty()) environment.push_back(protect.data());
  environment.push_back(nullptr);
  char* const arguments[] = {const_cast<char*>(program), text.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  REQUIRE(posix_spawn(&child, program, nullptr, nullptr, arguments, environment.data()) == 0);
  REQUIRE(waitpid(child, &status, 0) == child);
  const bool good = one.ends ? WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV : status == 0;
  std::printf("%-36s %s (status %#x)\n", name.c_str(), good ? "good" : "WRONG", status);
  std::fflush(stdout);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) {
    kCases.at(argv[1]).function();
    return 0;
  }
  const int key = pkey_alloc(0, 0);
  if (key < 0) {
    std::puts("skipped: this machine has no memory protection keys");
    return 77;
  }
  pkey_free(key);
  int wrong = 0;
  for (const auto& [name, one] : kCases) wrong += runCase(argv[0], name, one) ? 0 : 1;
  return wrong == 0 ? 0 : 1;
}
