// One thread exits while others use their devices: nobody crashes, hangs or gets an error until the process
// is gone.
//
//   exit_states --runs 1000 [--seed 1]
//
// Each run is a process of its own: one to eight threads in random states, and an exit() or an end of main()
// at a random moment, or at once. It must end with its status and say nothing.
#include <mccl.h>
#include <mublas.h>
#include <mufft.h>
#include <musa.h>
#include <musa_runtime.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kStatus = 3, kThreads = 8, kCount = 1 << 16;

void must(bool isRight, const char* what, const char* said) {
  if (!isRight) std::fprintf(stderr, "%s: %s\n", what, said);
}

#define MUST(call)                                                \
  do {                                                            \
    const musaError_t status = (call);                            \
    must(status == musaSuccess, #call, musaGetErrorName(status)); \
  } while (0)
#define MUST_MU(call) must((call) == MUSA_SUCCESS, #call, "failed")
#define MUST_MCCL(call) must((call) == mcclSuccess, #call, "failed")

__device__ int counter;
__managed__ int shared;

__global__ void add(int* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] += 1;
}
template <int kBy>
__global__ void addShared(int* values) {
  __shared__ int tile[64];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = tile[63 - threadIdx.x] + kBy;
}
__global__ void count() { atomicAdd(&counter, 1); }
__global__ void print() { printf("."); }

// What a thread has on the first of its two devices: each thread has its own, for a device that captures
// refuses much.
struct Room {
  explicit Room(int index) : device(index) {
    MUST(musaSetDevice(device));
    MUST(musaMalloc(&values, kCount * sizeof(int)));
    MUST(musaStreamCreate(&stream));
  }
  int device;
  int* values = nullptr;
  musaStream_t stream = nullptr;
};

