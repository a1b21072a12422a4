// Device code as mcc would emit it, by hand (backends/abi/musa_device_abi.h).
#include <cstddef>

#include "abi/musa_device_abi.h"
#include "test_params.h"

using namespace musashim::test;

namespace {

int counter = 5;                // a __device__ variable
int table[4] = {1, 2, 3, 4};    // a __constant__ one
int* managedCounter = nullptr;  // a __managed__ one: a pointer to the shared storage
alignas(8) char reference[128];  // room for a texture reference

template <typename T>
const T& params(const MusaBlockContext* block) {
  return *static_cast<const T*>(block->params);
}

void empty(const MusaBlockContext*) {}

void fill(const MusaBlockContext* block) {
  const auto& p = params<FillParams>(block);
  uint32_t threads = block->block_dim.x * block->block_dim.y * block->block_dim.z;
  uint32_t first = block->block_idx.x * threads;
  for (uint32_t t = 0; t < threads; ++t) {
    if (first + t < static_cast<uint32_t>(p.count)) p.values[first + t] = p.value;
  }
}

void addOne(const MusaBlockContext* block) {
  const auto& p = params<FillParams>(block);
  for (int i = 0; i < p.count; ++i) p.values[i] += p.value;
}

void spin(const MusaBlockContext* block) {
  while (__atomic_load_n(params<SpinParams>(block).flag, __ATOMIC_ACQUIRE) == 0) __musa_nanosleep(1000);
}

void copyVariables(const MusaBlockContext* block) {
  int* out = params<CopyVariableParams>(block).out;
  out[0] = counter++;
  for (int i = 0; i < 4; ++i) out[1 + i] = table[i];
  if (managedCounter) out[5] = (*managedCounter)++;
}

void mixed(const MusaBlockContext* block) {
  const auto& p = params<MixedParams>(block);
  *p.out = p.first + p.second + p.third.x + p.third.y + p.third.z;
}

void shared(const MusaBlockContext* block) {
  if (block->block_idx.x != 0) return;
  uint32_t* out = params<SharedParams>(block).out;
  out[0] = block->dynamic_shared_bytes;
  out[1] = block->cooperative;
  out[2] = block->grid_dim.x * block->grid_dim.y * block->grid_dim.z;
}

void print(const MusaBlockContext*) { __musa_printf("hello from the device\n"); }

__attribute__((noinline, no_sanitize("undefined"), disable_sanitizer_instrumentation)) void storeNull() {
  *reinterpret_cast<volatile int*>(uintptr_t{0x10}) = 1;
}

void fault(const MusaBlockContext* block) {
  switch (params<FaultParams>(block).kind) {
    case kStoreNull:
      storeNull();
      break;
    case kTrap:
      __musa_trap();
    case kAssert:
      __musa_assert_fail("i < n", "kernel.mu", 42, "void k(int)");
    case kIllegal:
      __builtin_trap();
  }
}

#define PARAM(type, member) {offsetof(type, member), sizeof(type::member)}
constexpr MusaParamInfo fillLayout[] = {PARAM(FillParams, values), PARAM(FillParams, count),
                                        PARAM(FillParams, value)};
constexpr MusaParamInfo spinLayout[] = {PARAM(SpinParams, flag)};
constexpr MusaParamInfo copyVariablesLayout[] = {PARAM(CopyVariableParams, out)};
constexpr MusaParamInfo mixedLayout[] = {PARAM(MixedParams, first), PARAM(MixedParams, second),
                                         PARAM(MixedParams, third), PARAM(MixedParams, out)};
constexpr MusaParamInfo faultLayout[] = {PARAM(FaultParams, kind)};
constexpr MusaParamInfo sharedLayout[] = {PARAM(SharedParams, out)};

#define KERNEL(function, layout, type) \
  {#function, function, layout, sizeof(layout) / sizeof(layout[0]), sizeof(type), 0, 0, 0, 0, nullptr}
constexpr MusaKernelInfo kernels[] = {
    {"empty", empty, nullptr, 0, 0, 0, 0, 0, 0, nullptr},
    {"bounded", empty, nullptr, 0, 0, 64, 128, 2, 0, nullptr},  // 64 static bytes, __launch_bounds__(128, 2)
    {"print", print, nullptr, 0, 0, 0, 0, 0, 0, nullptr},
    KERNEL(fill, fillLayout, FillParams),
    KERNEL(addOne, fillLayout, FillParams),
    KERNEL(spin, spinLayout, SpinParams),
    KERNEL(copyVariables, copyVariablesLayout, CopyVariableParams),
    KERNEL(mixed, mixedLayout, MixedParams),
    KERNEL(fault, faultLayout, FaultParams),
    KERNEL(shared, sharedLayout, SharedParams),
};

const MusaVariableInfo variables[] = {
    {"counter", &counter, sizeof counter, 0, 0},
    {"table", table, sizeof table, MUSA_VARIABLE_CONSTANT, 0},
    {"managedCounter", &managedCounter, sizeof managedCounter, MUSA_VARIABLE_MANAGED, 0},
    {"reference", reference, sizeof reference, 0, 0},
};

}  // namespace

extern "C" __attribute__((visibility("default")))
const MusaImageInfo __musa_image = {MUSASHIM_IMAGE_MAGIC,
                                    MUSASHIM_IMAGE_ABI_VERSION,
                                    TEST_IMAGE_ARCH,
                                    sizeof kernels / sizeof kernels[0],
                                    kernels,
                                    sizeof variables / sizeof variables[0],
                                    0,
                                    variables};
