// Entries that execute plans, and their settings.
#include "libs/mufft/execution.h"

#include <musa_runtime_api.h>

#include <algorithm>
#include <complex>
#include <vector>

#include "libs/core/share.h"
#include "libs/core/stream_work.h"
#include "libs/mufft/elements.h"
#include "libs/mufft/entry.h"
#include "libs/mufft/large.h"

using namespace musashim::mufft;
using musashim::libs::Transform;
using musashim::libs::TransformKind;

namespace {

// Elements of a transform that are worth a helper's wake-up.
constexpr size_t kWorthSharing = 1 << 16;

// Bytes of an element on each side.
size_t elementBytes(const Transform& t, bool real) {
  return (t.isDouble ? sizeof(double) : sizeof(float)) * (real ? 1 : 2);
}
size_t bytesOfIn(const Transform& t) { return elementBytes(t, t.kind == TransformKind::kRealToComplex); }
size_t bytesOfOut(const Transform& t) { return elementBytes(t, t.kind == TransformKind::kComplexToReal); }

// The members of a batch are shared among threads. The sides have no memory in common, or the transform can
// be in place.
void runDirectly(const Transform& t, const void* in, void* out) {
  size_t all = 1;
  for (size_t axis = 0; axis < t.dimensions; ++axis) all *= t.length[axis];
  const size_t batch = t.length[0];
  const size_t parts = all < kWorthSharing ? 1 : std::min(batch, musashim::libs::sharingThreads());
  const auto inBytes = static_cast<ptrdiff_t>(bytesOfIn(t)), outBytes = static_cast<ptrdiff_t>(bytesOfOut(t));
  // Few long ones share their own lines.
  const size_t rows = batch < musashim::libs::sharingThreads() || batch == 1 ? rowsOfLong(t) : 0;
  for (size_t member = 0; rows != 0 && member < batch; ++member) {
    const auto at = static_cast<ptrdiff_t>(member);
    transformLong(t, rows, static_cast<const char*>(in) + at * t.in[0] * inBytes,
                  static_cast<char*>(out) + at * t.out[0] * outBytes);
  }
  if (rows != 0) return;
  musashim::libs::shareOut(parts, [&](size_t part) {
    const size_t begin = batch * part / parts, end = batch * (part + 1) / parts;
    Transform some = t;
    some.length[0] = end - begin;
    const auto at = static_cast<ptrdiff_t>(begin);
    transform(some, static_cast<const char*>(in) + at * t.in[0] * inBytes,
              static_cast<char*>(out) + at * t.out[0] * outBytes);
  });
}

bool haveCommonMemory(const Transform& t, const void* in, const void* out) {
  const auto* const a = static_cast<const char*>(in);
  const auto* const b = static_cast<const char*>(out);
  return a < b + extent(t, t.out, outIsHalved(t)) * bytesOfOut(t) &&
         b < a + extent(t, t.in, inIsHalved(t)) * bytesOfIn(t);
}

template <class Element>
void runFromCopyOf(const Transform& t, const Element* in, void* out) {
  Transform fromCopy = t;
  std::vector<Element> copy(packed(t, inIsHalved(t), fromCopy.in));
  eachElement(t, t.in, inIsHalved(t),
              [&](ptrdiff_t place, ptrdiff_t number) { copy[static_cast<size_t>(number)] = in[place]; });
  runDirectly(fromCopy, copy.data(), out);
}

// All of the input is read before anything is written: where the sides lie in each other in any way.
void runFromCopy(const Transform& t, const void* in, void* out) {
  const bool takesReal = t.kind == TransformKind::kRealToComplex;
  if (t.isDouble && takesReal) {
    runFromCopyOf(t, static_cast<const double*>(in), out);
  } else if (t.isDouble) {
    runFromCopyOf(t, static_cast<const std::complex<double>*>(in), out);
  } else if (takesReal) {
    runFromCopyOf(t, static_cast<const float*>(in), out);
  } else {
    runFromCopyOf(t, static_cast<const std::complex<float>*>(in), out);
  }
}

}  // namespace

namespace musashim::mufft {

void runTransform(const Transform& t, const void* in, void* out) {
  if ((in != out || !canBeInPlace(t)) && haveCommonMemory(t, in, out)) {
    runFromCopy(t, in, out);
  } else {
    runDirectly(t, in, out);
  }
}

}  // namespace musashim::mufft

namespace {

// As with cuFFT it is the plan's transform that runs, whichever entry was called. `narrow`: what the entry's
// elements are.
mufftResult execute(Plan& plan, const void* in, void* out, int direction, Narrow narrow = Narrow::kNone) {
  MUFFT_REQUIRE(plan.isMade, MUFFT_INVALID_PLAN);
  MUFFT_REQUIRE(plan.narrow == narrow, MUFFT_INVALID_TYPE);
  MUFFT_REQUIRE(in && out, MUFFT_INVALID_VALUE);
  MUFFT_REQUIRE(direction == MUFFT_FORWARD || direction == MUFFT_INVERSE, MUFFT_INVALID_VALUE);
  Transform transform = in == out ? plan.inPlace : plan.transform;
  if (transform.kind == TransformKind::kComplex) transform.forward = direction == MUFFT_FORWARD;
  const musaError_t error = musashim::libs::runOnStream(plan.stream, [=] {
    if (narrow == Narrow::kNone) {
      runTransform(transform, in, out);
    } else {
      transformNarrow(transform, narrow, in, out);
    }
  });
  if (error == musaSuccess) return MUFFT_SUCCESS;
  (void)musaGetLastError();
  return MUFFT_EXEC_FAILED;
}

}  // namespace