void launching(Room& room) {
  MUST(musaStreamSynchronize(room.stream));  // else a thread may submit more and more
  for (int i = 0; i < 20; ++i) add<<<kCount / 256, 256, 0, room.stream>>>(room.values, kCount);
  addShared<1><<<1, 64, 0, room.stream>>>(room.values);
  count<<<1, 1>>>();
  MUST(musaGetLastError());
}
void copying(Room& room) {
  std::vector<int> host(kCount);
  MUST(musaMemcpy(host.data(), room.values, kCount * sizeof(int), musaMemcpyDeviceToHost));
  MUST(musaMemcpyAsync(room.values, host.data(), kCount * sizeof(int), musaMemcpyHostToDevice, room.stream));
  MUST(musaMemsetAsync(room.values, 0, kCount * sizeof(int), room.stream));
  int value = 0;
  MUST(musaMemcpyToSymbol(counter, &value, sizeof value));
  MUST(musaMemcpyFromSymbol(&value, shared, sizeof value));
  MUST(musaStreamSynchronize(room.stream));
}
void synchronizing(Room& room) {
  addShared<2><<<1, 64, 0, room.stream>>>(room.values);
  MUST(musaStreamSynchronize(room.stream));
  add<<<kCount / 256, 256>>>(room.values, kCount);
  MUST(musaDeviceSynchronize());
}
void making(Room& room) {
  musaStream_t stream = nullptr;
  musaEvent_t event = nullptr;
  MUST(musaStreamCreateWithFlags(&stream, musaStreamNonBlocking));
  MUST(musaEventCreate(&event));
  addShared<3><<<1, 64, 0, stream>>>(room.values);
  MUST(musaEventRecord(event, stream));
  MUST(musaStreamWaitEvent(room.stream, event, 0));
  MUST(musaEventSynchronize(event));
  MUST(musaEventDestroy(event));
  MUST(musaStreamDestroy(stream));
}
void inGraphs(Room& room) {
  musaGraph_t graph = nullptr;
  musaGraphExec_t exec = nullptr;
  MUST(musaStreamBeginCapture(room.stream, musaStreamCaptureModeThreadLocal));
  add<<<4, 64, 0, room.stream>>>(room.values, 256);
  MUST(musaMemsetAsync(room.values, 0, 1024, room.stream));
  MUST(musaStreamEndCapture(room.stream, &graph));
  MUST(musaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 5; ++i) MUST(musaGraphLaunch(exec, room.stream));
  MUST(musaStreamSynchronize(room.stream));
  MUST(musaGraphExecDestroy(exec));
  MUST(musaGraphDestroy(graph));
}
void allocating(Room& room) {
  void *device = nullptr, *host = nullptr, *managed = nullptr, *pooled = nullptr;
  MUST(musaMalloc(&device, 3 << 20));
  MUST(musaMallocHost(&host, 1 << 16));
  MUST(musaMallocManaged(&managed, 1 << 16));
  MUST(musaMallocAsync(&pooled, 1 << 16, room.stream));
  MUST(musaMemcpyAsync(device, host, 1 << 16, musaMemcpyHostToDevice, room.stream));
  MUST(musaFreeAsync(pooled, room.stream));
  MUST(musaFree(managed));
  MUST(musaFreeHost(host));
  MUST(musaFree(device));
}
// A new context loads the modules anew.
void loading(Room& room) {
  MUcontext context = nullptr;
  MUST_MU(muCtxCreate(&context, 0, room.device));
  int* values = nullptr;
  MUST(musaMalloc(&values, 64 * sizeof(int)));
  addShared<4><<<1, 64>>>(values);
  MUST(musaGetLastError());
  MUST(musaDeviceSynchronize());
  MUST_MU(muCtxDestroy(context));
  MUST(musaSetDevice(room.device));
}
void calling(Room& room) {
  MUST(musaLaunchHostFunc(room.stream, [](void*) { std::this_thread::yield(); }, nullptr));
  print<<<1, 1, 0, room.stream>>>();
  MUST(musaStreamSynchronize(room.stream));
}
void beginning(Room& room) {
  std::thread([&room] {
    MUST(musaSetDevice(room.device));
    add<<<1, 64>>>(room.values, 64);
    MUST(musaStreamSynchronize(nullptr));
  }).join();
}
void reducing(Room& room) {
  const int devices[] = {room.device, room.device + 1};
  mcclComm_t comms[2];
  int* values[2];
  MUST_MCCL(mcclCommInitAll(comms, 2, devices));
  for (int i = 0; i < 2; ++i) {
    MUST(musaSetDevice(devices[i]));
    MUST(musaMalloc(&values[i], kCount * sizeof(int)));
  }
  for (int round = 0; round < 5; ++round) {
    MUST_MCCL(mcclGroupStart());
    for (int i = 0; i < 2; ++i)
      MUST_MCCL(mcclAllReduce(values[i], values[i], kCount, mcclInt, mcclSum, comms[i], nullptr));
    MUST_MCCL(mcclGroupEnd());
  }
  for (int i = 0; i < 2; ++i) {
    MUST(musaSetDevice(devices[i]));
    MUST(musaDeviceSynchronize());
    MUST(musaFree(values[i]));
    MUST_MCCL(mcclCommDestroy(comms[i]));
  }
  MUST(musaSetDevice(room.device));
}
// The libraries' own threads go on as well, and what they are linked with.
void multiplying(Room& room) {
  constexpr int n = 96;
  double* const values = reinterpret_cast<double*>(room.values);
  const double one = 1, zero = 0;
  mublasHandle_t handle = nullptr;
  must(mublasCreate(&handle) == MUBLAS_STATUS_SUCCESS, "mublasCreate", "failed");
  must(mublasSetStream(handle, room.stream) == MUBLAS_STATUS_SUCCESS, "mublasSetStream", "failed");
  for (int i = 0; i < 5; ++i)
    must(mublasDgemm(handle, MUBLAS_OP_N, MUBLAS_OP_N, n, n, n, &one, values, n, values + n * n, n, &zero,
                     values + 2 * n * n, n) == MUBLAS_STATUS_SUCCESS,
         "mublasDgemm", "failed");
  MUST(musaStreamSynchronize(room.stream));
  must(mublasDestroy(handle) == MUBLAS_STATUS_SUCCESS, "mublasDestroy", "failed");
}
void transforming(Room& room) {
  auto* const values = reinterpret_cast<mufftComplex*>(room.values);
  for (const int n : {60, 81, 128, 300, 1000}) {
    mufftHandle plan = 0;
    must(mufftPlan1d(&plan, n, MUFFT_C2C, kCount / 2 / n) == MUFFT_SUCCESS, "mufftPlan1d", "failed");
    must(mufftSetStream(plan, room.stream) == MUFFT_SUCCESS, "mufftSetStream", "failed");
    must(mufftExecC2C(plan, values, values, MUFFT_FORWARD) == MUFFT_SUCCESS, "mufftExecC2C", "failed");
    must(mufftDestroy(plan) == MUFFT_SUCCESS, "mufftDestroy", "failed");
  }
  MUST(musaStreamSynchronize(room.stream));
}

