// Entries that make plans, and tell how large their work areas would be: transforms here need none.
#include <musa_runtime_api.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

#include "libs/mufft/entry.h"

using namespace musashim::mufft;

namespace {

mufftResult sizeOf(const Description& description, size_t* workSize) {
  const mufftResult result = check(description);
  if (result == MUFFT_SUCCESS && workSize) *workSize = 0;
  return result;
}

// What a question about a plan's size does: the place for the answer is looked at before the plan.
template <class Body, class... Args>
mufftResult askSize(const char* name, mufftHandle handle, Body&& body, size_t* workSize,
                    const Args&... args) {
  return tracedCall(
      name,
      [&]() -> mufftResult {
        MUFFT_REQUIRE(workSize, MUFFT_INVALID_VALUE);
        const std::shared_ptr<Plan> plan = findPlan(handle);
        return plan ? body(*plan) : MUFFT_INVALID_PLAN;
      },
      handle, args..., workSize);
}

// What can lie on several devices: lines of complex numbers, a power of two, and larger blocks.
bool canSpread(const Description& description) {
  const bool isComplex = description.type == MUFFT_C2C || description.type == MUFFT_Z2Z;
  if (description.rank == 1) return isComplex && (description.n[0] & (description.n[0] - 1)) == 0;
  return std::all_of(description.n, description.n + description.rank, [](long long n) { return n >= 32; });
}

mufftResult make(Plan& plan, const Description& description, size_t* workSize) {
  MUFFT_REQUIRE(!plan.isMade, MUFFT_INVALID_PLAN);
  const mufftResult result = sizeOf(description, workSize);
  if (result != MUFFT_SUCCESS) return result;
  if (plan.gpus.size() > 1) {
    MUFFT_REQUIRE(canSpread(description), MUFFT_INVALID_SIZE);
    if (workSize) std::fill_n(workSize, plan.gpus.size(), size_t{0});
  }
  build(plan, description);
  return MUFFT_SUCCESS;
}

// A plan of its own.
mufftResult create(mufftHandle* handle, const Description& description) {
  MUFFT_REQUIRE(handle, MUFFT_INVALID_VALUE);
  if (const mufftResult result = check(description); result != MUFFT_SUCCESS) return result;
  const mufftHandle made = makePlanHandle();
  build(*findPlan(made), description);
  *handle = made;
  return MUFFT_SUCCESS;
}

// Arrays of int, as the arguments of most entries are.
class Arguments {
 public:
  Arguments(std::initializer_list<long long> n, mufftType type, int batch) : n_(n) {
    description_ = {static_cast<int>(n_.size()), n_.data(), {}, {}, type, batch};
  }
  Arguments(int rank, const int* n, const int* inembed, int istride, int idist, const int* onembed,
            int ostride, int odist, mufftType type, int batch) {
    const auto widened = [&](const int* values) {
      return values && rank >= 1 && rank <= 3 ? std::vector<long long>(values, values + rank)
                                              : std::vector<long long>();
    };
    n_ = widened(n);
    in_ = widened(inembed);
    out_ = widened(onembed);
    description_ = {rank,
                    n_.empty() ? nullptr : n_.data(),
                    {in_.empty() ? nullptr : in_.data(), istride, idist},
                    {out_.empty() ? nullptr : out_.data(), ostride, odist},
                    type,
                    batch};
  }
  const Description& get() const { return description_; }

