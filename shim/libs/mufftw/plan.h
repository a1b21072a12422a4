// What FFTW's plans stand for, and what every entry does around its work.
#pragma once

#include <mufftw.h>

#include <string_view>

#include "libs/core/api_call.h"
#include "libs/mufftw/layout.h"

namespace musashim::mufftw {

struct Plan {
  mufftHandle handle = MUFFT_PLAN_NULL;
  Kind kind = Kind::kComplex;
  bool isDouble = false;
  int sign = FFTW_FORWARD;
  void *in = nullptr, *out = nullptr;

  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() {
    if (handle != MUFFT_PLAN_NULL) (void)mufftDestroy(handle);
  }
};

// What a plan is to be made of, but for where its numbers lie.
struct Order {
  Kind kind = Kind::kComplex;
  bool isDouble = false;
  int sign = FFTW_FORWARD;  // of complex transforms
  void *in = nullptr, *out = nullptr;
};

// The one of lengths that a call names.
mufftResult makePlan(const Order& order, int rank, const int* n, void*& made);
mufftResult makePlan(const Order& order, int rank, const int* n, int batch, const Side& in, const Side& out,
                     void*& made);
// `Iodim`: FFTW's, of 32 or 64 bits.
template <class Iodim>
mufftResult makePlan(const Order& order, int rank, const Iodim* dims, int batchRank, const Iodim* batchDims,
                     void*& made);

// Runs it and waits for its end, on these arrays. `kind`: that of the entry.
mufftResult execute(const void* plan, bool isDouble, Kind kind, void* in, void* out);
// The same on the plan's own, of whatever kind it is.
mufftResult execute(const void* plan, bool isDouble);

void destroyPlan(void* plan);

inline constexpr libs::Failures<mufftResult> kFailures{MUFFT_ALLOC_FAILED, MUFFT_INTERNAL_ERROR};

// FFTW's calls return no status: this one is for the trace.
template <class Body, class... Args>
void tracedCall(std::string_view name, Body&& body, const Args&... args) {
  (void)libs::apiCall("mufftw", name, kFailures, body, args...);
}

// `body(made)` makes a plan.
template <class Body, class... Args>
void* planning(std::string_view name, Body&& body, const Args&... args) {
  void* made = nullptr;
  tracedCall(name, [&] { return body(made); }, args...);
  return made;
}

}  // namespace musashim::mufftw