constexpr void (*kStates[])(Room&) = {launching, copying, synchronizing, making,   inGraphs,    allocating,
                                      loading,   calling, beginning,     reducing, multiplying, transforming};

// Destroyed with memory of the last device, while the others go on.
struct AtFileScope {
  ~AtFileScope() {
    if (values == nullptr) return;
    MUST(musaSetDevice(2 * kThreads));
    addShared<5><<<1, 64>>>(values);
    MUST(musaDeviceSynchronize());
    MUST(musaFree(values));
  }
  int* values = nullptr;
} atFileScope;

int child(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  const int threads = 1 + below(kThreads), leaver = below(4) == 0 ? below(threads) : -1, rounds = below(4);
  const auto delay = std::chrono::microseconds(below(3) == 0 ? 0 : below(20000));
  if (below(2) == 0) {
    MUST(musaSetDevice(2 * kThreads));
    MUST(musaMalloc(&atFileScope.values, 64 * sizeof(int)));
  }
  for (int i = 0; i < threads; ++i) {
    std::thread([state = kStates[below(std::size(kStates))], i, leaver, rounds] {
      Room room(2 * i);
      for (int round = 0;; ++round) {
        if (i == leaver && round == rounds) exit(kStatus);
        state(room);
      }
    }).detach();
  }
  if (leaver >= 0) std::this_thread::sleep_for(std::chrono::hours(1));
  std::this_thread::sleep_for(delay);
  return kStatus;
}

// What the child says on stderr; it gets half a minute.
std::string run(unsigned seed, int& status) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDERR_FILENO);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
    close(ends[0]), close(ends[1]);
    const std::string text = std::to_string(seed);
    execl("/proc/self/exe", "exit_states", "--child", text.c_str(), nullptr);
    _exit(1);
  }
  close(ends[1]);
  std::string said;
  char part[512];
  pollfd ready{ends[0], POLLIN, 0};
  for (;;) {
    if (poll(&ready, 1, 30000) <= 0) {
      said += "hangs; ";
      kill(pid, SIGKILL);
    }
    const ssize_t bytes = read(ends[0], part, sizeof part);
    if (bytes <= 0) break;
    said.append(part, static_cast<size_t>(bytes));
  }
  close(ends[0]);
  waitpid(pid, &status, 0);
  return said;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned runs = 40, seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const auto value = static_cast<unsigned>(std::atoi(argv[i + 1]));
    if (std::strcmp(argv[i], "--child") == 0) return child(value);
    (std::strcmp(argv[i], "--runs") == 0 ? runs : seed) = value;
  }
  unsigned failures = 0;
  for (unsigned i = 0; i < runs; ++i) {
    int status = 0;
    const std::string said = run(seed + i, status);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kStatus && said.empty()) continue;
    ++failures;
    std::printf("seed %u: status %#x, says: %.600s\n", seed + i, static_cast<unsigned>(status), said.c_str());
  }
  std::printf("%u runs, %u failures\n", runs, failures);
  return failures != 0;
}
