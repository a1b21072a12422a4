#include "support.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "abi/offload_bundle.h"

extern "C" {
void** __musaRegisterFatBinary(const void* wrapper);
void __musaUnregisterFatBinary(void** handle);
void __musaRegisterFunction(void** handle, const void* hostFunction, char* deviceName, const char* name,
                            int threadLimit, void* tid, void* bid, void* blockDim, void* gridDim, int* wSize);
void __musaRegisterVar(void** handle, void* hostVar, char* deviceName, const char* name, int ext, size_t size,
                       int constant, int global);
void __musaRegisterManagedVar(void** handle, void** pointer, void* initValue, const char* name, size_t size,
                              unsigned align);
}

namespace musashim::test {
namespace {

void registerKernel(void** handle, const char& host, const char* name) {
  __musaRegisterFunction(handle, &host, const_cast<char*>(name), name, -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
}

// Before main. The programs stay registered: kernels may run until the very end.
void registerPrograms() {
  setenv("MUSASHIM_DEVICES", std::to_string(kDevices).c_str(), 1);
  setenv("MUSASHIM_ARCH", "mp_31", 1);
  static auto* const program = new RegisteredBinary({220, 310});
  void** handle = program->handle();
  registerKernel(handle, kernels.empty, "empty");
  registerKernel(handle, kernels.bounded, "bounded");
  registerKernel(handle, kernels.print, "print");
  registerKernel(handle, kernels.fill, "fill");
  registerKernel(handle, kernels.addOne, "addOne");
  registerKernel(handle, kernels.spin, "spin");
  registerKernel(handle, kernels.copyVariables, "copyVariables");
  registerKernel(handle, kernels.mixed, "mixed");
  registerKernel(handle, kernels.fault, "fault");
  registerKernel(handle, kernels.shared, "shared");
  registerKernel(handle, kernels.missing, "missing");
  static int managedInitial = 40;
  __musaRegisterVar(handle, &variables.counter, nullptr, "counter", 0, sizeof(int), 0, 0);
  __musaRegisterVar(handle, variables.table, nullptr, "table", 0, sizeof variables.table, 1, 0);
  __musaRegisterManagedVar(handle, reinterpret_cast<void**>(&variables.managedCounter), &managedInitial,
                           "managedCounter", sizeof(int), 4);
  static auto* const other = new RegisteredBinary({220});
  registerKernel(other->handle(), kernels.otherArch, "empty");
}

}  // namespace

Kernels kernels;
Variables variables;

std::vector<std::byte> testImage(unsigned arch) {
  std::ifstream file(arch == 220 ? TEST_IMAGE_220 : TEST_IMAGE_310, std::ios::binary);
  std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

std::vector<std::byte> testBundle(const std::vector<unsigned>& arches) {
  std::vector<std::vector<std::byte>> images;
  std::vector<abi::BundleEntry> entries;
  for (unsigned arch : arches) images.push_back(testImage(arch));
  for (size_t i = 0; i < arches.size(); ++i) entries.push_back({abi::bundleId(arches[i]), images[i]});
  return abi::writeBundle(entries);
}

RegisteredBinary::RegisteredBinary(const std::vector<unsigned>& arches)
    : bundle_(testBundle(arches)),
      wrapper_{0x48495046, 1, bundle_.data(), nullptr},
      handle_(__musaRegisterFatBinary(&wrapper_)) {}

RegisteredBinary::~RegisteredBinary() { __musaUnregisterFatBinary(handle_); }

[[maybe_unused]] static const bool registered = (registerPrograms(), true);

void RuntimeTest::SetUp() {
  ASSERT_MUSA(musaSuccess, musaSetDevice(0));
  (void)musaGetLastError();
}

void RuntimeTest::TearDown() {
  for (int device = 0; device < kDevices; ++device) {
    ASSERT_MUSA(musaSuccess, musaSetDevice(device));
    if (musaDeviceSynchronize() != musaSuccess) ASSERT_MUSA(musaSuccess, musaDeviceReset());
  }
  (void)musaGetLastError();
}

SpinFlag::SpinFlag() {
  EXPECT_MUSA(musaSuccess,
              ::musaHostAlloc(reinterpret_cast<void**>(&flag_), sizeof *flag_, musaHostAllocPortable));
  *flag_ = 0;
}

SpinFlag::~SpinFlag() {
  raise();
  (void)musaFreeHost(flag_);
}

void SpinFlag::raise() { __atomic_store_n(flag_, 1, __ATOMIC_RELEASE); }

musaError_t SpinFlag::startOn(musaStream_t stream) { return launch(kernels.spin, 1, 1, 0, stream, flag_); }

}  // namespace musashim::test
