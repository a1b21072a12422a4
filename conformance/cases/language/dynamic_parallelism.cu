// Kernels that launch kernels: what children see, in which order they run, what their launches return.
// options: rdc
#include "../../framework/buffers.h"

CONFORMANCE_CASE("language.dynamic_parallelism");

__device__ int events[64];
__device__ int eventCount;
__device__ int errors[16];

__device__ void note(int event) { events[atomicAdd(&eventCount, 1)] = event; }

__global__ void clear() {
  eventCount = 0;
  for (int& event : events) event = 0;
  for (int& error : errors) error = -1;
}

__global__ void event(int number) { note(number); }

__global__ void eventAndChild(int number) {
  note(number);
  event<<<1, 1>>>(number + 1);
}

// Children of one block and stream come one after the other, behind each its own children; what is
// launched into the tail comes when all of that is done.
__global__ void order() {
  event<<<1, 1, 0, cudaStreamTailLaunch>>>(9);
  eventAndChild<<<1, 1>>>(1);
  event<<<1, 1, 0, cudaStreamTailLaunch>>>(10);
}

struct Packet {
  double values[5];
  char tag;
  short code;
};

__device__ long long total;

__global__ void take(char first, Packet packet, bool flag, const int* pointer, double factor, short last) {
  const double sum = first + packet.values[4] + packet.tag + packet.code + flag + *pointer + factor + last;
  atomicAdd(reinterpret_cast<unsigned long long*>(&total), static_cast<unsigned long long>(sum));
}

__device__ int seven = 7;

// Parameters are taken when the launch is, not when the child runs.
__global__ void parameters() {
  Packet packet{{0, 0, 0, 0, static_cast<double>(threadIdx.x)}, 1, 20};
  take<<<dim3(2, 2), dim3(1, 1, 3)>>>(1, packet, true, &seven, 0.5, -2);
  packet.values[4] = 1e6;
}

// A child sees what its launching thread wrote before.
__global__ void child(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] * 2 + 1; }
__global__ void parent(int* data, int* out) {
  for (int i = 0; i < 64; ++i) data[i] = i * i;
  child<<<1, 64>>>(data, out);
}

__global__ void dynamicShared(int* out, int count) {
  extern __shared__ int words[];
  words[threadIdx.x] = static_cast<int>(threadIdx.x) * 3;
  __syncthreads();
  out[threadIdx.x] = words[count - 1 - static_cast<int>(threadIdx.x)];
}
__global__ void launchesDynamicShared(int* out) { dynamicShared<<<1, 48, 48 * sizeof(int)>>>(out, 48); }

__global__ void wrongLaunches() {
  event<<<1, 2048>>>(50);
  errors[0] = cudaPeekAtLastError();
  errors[1] = cudaGetLastError();
  errors[2] = cudaGetLastError();
  event<<<dim3(1, 0), 1>>>(51);
  errors[3] = cudaGetLastError() != cudaSuccess;
  event<<<1, 1, 1 << 20>>>(52);
  errors[4] = cudaGetLastError() != cudaSuccess;
  event<<<1, 1>>>(53);
  errors[5] = cudaGetLastError();
}

__device__ int leaves;
__global__ void tree(int depth) {
  if (depth == 0) {
    atomicAdd(&leaves, 1);
    return;
  }
  tree<<<1, 2>>>(depth - 1);
}

// Quick sort of a kind: each launch sorts the halves by further ones.
__global__ void sortRange(int* values, int count) {
  if (count < 2) return;
  const int pivot = values[count - 1];
  int at = 0;
  for (int i = 0; i < count - 1; ++i) {
    if (values[i] < pivot) {
      const int kept = values[at];
      values[at++] = values[i];
      values[i] = kept;
    }
  }
  values[count - 1] = values[at];
  values[at] = pivot;
  if (at > 1) sortRange<<<1, 1>>>(values, at);
  if (count - at - 1 > 1) sortRange<<<1, 1>>>(values + at + 1, count - at - 1);
}

// Streams and events that a kernel makes for its children.
__global__ void streams(int* out) {
  cudaStream_t stream;
  cudaEvent_t done;
  out[0] = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  out[1] = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  event<<<1, 1, 0, stream>>>(1);
  out[2] = cudaEventRecord(done, stream);
  out[3] = cudaStreamWaitEvent(0, done, 0);
  event<<<1, 1>>>(2);
  out[4] = cudaEventDestroy(done);
  out[5] = cudaStreamDestroy(stream);
  int* memory = nullptr;
  out[6] = cudaMalloc(reinterpret_cast<void**>(&memory), 64);
  out[7] = memory != nullptr;
  out[8] = cudaFree(memory);
}

static std::vector<int> eventsSeen() {
  int seen[64], count = 0;
  SETUP(cudaMemcpyFromSymbol(seen, events, sizeof seen));
  SETUP(cudaMemcpyFromSymbol(&count, eventCount, sizeof count));
  return {seen, seen + count};
}

static void run(const char* key, void (*kernel)(), int threads = 1) {
  clear<<<1, 1>>>();
  kernel<<<1, threads>>>();
  OBSERVE(std::string(key) + "_synchronize", cudaDeviceSynchronize());
  OBSERVE(std::string(key) + "_events", joined(eventsSeen()));
}

int main() {
  run("order", order);
  run("parameters", parameters, 4);
  long long sum = 0;
  SETUP(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
  OBSERVE("parameters", sum);

  DeviceArray<int> data(64), out(64);
  parent<<<1, 1>>>(data.data(), out.data());
  OBSERVE("memory", joined(out.read()));
  DeviceArray<int> reversed(48);
  launchesDynamicShared<<<1, 1>>>(reversed.data());
  OBSERVE("dynamic_shared", joined(reversed.read()));

  run("wrong_launches", wrongLaunches);
  int seen[16];
  SETUP(cudaMemcpyFromSymbol(seen, errors, sizeof seen));
  OBSERVE("errors_in_the_parent", joined(std::vector<int>(seen, seen + 6)));

  tree<<<1, 2>>>(5);
  OBSERVE("tree", cudaDeviceSynchronize());
  int count = 0;
  SETUP(cudaMemcpyFromSymbol(&count, leaves, sizeof count));
  OBSERVE("leaves", count);

  std::vector<int> values(39);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i * 31 % 39);
  DeviceArray<int> sorted(values);
  sortRange<<<1, 1>>>(sorted.data(), 39);
  OBSERVE("sorted", joined(sorted.read()));

  clear<<<1, 1>>>();
  DeviceArray<int> facts(9);
  streams<<<1, 1>>>(facts.data());
  OBSERVE("streams_and_events", joined(facts.read()));
  OBSERVE("stream_events", joined(eventsSeen()));
}