 private:
  std::vector<long long> n_, in_, out_;
  Description description_;
};

// What three types of data mean.
struct Meaning {
  mufftType type;
  Narrow narrow = Narrow::kNone;
};

std::optional<Meaning> meaningOf(musaDataType in, musaDataType out, musaDataType execution) {
  const auto ofTypes = [&](musaDataType real, musaDataType complex, mufftType c2c, mufftType r2c,
                           mufftType c2r, Narrow narrow) -> std::optional<Meaning> {
    if (in == complex && out == complex) return Meaning{c2c, narrow};
    if (in == real && out == complex) return Meaning{r2c, narrow};
    if (in == complex && out == real) return Meaning{c2r, narrow};
    return std::nullopt;
  };
  switch (execution) {
    case MUSA_C_16F:
      return ofTypes(MUSA_R_16F, MUSA_C_16F, MUFFT_C2C, MUFFT_R2C, MUFFT_C2R, Narrow::kHalf);
    case MUSA_C_16BF:
      return ofTypes(MUSA_R_16BF, MUSA_C_16BF, MUFFT_C2C, MUFFT_R2C, MUFFT_C2R, Narrow::kBfloat16);
    case MUSA_C_32F:
      return ofTypes(MUSA_R_32F, MUSA_C_32F, MUFFT_C2C, MUFFT_R2C, MUFFT_C2R, Narrow::kNone);
    case MUSA_C_64F:
      return ofTypes(MUSA_R_64F, MUSA_C_64F, MUFFT_Z2Z, MUFFT_D2Z, MUFFT_Z2D, Narrow::kNone);
    default:
      return std::nullopt;
  }
}

// As make() and sizeOf() for a description by types of data. Sizes of 16-bit floats are powers of two.
mufftResult checkTypes(const Description& description, const std::optional<Meaning>& meaning) {
  if (const mufftResult result = check(description); result != MUFFT_SUCCESS) return result;
  MUFFT_REQUIRE(meaning, MUFFT_INVALID_TYPE);
  if (meaning->narrow == Narrow::kNone) return MUFFT_SUCCESS;
  for (int axis = 0; axis < description.rank; ++axis)
    MUFFT_REQUIRE((description.n[axis] & (description.n[axis] - 1)) == 0, MUFFT_NOT_SUPPORTED);
  return MUFFT_SUCCESS;
}

}  // namespace

#define MUFFT_ENTRY __attribute__((visibility("default"))) mufftResult

extern "C" {

MUFFT_ENTRY mufftCreate(mufftHandle* handle) {
  return tracedCall(
      "mufftCreate",
      [&] {
        MUFFT_REQUIRE(handle, MUFFT_INVALID_VALUE);
        *handle = makePlanHandle();
        return MUFFT_SUCCESS;
      },
      handle);
}

MUFFT_ENTRY mufftDestroy(mufftHandle plan) {
  return tracedCall(
      "mufftDestroy", [&] { return dropPlan(plan) ? MUFFT_SUCCESS : MUFFT_INVALID_PLAN; }, plan);
}

MUFFT_ENTRY mufftPlan1d(mufftHandle* plan, int nx, mufftType type, int batch) {
  return tracedCall(
      "mufftPlan1d", [&] { return create(plan, Arguments({nx}, type, batch).get()); }, plan, nx, type, batch);
}

MUFFT_ENTRY mufftPlan2d(mufftHandle* plan, int nx, int ny, mufftType type) {
  return tracedCall(
      "mufftPlan2d",
      [&] {
        return create(plan, Arguments({nx, ny}, type, 1).get());
      },
      plan, nx, ny, type);
}

MUFFT_ENTRY mufftPlan3d(mufftHandle* plan, int nx, int ny, int nz, mufftType type) {
  return tracedCall(
      "mufftPlan3d",
      [&] {
        return create(plan, Arguments({nx, ny, nz}, type, 1).get());
      },
      plan, nx, ny, nz, type);
}

MUFFT_ENTRY mufftPlanMany(mufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, mufftType type, int batch) {
  return tracedCall(
      "mufftPlanMany",
      [&] {
        return create(
            plan, Arguments(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch).get());
      },
      plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch);
}

// Of each form of description: to make a plan of it, and to ask for its size with a plan and without.
#define MUFFT_FORM(form, parameters, arguments, ...)                                              \
  MUFFT_ENTRY mufftMakePlan##form(mufftHandle plan, MUFFT_UNPACK parameters, size_t* workSize) {  \
    return withPlan(                                                                              \
        "mufftMakePlan" #form, plan, [&](Plan& self) { return make(self, arguments, workSize); }, \
        __VA_ARGS__, workSize);                                                                   \
  }                                                                                               \
  MUFFT_ENTRY mufftGetSize##form(mufftHandle plan, MUFFT_UNPACK parameters, size_t* workSize) {   \
    return askSize(                                                                               \
        "mufftGetSize" #form, plan, [&](Plan&) { return sizeOf(arguments, workSize); }, workSize, \
        __VA_ARGS__);                                                                             \
  }
#define MUFFT_ESTIMATE(form, parameters, arguments, ...)                                                     \
  MUFFT_ENTRY mufftEstimate##form(MUFFT_UNPACK parameters, size_t* workSize) {                               \
    return tracedCall(                                                                                       \
        "mufftEstimate" #form, [&] { return workSize ? sizeOf(arguments, workSize) : MUFFT_INVALID_VALUE; }, \
        __VA_ARGS__, workSize);                                                                              \
  }
