// Entries about data that lies on several devices, and its transforms. What is asked for is done when a call
// returns.
#include <musa_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "libs/core/stream_work.h"
#include "libs/mufft/entry.h"
#include "libs/mufft/execution.h"

using namespace musashim::mufft;
using musashim::libs::Transform;
using musashim::libs::TransformKind;

namespace {

// A transform's elements as a block of so many slices, lines in a slice, and elements in a line. Real numbers
// lie as in place: where the complex ones do that they become.
struct Block {
  size_t slices = 1, lines = 1, elements = 1, bytes = 0;

  explicit Block(const Plan& plan) : bytes(plan.transform.isDouble ? 16 : 8) {
    const Transform& t = plan.transform;
    slices = t.length[1];
    if (t.dimensions > 2) lines = t.length[2];
    if (t.dimensions > 3) elements = t.length[3];
    if (t.kind == TransformKind::kComplex) return;
    size_t& last = t.dimensions > 3 ? elements : lines;
    last = last / 2 + 1;
  }
  size_t size() const { return slices * lines * elements * bytes; }
};

// What several devices can have: one transform (a line between real and complex numbers is no plan).
bool isSpreadable(const Plan& plan) { return plan.transform.length[0] == 1 && plan.narrow == Narrow::kNone; }

// Where part `index` of `count` begins; the first ones are larger.
size_t border(size_t length, int index, int count) {
  const auto parts = static_cast<size_t>(count), place = static_cast<size_t>(index);
  return length / parts * place + std::min(length % parts, place);
}

// Whether parts are of lines instead of slices.
bool isByLines(const Plan& plan, const musaLibXtDesc& data) {
  return data.subFormat == MUFFT_XT_FORMAT_INPLACE_SHUFFLED && plan.transform.dimensions > 2;
}

// Copies between a whole block and the devices' parts of it: `copy(in the whole, in the part, bytes)`.
template <class Copy>
void eachPart(const Plan& plan, const musaLibXtDesc& data, char* whole, Copy copy) {
  const Block block(plan);
  const int count = data.descriptor->nGPUs;
  const size_t line = block.elements * block.bytes, slice = block.lines * line;
  for (int i = 0; i < count; ++i) {
    auto* part = static_cast<char*>(data.descriptor->data[i]);
    if (isByLines(plan, data)) {
      const size_t begin = border(block.lines, i, count), end = border(block.lines, i + 1, count);
      for (size_t s = 0; s < block.slices; ++s, part += (end - begin) * line)
        copy(whole + s * slice + begin * line, part, (end - begin) * line);
    } else {
      const size_t begin = border(block.slices, i, count), end = border(block.slices, i + 1, count);
      copy(whole + begin * slice, part, (end - begin) * slice);
    }
  }
}

void gather(const Plan& plan, const musaLibXtDesc& data, char* whole) {
  eachPart(plan, data, whole, [](char* to, const char* from, size_t bytes) { std::memcpy(to, from, bytes); });
}
void scatter(const Plan& plan, const musaLibXtDesc& data, char* whole) {
  eachPart(plan, data, whole, [](const char* from, char* to, size_t bytes) { std::memcpy(to, from, bytes); });
}

// Behind what is queued on all of the devices, on a thread that may touch their memory.
template <class Work>
mufftResult runWhole(const musaLibXtDesc& data, const Work& work) {
  int current = 0;
  bool works = musaGetDevice(&current) == musaSuccess;
  for (int i = 0; i < data.descriptor->nGPUs; ++i)
    works = works && musaSetDevice(data.descriptor->GPUs[i]) == musaSuccess &&
            musaDeviceSynchronize() == musaSuccess;
  works = musaSetDevice(current) == musaSuccess && works;
  works = works && musashim::libs::runOnStream(nullptr, work) == musaSuccess &&
          musaStreamSynchronize(nullptr) == musaSuccess;
  if (works) return MUFFT_SUCCESS;
  (void)musaGetLastError();
  return MUFFT_EXEC_FAILED;
}

mufftResult allocate(const Plan& plan, musaLibXtDesc** where) {
  auto data = std::make_unique<musaLibXtDesc>();
  auto parts = std::make_unique<musaXtDesc>();
  const bool isSpread = plan.gpus.size() > 1;
  const Block block(plan);
  const size_t slice = block.size() / block.slices;
  int current = 0;
  MUFFT_REQUIRE(musaGetDevice(&current) == musaSuccess, MUFFT_EXEC_FAILED);
  parts->version = MUSA_XT_DESCRIPTOR_VERSION;
  parts->nGPUs = isSpread ? static_cast<int>(plan.gpus.size()) : 1;
  bool works = true;
  for (int i = 0; i < parts->nGPUs; ++i) {
    parts->GPUs[i] = isSpread ? plan.gpus[static_cast<size_t>(i)] : current;
    if (!isSpread) continue;  // as cuFFT: a plan of one device has its data where the caller has it
    // Room for either way to part the block.
    const auto part = [&](size_t length) {
      return border(length, i + 1, parts->nGPUs) - border(length, i, parts->nGPUs);
    };
    const size_t byLines =
        plan.transform.dimensions > 2 ? part(block.lines) * (block.size() / block.lines) : 0;
    parts->size[i] = std::max(part(block.slices) * slice, byLines);
    works = works && musaSetDevice(parts->GPUs[i]) == musaSuccess &&
            musaMalloc(&parts->data[i], parts->size[i]) == musaSuccess;
  }
  works = musaSetDevice(current) == musaSuccess && works;
  if (!works) {
    (void)musaGetLastError();
    for (void* part : parts->data) (void)musaFree(part);
    return MUFFT_ALLOC_FAILED;
  }
  data->version = MUSA_XT_DESCRIPTOR_VERSION;
  data->library = LIB_FORMAT_MUFFT;
  data->subFormat = MUFFT_XT_FORMAT_INPLACE;
  data->descriptor = parts.release();
  *where = data.release();
  return MUFFT_SUCCESS;
}

mufftResult copy(const Plan& plan, void* to, void* from, mufftXtCopyType type) {
  MUFFT_REQUIRE(to && from, MUFFT_INVALID_VALUE);
  const bool fromHost = type == MUFFT_COPY_HOST_TO_DEVICE, toHost = type == MUFFT_COPY_DEVICE_TO_HOST;
  MUFFT_REQUIRE(fromHost || toHost || type == MUFFT_COPY_DEVICE_TO_DEVICE, MUFFT_INVALID_VALUE);
  const auto* const data = static_cast<const musaLibXtDesc*>(fromHost ? to : from);
  if (plan.gpus.size() < 2)
    return toHost || fromHost ? MUFFT_SUCCESS : MUFFT_INVALID_VALUE;  // nothing lies here
  if (toHost) return runWhole(*data, [&, to] { gather(plan, *data, static_cast<char*>(to)); });
  if (fromHost) {
    const mufftResult result = runWhole(*data, [&, from] { scatter(plan, *data, static_cast<char*>(from)); });
    static_cast<musaLibXtDesc*>(to)->subFormat = MUFFT_XT_FORMAT_INPLACE;
    return result;
  }
  auto* const target = static_cast<musaLibXtDesc*>(to);
  std::vector<char> whole(Block(plan).size());
  return runWhole(*data, [&] {
    gather(plan, *data, whole.data());
    scatter(plan, *target, whole.data());
  });
}

mufftResult execute(const Plan& plan, mufftType type, musaLibXtDesc* in, musaLibXtDesc* out, int direction) {
  MUFFT_REQUIRE(plan.isMade && plan.type == type, MUFFT_INVALID_PLAN);
  MUFFT_REQUIRE(in && out && in->descriptor && out->descriptor, MUFFT_INVALID_VALUE);
  MUFFT_REQUIRE(direction == MUFFT_FORWARD || direction == MUFFT_INVERSE, MUFFT_INVALID_VALUE);
  MUFFT_REQUIRE(plan.gpus.size() > 1, MUFFT_EXEC_FAILED);
  MUFFT_REQUIRE(isSpreadable(plan), MUFFT_NOT_SUPPORTED);
  const bool isLine = plan.transform.dimensions == 2;
  const bool wasShuffled = in->subFormat == MUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  MUFFT_REQUIRE(!(isLine && wasShuffled), MUFFT_INVALID_TYPE);
  // From real numbers to complex ones it goes one way, in the orders that belong to them; of three dimensions
  // cuFFT takes complex numbers in the other order as well.
  const TransformKind kind = plan.transform.kind;
  MUFFT_REQUIRE(!(kind == TransformKind::kRealToComplex && wasShuffled), MUFFT_INVALID_TYPE);
  MUFFT_REQUIRE(!(kind == TransformKind::kComplexToReal && !wasShuffled && plan.transform.dimensions == 3),
                MUFFT_INTERNAL_ERROR);
  std::vector<char> whole(Block(plan).size());
  const mufftResult result = runWhole(*in, [&, direction] {
    gather(plan, *in, whole.data());
    Transform transform = plan.inPlace;
    if (kind == TransformKind::kComplex) transform.forward = direction == MUFFT_FORWARD;
    runTransform(transform, whole.data(), whole.data());
    const bool becomesNatural = wasShuffled || kind == TransformKind::kComplexToReal;
    out->subFormat = becomesNatural ? MUFFT_XT_FORMAT_INPLACE : MUFFT_XT_FORMAT_INPLACE_SHUFFLED;
    scatter(plan, *out, whole.data());
  });
  return result;
}

}  // namespace

