// p2pBandwidthLatency: what copies between devices achieve. For every pair, with
// peer access off and on: one-way and both-ways bandwidth, and the latency of
// small copies; the diagonal copies inside one device. Every copy's result is
// checked. Times come from events around the copies, after a warm-up; the best of
// several samples is shown.
#include <stdint.h>

#include <algorithm>
#include <vector>

#include "../common/check.h"
#include "../common/devices.h"
#include "../common/options.h"

struct Settings {
  int devices;
  size_t bytes;
  int repeats;  // copies in one sample
  int samples;
};

// One device's buffers, stream and events.
struct Endpoint {
  char* send = nullptr;
  char* receive = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
};

typedef std::vector<std::vector<double>> Matrix;

static Matrix emptyMatrix(int devices) {
  return Matrix(static_cast<size_t>(devices), std::vector<double>(static_cast<size_t>(devices), 0.0));
}

static void printMatrix(const char* title, const Matrix& matrix, const char* format) {
  printf("\n%s\n   D\\D", title);
  for (size_t i = 0; i < matrix.size(); ++i) printf(" %7zu", i);
  printf("\n");
  for (size_t row = 0; row < matrix.size(); ++row) {
    printf("%6zu", row);
    for (const double value : matrix[row]) printf(format, value);
    printf("\n");
  }
}

static bool canAccess(int device, int peer) {
  if (device == peer) return false;
  int can = 0;
  CHECK(cudaDeviceCanAccessPeer(&can, device, peer));
  return can != 0;
}

// Turns access on or off between all pairs that have it.
static void setPeerAccess(int devices, bool on) {
  for (int device = 0; device < devices; ++device) {
    CHECK(cudaSetDevice(device));
    for (int peer = 0; peer < devices; ++peer) {
      if (!canAccess(device, peer)) continue;
      CHECK(on ? cudaDeviceEnablePeerAccess(peer, 0) : cudaDeviceDisablePeerAccess(peer));
    }
  }
}

static std::vector<Endpoint> makeEndpoints(const Settings& settings) {
  std::vector<Endpoint> ends(static_cast<size_t>(settings.devices));
  std::vector<char> pattern(settings.bytes);
  for (int device = 0; device < settings.devices; ++device) {
    Endpoint& end = ends[static_cast<size_t>(device)];
    CHECK(cudaSetDevice(device));
    CHECK(cudaMalloc(&end.send, settings.bytes));
    CHECK(cudaMalloc(&end.receive, settings.bytes));
    for (size_t i = 0; i < settings.bytes; ++i)
      pattern[i] = static_cast<char>(i * 13 + static_cast<size_t>(device) * 101);
    CHECK(cudaMemcpy(end.send, pattern.data(), settings.bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(end.receive, 0, settings.bytes));
    CHECK(cudaStreamCreateWithFlags(&end.stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&end.start));
    CHECK(cudaEventCreate(&end.stop));
    CHECK(cudaDeviceSynchronize());
  }
  return ends;
}

static void freeEndpoints(std::vector<Endpoint>& ends) {
  for (size_t device = 0; device < ends.size(); ++device) {
    CHECK(cudaSetDevice(static_cast<int>(device)));
    CHECK(cudaFree(ends[device].send));
    CHECK(cudaFree(ends[device].receive));
    CHECK(cudaStreamDestroy(ends[device].stream));
    CHECK(cudaEventDestroy(ends[device].start));
    CHECK(cudaEventDestroy(ends[device].stop));
  }
}

// `repeats` copies from `from` to `to`, in the sender's stream.
static void enqueue(const std::vector<Endpoint>& ends, int from, int to, size_t bytes, int repeats) {
  const Endpoint& sender = ends[static_cast<size_t>(from)];
  const Endpoint& receiver = ends[static_cast<size_t>(to)];
  CHECK(cudaSetDevice(from));
  CHECK(cudaEventRecord(sender.start, sender.stream));
  for (int i = 0; i < repeats; ++i) {
    CHECK(cudaMemcpyPeerAsync(receiver.receive, to, sender.send, from, bytes, sender.stream));
  }
  CHECK(cudaEventRecord(sender.stop, sender.stream));
}

static double secondsOf(const Endpoint& end) {
  CHECK(cudaEventSynchronize(end.stop));
  float milliseconds = 0.0f;
  CHECK(cudaEventElapsedTime(&milliseconds, end.start, end.stop));
  return milliseconds / 1e3;
}

// Seconds for one copy, the best sample; both ways at a time if `both`.
static double copySeconds(const std::vector<Endpoint>& ends, const Settings& settings, int from, int to,
                          size_t bytes, bool both) {
  double best = 0.0;
  for (int sample = 0; sample <= settings.samples; ++sample) {
    enqueue(ends, from, to, bytes, settings.repeats);
    if (both && from != to) enqueue(ends, to, from, bytes, settings.repeats);
    double seconds = secondsOf(ends[static_cast<size_t>(from)]);
    if (both && from != to) seconds = std::max(seconds, secondsOf(ends[static_cast<size_t>(to)]));
    if (sample == 0) continue;  // warm-up
    if (sample == 1 || seconds < best) best = seconds;
  }
  return best / settings.repeats;
}

// Compares the receiver's memory with what `from` sends; counts wrong bytes.
static size_t wrongBytes(const std::vector<Endpoint>& ends, int from, int to, size_t bytes) {
  std::vector<char> got(bytes);
  CHECK(cudaSetDevice(to));
  CHECK(cudaMemcpy(got.data(), ends[static_cast<size_t>(to)].receive, bytes, cudaMemcpyDeviceToHost));
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; ++i)
    wrong += got[i] != static_cast<char>(i * 13 + static_cast<size_t>(from) * 101) ? 1 : 0;
  CHECK(cudaMemset(ends[static_cast<size_t>(to)].receive, 0, bytes));
  CHECK(cudaDeviceSynchronize());
  return wrong;
}