#define MUFFT_ENTRY __attribute__((visibility("default"))) mufftResult

extern "C" {

#define MUFFT_EXECUTE_COMPLEX(form, Type)                                                                   \
  MUFFT_ENTRY mufftExec##form(mufftHandle plan, Type* idata, Type* odata, int direction) {                  \
    return withPlan(                                                                                        \
        "mufftExec" #form, plan, [&](Plan& self) { return execute(self, idata, odata, direction); }, idata, \
        odata, direction);                                                                                  \
  }
#define MUFFT_EXECUTE_REAL(form, In, Out, direction)                                                        \
  MUFFT_ENTRY mufftExec##form(mufftHandle plan, In* idata, Out* odata) {                                    \
    return withPlan(                                                                                        \
        "mufftExec" #form, plan, [&](Plan& self) { return execute(self, idata, odata, direction); }, idata, \
        odata);                                                                                             \
  }
MUFFT_EXECUTE_COMPLEX(C2C, mufftComplex)
MUFFT_EXECUTE_COMPLEX(Z2Z, mufftDoubleComplex)
MUFFT_EXECUTE_REAL(R2C, mufftReal, mufftComplex, MUFFT_FORWARD)
MUFFT_EXECUTE_REAL(D2Z, mufftDoubleReal, mufftDoubleComplex, MUFFT_FORWARD)
MUFFT_EXECUTE_REAL(C2R, mufftComplex, mufftReal, MUFFT_INVERSE)
MUFFT_EXECUTE_REAL(Z2D, mufftDoubleComplex, mufftDoubleReal, MUFFT_INVERSE)

// The direction counts where the plan's type has two.
MUFFT_ENTRY mufftXtExec(mufftHandle plan, void* input, void* output, int direction) {
  return withPlan(
      "mufftXtExec", plan,
      [&](Plan& self) {
        const bool givesReal = self.type == MUFFT_C2R || self.type == MUFFT_Z2D;
        MUFFT_REQUIRE(!self.isMade || !givesReal || direction != MUFFT_FORWARD, MUFFT_INVALID_VALUE);
        const bool isComplex = self.type == MUFFT_C2C || self.type == MUFFT_Z2Z;
        return execute(self, input, output, isComplex ? direction : MUFFT_FORWARD, self.narrow);
      },
      input, output, direction);
}

MUFFT_ENTRY mufftSetStream(mufftHandle plan, musaStream_t stream) {
  return withPlan(
      "mufftSetStream", plan,
      [&](Plan& self) {
        self.stream = stream;
        return MUFFT_SUCCESS;
      },
      stream);
}

// Plans need no work area, so there is nothing to put into one, whoever would allocate it.
MUFFT_ENTRY mufftSetWorkArea(mufftHandle plan, void* workArea) {
  return withPlan(
      "mufftSetWorkArea", plan, [&](Plan& self) { return self.isMade ? MUFFT_SUCCESS : MUFFT_INVALID_PLAN; },
      workArea);
}

MUFFT_ENTRY mufftSetAutoAllocation(mufftHandle plan, int autoAllocate) {
  return withPlan("mufftSetAutoAllocation", plan, [](Plan&) { return MUFFT_SUCCESS; }, autoAllocate);
}

MUFFT_ENTRY mufftXtSetCallback(mufftHandle plan, void** callback_routine, mufftXtCallbackType cbType,
                               void** caller_info) {
  return withPlan(
      "mufftXtSetCallback", plan, [](Plan&) { return MUFFT_NOT_IMPLEMENTED; }, callback_routine, cbType,
      caller_info);
}

MUFFT_ENTRY mufftXtClearCallback(mufftHandle plan, mufftXtCallbackType cbType) {
  return withPlan("mufftXtClearCallback", plan, [](Plan&) { return MUFFT_NOT_IMPLEMENTED; }, cbType);
}

MUFFT_ENTRY mufftXtSetCallbackSharedSize(mufftHandle plan, mufftXtCallbackType cbType, size_t sharedSize) {
  return withPlan(
      "mufftXtSetCallbackSharedSize", plan, [](Plan&) { return MUFFT_NOT_IMPLEMENTED; }, cbType, sharedSize);
}

MUFFT_ENTRY mufftGetVersion(int* version) {
  return tracedCall(
      "mufftGetVersion",
      [&] {
        if (version) *version = MUFFT_VERSION;
        return MUFFT_SUCCESS;
      },
      version);
}

MUFFT_ENTRY mufftGetProperty(libraryPropertyType type, int* value) {
  return tracedCall(
      "mufftGetProperty",
      [&] {
        constexpr int kParts[] = {MUFFT_VER_MAJOR, MUFFT_VER_MINOR, MUFFT_VER_PATCH};
        MUFFT_REQUIRE(value, MUFFT_INVALID_VALUE);
        MUFFT_REQUIRE(type >= MAJOR_VERSION && type <= PATCH_LEVEL, MUFFT_INVALID_TYPE);
        *value = kParts[type];
        return MUFFT_SUCCESS;
      },
      type, value);
}

}  // extern "C"
