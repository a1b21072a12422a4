// musaInfo: what the runtime tells of each device, in the vendor's words and order.
#include <musa_runtime.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace {

void line(const char* name, const std::string& value) {
  std::printf("%-34s%s\n", (std::string(name) + ":").c_str(), value.c_str());
}
void line(const char* name, long long value) { line(name, std::to_string(value)); }

std::string fixed(double value, const char* unit) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f %s", value, unit);
  return text;
}
std::string gibibytes(size_t bytes) {
  return fixed(static_cast<double>(bytes) / (1024.0 * 1024 * 1024), "GB");
}
std::string kibibytes(size_t bytes) { return fixed(static_cast<double>(bytes) / 1024, "KB"); }
std::string megahertz(int kHz) { return std::to_string(kHz / 1000) + " Mhz"; }
std::string hex(int value) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", static_cast<unsigned int>(value));
  return text;
}
std::string version(int number) {
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100);
}

bool failed(musaError_t error, const char* what) {
  if (error == musaSuccess) return false;
  std::fprintf(stderr, "musaInfo: %s: %s\n", what, musaGetErrorString(error));
  return true;
}

void showVersions() {
  int driver = 0, runtime = 0;
  if (!failed(musaDriverGetVersion(&driver), "musaDriverGetVersion")) line("Driver Version", version(driver));
  if (!failed(musaRuntimeGetVersion(&runtime), "musaRuntimeGetVersion"))
    line("Runtime Version", version(runtime));
}

void showProperties(const musaDeviceProp& of) {
  line("compute capability", std::to_string(of.major) + "." + std::to_string(of.minor));
  line("pciBusID", hex(of.pciBusID));
  line("pciDeviceID", hex(of.pciDeviceID));
  line("pciDomainID", hex(of.pciDomainID));
  line("multiProcessorCount", of.multiProcessorCount);
  line("maxThreadsPerMultiProcessor", of.maxThreadsPerMultiProcessor);
  line("isMultiGpuBoard", of.isMultiGpuBoard);
  line("clockRate", megahertz(of.clockRate));
  line("memoryClockRate", megahertz(of.memoryClockRate));
  line("memoryBusWidth", of.memoryBusWidth);
  line("totalGlobalMem", gibibytes(of.totalGlobalMem));
  line("sharedMemPerMultiprocessor", kibibytes(of.sharedMemPerMultiprocessor));
  line("totalConstMem", static_cast<long long>(of.totalConstMem));
  line("sharedMemPerBlock", kibibytes(of.sharedMemPerBlock));
  line("canMapHostMemory", of.canMapHostMemory);
  line("regsPerBlock", of.regsPerBlock);
  line("warpSize", of.warpSize);
  line("l2CacheSize", of.l2CacheSize);
  line("computeMode", of.computeMode);
  line("maxThreadsPerBlock", of.maxThreadsPerBlock);
  const char* const axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) line((std::string("maxThreadsDim.") + axes[i]).c_str(), of.maxThreadsDim[i]);
  for (int i = 0; i < 3; ++i) line((std::string("maxGridSize.") + axes[i]).c_str(), of.maxGridSize[i]);
  line("concurrentKernels", of.concurrentKernels);
  line("cooperativeLaunch", of.cooperativeLaunch);
  line("cooperativeMultiDeviceLaunch", of.cooperativeMultiDeviceLaunch);
  line("isIntegrated", of.integrated);
  line("maxTexture1D", of.maxTexture1D);
  line("maxTexture2D.width", of.maxTexture2D[0]);
  line("maxTexture2D.height", of.maxTexture2D[1]);
  line("maxTexture3D.width", of.maxTexture3D[0]);
  line("maxTexture3D.height", of.maxTexture3D[1]);
  line("maxTexture3D.depth", of.maxTexture3D[2]);
}

// A device is no peer of itself.
bool showPeers(int device, int count) {
  std::string peers, others;
  for (int other = 0; other < count; ++other) {
    int can = 0;
    if (failed(musaDeviceCanAccessPeer(&can, device, other), "musaDeviceCanAccessPeer")) return false;
    (can ? peers : others) += "device#" + std::to_string(other) + " ";
  }
  line("peers", peers);
  line("non-peers", others);
  return true;
}

bool showMemory(int device) {
  size_t free = 0, total = 0;
  if (failed(musaSetDevice(device), "musaSetDevice") ||
      failed(musaMemGetInfo(&free, &total), "musaMemGetInfo"))
    return false;
  line("memInfo.total", gibibytes(total));
  line("memInfo.free", gibibytes(free) + " (" + std::to_string(total ? free * 100 / total : 0) + "%)");
  return true;
}

bool showDevice(int device, int count) {
  musaDeviceProp properties;
  if (failed(musaGetDeviceProperties(&properties, device), "musaGetDeviceProperties")) return false;
  std::printf("%s\n", std::string(80, '-').c_str());
  std::printf("%-34s%d\n", "device#", device);
  line("Name", properties.name);
  showVersions();
  showProperties(properties);
  return showPeers(device, count) && showMemory(device);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    std::puts("musaInfo: what the runtime tells of each device; takes no arguments");
    return std::strcmp(argv[1], "--help") == 0 ? 0 : 2;
  }
  std::printf("compiler: mcc\n");
  int count = 0;
  if (failed(musaGetDeviceCount(&count), "musaGetDeviceCount")) return 1;
  for (int device = 0; device < count; ++device) {
    if (!showDevice(device, count)) return 1;
    std::printf("\n");
  }
  return 0;
}