// All three tables with access as it is; returns the number of wrong bytes.
static size_t measure(const std::vector<Endpoint>& ends, const Settings& settings, const char* access) {
  Matrix oneWay = emptyMatrix(settings.devices);
  Matrix bothWays = emptyMatrix(settings.devices);
  Matrix latency = emptyMatrix(settings.devices);
  size_t wrong = 0;
  for (int from = 0; from < settings.devices; ++from) {
    for (int to = 0; to < settings.devices; ++to) {
      const size_t row = static_cast<size_t>(from);
      const size_t column = static_cast<size_t>(to);
      const double bytes = static_cast<double>(settings.bytes);
      // A copy inside a device reads and writes the same memory: it counts twice.
      const double factor = from == to ? 2.0 : 1.0;
      oneWay[row][column] =
          factor * bytes / copySeconds(ends, settings, from, to, settings.bytes, false) / 1e9;
      wrong += wrongBytes(ends, from, to, settings.bytes);
      bothWays[row][column] = 2.0 * bytes / copySeconds(ends, settings, from, to, settings.bytes, true) / 1e9;
      wrong += wrongBytes(ends, from, to, settings.bytes);
      latency[row][column] = copySeconds(ends, settings, from, to, 4, false) * 1e6;
      wrong += wrongBytes(ends, from, to, 4);
    }
  }
  char title[128];
  snprintf(title, sizeof title, "Unidirectional bandwidth, peer access %s (GB/s)", access);
  printMatrix(title, oneWay, " %7.2f");
  snprintf(title, sizeof title, "Bidirectional bandwidth, peer access %s (GB/s)", access);
  printMatrix(title, bothWays, " %7.2f");
  snprintf(title, sizeof title, "Latency of a 4-byte copy, peer access %s (us)", access);
  printMatrix(title, latency, " %7.2f");
  return wrong;
}

int main(int argc, char** argv) {
  Options options(argc, argv,
                  "Bandwidth and latency of copies between devices, with peer access off and on.");
  Settings settings;
  settings.devices = devicesToUse(options.size("--devices", 0, "devices to use, 0 for all", 0));
  settings.bytes = static_cast<size_t>(options.size("--size", 4 << 20, "bytes of a copy (K, M, G)", 4));
  settings.repeats = static_cast<int>(options.size("--repeats", 5, "copies in a sample"));
  settings.samples = static_cast<int>(options.size("--samples", 3, "samples; the best counts"));
  options.finish();
  for (int device = 0; device < settings.devices; ++device) printDevice(device);

  Matrix access = emptyMatrix(settings.devices);
  for (int device = 0; device < settings.devices; ++device) {
    for (int peer = 0; peer < settings.devices; ++peer) {
      access[static_cast<size_t>(device)][static_cast<size_t>(peer)] =
          device == peer || canAccess(device, peer) ? 1 : 0;
    }
  }
  printMatrix("Peer access possible", access, " %7.0f");
  printf("\nCopies of %zu bytes, %d in a sample, best of %d samples\n", settings.bytes, settings.repeats,
         settings.samples);

  std::vector<Endpoint> ends = makeEndpoints(settings);
  size_t wrong = measure(ends, settings, "off");
  setPeerAccess(settings.devices, true);
  wrong += measure(ends, settings, "on");
  setPeerAccess(settings.devices, false);
  freeEndpoints(ends);
  printf("\nWrong bytes: %zu\n", wrong);
  return verdict(wrong == 0);
}