#define MUFFT_ENTRY __attribute__((visibility("default"))) mufftResult

extern "C" {

MUFFT_ENTRY mufftXtSetGPUs(mufftHandle handle, int nGPUs, int* whichGPUs) {
  return withPlan(
      "mufftXtSetGPUs", handle,
      [&](Plan& plan) {
        MUFFT_REQUIRE(!plan.isMade, MUFFT_INVALID_PLAN);
        MUFFT_REQUIRE(nGPUs > 1 && nGPUs <= MAX_MUSA_DESCRIPTOR_GPUS && whichGPUs, MUFFT_INVALID_VALUE);
        int devices = 0;
        MUFFT_REQUIRE(musaGetDeviceCount(&devices) == musaSuccess, MUFFT_SETUP_FAILED);
        for (int i = 0; i < nGPUs; ++i)
          MUFFT_REQUIRE(whichGPUs[i] >= 0 && whichGPUs[i] < devices, MUFFT_INVALID_DEVICE);
        plan.gpus.assign(whichGPUs, whichGPUs + nGPUs);
        return MUFFT_SUCCESS;
      },
      nGPUs, whichGPUs);
}

MUFFT_ENTRY mufftXtMalloc(mufftHandle handle, musaLibXtDesc** descriptor, mufftXtSubFormat format) {
  return withPlan(
      "mufftXtMalloc", handle,
      [&](Plan& plan) {
        MUFFT_REQUIRE(plan.isMade, MUFFT_INVALID_PLAN);
        MUFFT_REQUIRE(descriptor, MUFFT_INVALID_VALUE);
        const bool isPlain = format == MUFFT_XT_FORMAT_INPLACE || format == MUFFT_XT_FORMAT_INPUT ||
                             format == MUFFT_XT_FORMAT_OUTPUT || format == MUFFT_XT_FORMAT_INPLACE_SHUFFLED;
        MUFFT_REQUIRE(isPlain && (plan.gpus.size() < 2 || isSpreadable(plan)), MUFFT_NOT_SUPPORTED);
        const mufftResult result = allocate(plan, descriptor);
        if (result == MUFFT_SUCCESS && format != MUFFT_XT_FORMAT_INPUT) (*descriptor)->subFormat = format;
        return result;
      },
      descriptor, format);
}

MUFFT_ENTRY mufftXtFree(musaLibXtDesc* descriptor) {
  return tracedCall(
      "mufftXtFree",
      [&] {
        if (!descriptor) return MUFFT_SUCCESS;
        for (int i = 0; i < descriptor->descriptor->nGPUs; ++i)
          if (musaFree(descriptor->descriptor->data[i]) != musaSuccess) (void)musaGetLastError();
        delete descriptor->descriptor;
        delete descriptor;
        return MUFFT_SUCCESS;
      },
      descriptor);
}

MUFFT_ENTRY mufftXtMemcpy(mufftHandle handle, void* dstPointer, void* srcPointer, mufftXtCopyType type) {
  return withPlan(
      "mufftXtMemcpy", handle, [&](Plan& plan) { return copy(plan, dstPointer, srcPointer, type); },
      dstPointer, srcPointer, type);
}

MUFFT_ENTRY mufftXtExecDescriptor(mufftHandle handle, musaLibXtDesc* input, musaLibXtDesc* output,
                                  int direction) {
  return withPlan(
      "mufftXtExecDescriptor", handle,
      [&](Plan& plan) { return execute(plan, plan.type, input, output, direction); }, input, output,
      direction);
}
MUFFT_ENTRY mufftXtExecDescriptorC2C(mufftHandle handle, musaLibXtDesc* input, musaLibXtDesc* output,
                                     int direction) {
  return withPlan(
      "mufftXtExecDescriptorC2C", handle,
      [&](Plan& plan) { return execute(plan, MUFFT_C2C, input, output, direction); }, input, output,
      direction);
}
MUFFT_ENTRY mufftXtExecDescriptorZ2Z(mufftHandle handle, musaLibXtDesc* input, musaLibXtDesc* output,
                                     int direction) {
  return withPlan(
      "mufftXtExecDescriptorZ2Z", handle,
      [&](Plan& plan) { return execute(plan, MUFFT_Z2Z, input, output, direction); }, input, output,
      direction);
}

#define MUFFT_EXECUTE_REAL_DESCRIPTOR(form, direction)                                                       \
  MUFFT_ENTRY mufftXtExecDescriptor##form(mufftHandle handle, musaLibXtDesc* input, musaLibXtDesc* output) { \
    return withPlan(                                                                                         \
        "mufftXtExecDescriptor" #form, handle,                                                               \
        [&](Plan& plan) { return execute(plan, MUFFT_##form, input, output, direction); }, input, output);   \
  }
MUFFT_EXECUTE_REAL_DESCRIPTOR(R2C, MUFFT_FORWARD)
MUFFT_EXECUTE_REAL_DESCRIPTOR(D2Z, MUFFT_FORWARD)
MUFFT_EXECUTE_REAL_DESCRIPTOR(C2R, MUFFT_INVERSE)
MUFFT_EXECUTE_REAL_DESCRIPTOR(Z2D, MUFFT_INVERSE)

// There is nothing to put into areas, as with mufftSetWorkArea.
MUFFT_ENTRY mufftXtSetWorkArea(mufftHandle handle, void** workArea) {
  return withPlan(
      "mufftXtSetWorkArea", handle,
      [&](Plan& plan) {
        MUFFT_REQUIRE(plan.isMade, MUFFT_INVALID_PLAN);
        return workArea ? MUFFT_SUCCESS : MUFFT_INVALID_VALUE;
      },
      workArea);
}

// There is no work area whose size a policy could bound.
MUFFT_ENTRY mufftXtSetWorkAreaPolicy(mufftHandle handle, mufftXtWorkAreaPolicy policy, size_t* workSize) {
  return withPlan(
      "mufftXtSetWorkAreaPolicy", handle,
      [&](Plan& plan) {
        MUFFT_REQUIRE(plan.isMade, MUFFT_INVALID_PLAN);
        MUFFT_REQUIRE(policy >= MUFFT_WORKAREA_MINIMAL && policy <= MUFFT_WORKAREA_PERFORMANCE,
                      MUFFT_INVALID_VALUE);
        return MUFFT_SUCCESS;
      },
      policy, workSize);
}

MUFFT_ENTRY mufftSetPlanPropertyInt64(mufftHandle handle, mufftProperty property,
                                      long long int inputValueInt) {
  return withPlan(
      "mufftSetPlanPropertyInt64", handle, [](Plan&) { return MUFFT_INVALID_VALUE; }, property,
      inputValueInt);
}
MUFFT_ENTRY mufftGetPlanPropertyInt64(mufftHandle handle, mufftProperty property,
                                      long long int* returnPtrValue) {
  return withPlan(
      "mufftGetPlanPropertyInt64", handle, [](Plan&) { return MUFFT_INVALID_VALUE; }, property,
      returnPtrValue);
}
MUFFT_ENTRY mufftResetPlanProperty(mufftHandle handle, mufftProperty property) {
  return withPlan(
      "mufftResetPlanProperty", handle, [](Plan&) { return MUFFT_INVALID_VALUE; }, property);
}

}  // extern "C"