#define MUFFT_UNPACK(...) __VA_ARGS__
#define MUFFT_1D (int nx, mufftType type, int batch), (Arguments({nx}, type, batch).get()), nx, type, batch
#define MUFFT_2D (int nx, int ny, mufftType type), (Arguments({nx, ny}, type, 1).get()), nx, ny, type
#define MUFFT_3D \
  (int nx, int ny, int nz, mufftType type), (Arguments({nx, ny, nz}, type, 1).get()), nx, ny, nz, type
#define MUFFT_MANY                                                                                        \
  (int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist,          \
   mufftType type, int batch),                                                                            \
      (Arguments(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch).get()), rank, n, \
      inembed, istride, idist, onembed, ostride, odist, type, batch
#define MUFFT_MANY_64                                                                                     \
  (int rank, long long* n, long long* inembed, long long istride, long long idist, long long* onembed,    \
   long long ostride, long long odist, mufftType type, long long batch),                                  \
      (Description{rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch}), rank, n, \
      inembed, istride, idist, onembed, ostride, odist, type, batch
#define MUFFT_EXPAND(macro, ...) macro(__VA_ARGS__)
MUFFT_EXPAND(MUFFT_FORM, 1d, MUFFT_1D)
MUFFT_EXPAND(MUFFT_FORM, 2d, MUFFT_2D)
MUFFT_EXPAND(MUFFT_FORM, 3d, MUFFT_3D)
MUFFT_EXPAND(MUFFT_FORM, Many, MUFFT_MANY)
MUFFT_EXPAND(MUFFT_FORM, Many64, MUFFT_MANY_64)
MUFFT_EXPAND(MUFFT_ESTIMATE, 1d, MUFFT_1D)
MUFFT_EXPAND(MUFFT_ESTIMATE, 2d, MUFFT_2D)
MUFFT_EXPAND(MUFFT_ESTIMATE, 3d, MUFFT_3D)
MUFFT_EXPAND(MUFFT_ESTIMATE, Many, MUFFT_MANY)

MUFFT_ENTRY mufftXtMakePlanMany(mufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, musaDataType inputtype,
                                long long* onembed, long long ostride, long long odist,
                                musaDataType outputtype, long long batch, size_t* workSize,
                                musaDataType executiontype) {
  return withPlan(
      "mufftXtMakePlanMany", plan,
      [&](Plan& self) {
        const auto meaning = meaningOf(inputtype, outputtype, executiontype);
        const mufftType type = meaning ? meaning->type : MUFFT_C2C;
        const Description whole{rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch};
        MUFFT_REQUIRE(!self.isMade, MUFFT_INVALID_PLAN);
        if (const mufftResult result = checkTypes(whole, meaning); result != MUFFT_SUCCESS) return result;
        self.narrow = meaning->narrow;
        return make(self, whole, workSize);
      },
      rank, n, inembed, istride, idist, inputtype, onembed, ostride, odist, outputtype, batch, workSize,
      executiontype);
}

MUFFT_ENTRY mufftXtGetSizeMany(mufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, musaDataType inputtype, long long* onembed,
                               long long ostride, long long odist, musaDataType outputtype, long long batch,
                               size_t* workSize, musaDataType executiontype) {
  return withPlan(
      "mufftXtGetSizeMany", plan,
      [&](Plan&) {
        const auto meaning = meaningOf(inputtype, outputtype, executiontype);
        const mufftType type = meaning ? meaning->type : MUFFT_C2C;
        const Description whole{rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, type, batch};
        if (const mufftResult result = checkTypes(whole, meaning); result != MUFFT_SUCCESS) return result;
        return sizeOf(whole, workSize);
      },
      rank, n, inembed, istride, idist, inputtype, onembed, ostride, odist, outputtype, batch, workSize,
      executiontype);
}

MUFFT_ENTRY mufftGetSize(mufftHandle handle, size_t* workSize) {
  return withPlan(
      "mufftGetSize", handle,
      [&](Plan& plan) {
        MUFFT_REQUIRE(plan.isMade, MUFFT_INVALID_PLAN);
        MUFFT_REQUIRE(workSize, MUFFT_INVALID_VALUE);
        *workSize = 0;
        return MUFFT_SUCCESS;
      },
      workSize);
}

}  // extern "C"
