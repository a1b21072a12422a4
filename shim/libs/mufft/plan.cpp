#include "libs/mufft/plan.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace musashim::mufft {
namespace {

using libs::Transform;
using libs::TransformKind;

struct Plans {
  std::mutex mutex;
  std::unordered_map<int, std::shared_ptr<Plan>> plans;
  int last = 0;
};

Plans& plans() {
  static Plans& plans = *new Plans;  // never destroyed: threads run until the process is gone
  return plans;
}

TransformKind kindOf(mufftType type) {
  switch (type) {
    case MUFFT_R2C:
    case MUFFT_D2Z:
      return TransformKind::kRealToComplex;
    case MUFFT_C2R:
    case MUFFT_Z2D:
      return TransformKind::kComplexToReal;
    default:
      return TransformKind::kComplex;
  }
}

// Distances of the dimensions of one side, from the array's lengths.
void layOut(ptrdiff_t* distances, int rank, const long long* lengths, long long stride, long long distance) {
  distances[rank] = stride;
  for (int axis = rank - 1; axis > 0; --axis) distances[axis] = distances[axis + 1] * lengths[axis];
  distances[0] = distance;
}

// The same where nothing is between the elements: `last` of them in a row.
void layOutDense(ptrdiff_t* distances, const Description& d, long long last) {
  long long lengths[3] = {}, all = 1;
  for (int axis = 0; axis < d.rank; ++axis) {
    lengths[axis] = axis == d.rank - 1 ? last : d.n[axis];
    all *= lengths[axis];
  }
  layOut(distances, d.rank, lengths, 1, all);
}

}  // namespace

mufftHandle makePlanHandle() {
  auto plan = std::make_shared<Plan>();
  std::lock_guard lock(plans().mutex);
  plans().plans.emplace(++plans().last, std::move(plan));
  return reinterpret_cast<mufftHandle>(static_cast<std::intptr_t>(plans().last));
}

bool dropPlan(mufftHandle handle) {
  std::lock_guard lock(plans().mutex);
  return plans().plans.erase(numberOf(handle)) != 0;
}

std::shared_ptr<Plan> findPlan(mufftHandle handle) {
  std::lock_guard lock(plans().mutex);
  const auto found = plans().plans.find(numberOf(handle));
  return found == plans().plans.end() ? nullptr : found->second;
}

mufftResult check(const Description& d) {
  switch (d.type) {
    case MUFFT_C2C:
    case MUFFT_R2C:
    case MUFFT_C2R:
    case MUFFT_Z2Z:
    case MUFFT_D2Z:
    case MUFFT_Z2D:
      break;
    default:
      return MUFFT_INVALID_TYPE;
  }
  if (d.rank < 1 || d.rank > 3 || !d.n) return MUFFT_INVALID_VALUE;
  // As cuFFT: the first length is looked at, and the last where it says how many numbers a line has. Others
  // below 1 are 1.
  if (d.batch < 1 || d.n[0] < 1) return MUFFT_INVALID_SIZE;
  if (kindOf(d.type) != TransformKind::kComplex && d.n[d.rank - 1] < 1) return MUFFT_INTERNAL_ERROR;
  if (!d.in.embed || !d.out.embed) return MUFFT_SUCCESS;
  for (const Side& side : {d.in, d.out}) {
    if (side.stride < 1 || side.distance < 0) return MUFFT_INVALID_VALUE;
    for (int axis = 0; axis < d.rank; ++axis)
      if (side.embed[axis] < 1) return MUFFT_INVALID_VALUE;
  }
  return MUFFT_SUCCESS;
}

void build(Plan& plan, const Description& description) {
  long long lengths[3] = {1, 1, 1};
  for (int axis = 0; axis < description.rank; ++axis) lengths[axis] = std::max(description.n[axis], 1LL);
  Description d = description;
  d.n = lengths;
  Transform t;
  t.kind = kindOf(d.type);
  t.isDouble = d.type == MUFFT_Z2Z || d.type == MUFFT_D2Z || d.type == MUFFT_Z2D;
  t.forward = t.kind == TransformKind::kRealToComplex;
  t.dimensions = static_cast<size_t>(d.rank) + 1;
  t.length[0] = static_cast<size_t>(d.batch);
  for (int axis = 0; axis < d.rank; ++axis) t.length[axis + 1] = static_cast<size_t>(d.n[axis]);
  Transform inPlace = t;
  if (d.in.embed && d.out.embed) {
    layOut(t.in, d.rank, d.in.embed, d.in.stride, d.in.distance);
    layOut(t.out, d.rank, d.out.embed, d.out.stride, d.out.distance);
    inPlace = t;
  } else {
    const long long last = d.n[d.rank - 1], half = last / 2 + 1;
    const bool realIn = t.kind == TransformKind::kRealToComplex,
               realOut = t.kind == TransformKind::kComplexToReal;
    layOutDense(t.in, d, realOut ? half : last);
    layOutDense(t.out, d, realIn ? half : last);
    layOutDense(inPlace.in, d, realIn ? 2 * half : realOut ? half : last);
    layOutDense(inPlace.out, d, realOut ? 2 * half : realIn ? half : last);
  }
  plan.type = d.type;
  plan.transform = t;
  plan.inPlace = inPlace;
  plan.isMade = true;
}

}  // namespace musashim::mufft
