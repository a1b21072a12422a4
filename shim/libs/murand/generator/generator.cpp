#include "generator.h"

#include <utility>

#include "libs/core/stream_work.h"
#include "libs/murand/engine/twisters/mtgp32.h"

using musashim::rand::Kind;
using musashim::rand::Request;

namespace {

constexpr unsigned int kMostDimensions = 20000;

// A generator's own name for the default of its kind.
murandRngType_t resolved(murandRngType_t type) {
  if (type == MURAND_RNG_PSEUDO_DEFAULT || type == MURAND_RNG_TEST) return MURAND_RNG_PSEUDO_XORWOW;
  return type == MURAND_RNG_QUASI_DEFAULT ? MURAND_RNG_QUASI_SOBOL32 : type;
}

}  // namespace

murandGenerator_st::murandGenerator_st(murandRngType_t type, bool onHost)
    : type_(resolved(type)),
      onHost_(onHost),
      ordering_(type_ >= MURAND_RNG_QUASI_DEFAULT ? MURAND_ORDERING_QUASI_DEFAULT
                                                  : MURAND_ORDERING_PSEUDO_DEFAULT) {}

murandStatus_t murandGenerator_st::setStream(musaStream_t stream) {
  stream_ = stream;
  return MURAND_STATUS_SUCCESS;
}

// A sequence goes on at its place. In Philox's cuRAND takes the number of its blocks of four for the place.
void murandGenerator_st::begin() {
  if (type_ == MURAND_RNG_PSEUDO_MTGP32) return beginMtgp32();
  if (type_ == MURAND_RNG_PSEUDO_PHILOX4_32_10) position_ = start_ + (start_ % 4 + (position_ - start_)) / 4;
  start_ = position_;
  engine_.reset();
}

// MTGP32 finishes the row that it has begun, and starts from the beginning behind it.
void murandGenerator_st::beginMtgp32() {
  if (engine_ == nullptr) return;
  if (position_ >= start_) {
    const std::uint64_t row = musashim::rand::mtgp32Row(musashim::rand::mtgp32Lanes(ordering_));
    old_ = engine_;
    start_ = (position_ - start_ + row - 1) / row * row + start_;
  }
  engine_.reset();
}

murandStatus_t murandGenerator_st::setSeed(unsigned long long seed) {
  if (quasi()) return MURAND_STATUS_TYPE_ERROR;
  if (seed != seed_) begin();
  seed_ = seed;
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t murandGenerator_st::setOffset(unsigned long long offset) {
  if (type_ == MURAND_RNG_PSEUDO_MT19937 || type_ == MURAND_RNG_PSEUDO_MTGP32)
    return MURAND_STATUS_TYPE_ERROR;
  // As cuRAND's host generators: half of the offset is lost.
  if (onHost_ && type_ == MURAND_RNG_QUASI_SCRAMBLED_SOBOL64) offset &= 0xffffffffu;
  position_ = start_ = offset;
  engine_.reset();
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t murandGenerator_st::setOrdering(murandOrdering_t ordering) {
  const bool fits = [&] {
    switch (ordering) {
      case MURAND_ORDERING_PSEUDO_DEFAULT:
      case MURAND_ORDERING_PSEUDO_LEGACY:
        return !quasi();
      case MURAND_ORDERING_PSEUDO_BEST:
        return !quasi() && !(onHost_ && type_ == MURAND_RNG_PSEUDO_MT19937);
      case MURAND_ORDERING_PSEUDO_SEEDED:
        return type_ == MURAND_RNG_PSEUDO_XORWOW;
      case MURAND_ORDERING_QUASI_DEFAULT:
        return quasi();
      default:
        return false;
    }
  }();
  if (!fits) return MURAND_STATUS_OUT_OF_RANGE;
  if (ordering != ordering_) begin();
  ordering_ = ordering;
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t murandGenerator_st::setDimensions(unsigned int dimensions) {
  if (!quasi()) return MURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > kMostDimensions) return MURAND_STATUS_OUT_OF_RANGE;
  dimensions_ = dimensions;
  engine_.reset();
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t murandGenerator_st::prepare() {
  if (engine_) return MURAND_STATUS_SUCCESS;
  engine_ = musashim::rand::makeEngine(type_, seed_, position_, ordering_, dimensions_);
  if (old_ && position_ < start_) engine_ = musashim::rand::mtgp32After(old_, start_ - position_, engine_);
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t murandGenerator_st::check(const Request& request, std::size_t count) const {
  if (request.kind == Kind::LongWord && !longWords()) return MURAND_STATUS_TYPE_ERROR;
  if (request.kind == Kind::Word && longWords()) return MURAND_STATUS_TYPE_ERROR;
  const bool poisson = request.kind == Kind::Poisson;
  if (poisson && (request.lambda <= 0 || request.lambda > musashim::rand::kLargestLambda))
    return MURAND_STATUS_OUT_OF_RANGE;
  if (quasi() && count % dimensions_ != 0) return MURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const bool normal = request.kind == Kind::Normal || request.kind == Kind::NormalDouble;
  if (normal && pairs() && count % 2 != 0) return MURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return MURAND_STATUS_SUCCESS;
}

murandStatus_t murandGenerator_st::generate(const Request& request, void* out, std::size_t count) {
  if (const murandStatus_t status = check(request, count); status != MURAND_STATUS_SUCCESS) return status;
  if (count == 0) return MURAND_STATUS_SUCCESS;
  prepare();
  const bool normal = request.kind == Kind::Normal || request.kind == Kind::NormalDouble;
  position_ += quasi() ? count / dimensions_ : normal && pairs() ? count / 2 : count;
  Request whole = request;
  whole.shape.onDevice = !onHost_;
  if (whole.kind == Kind::Poisson && !quasi() && type_ != MURAND_RNG_PSEUDO_MTGP32 &&
      whole.lambda < musashim::rand::kNormalFrom)
    whole.histogram = std::make_shared<musashim::rand::Histogram>(whole.lambda);
  if (onHost_) {
    engine_->generate(whole, out, count);
    return MURAND_STATUS_SUCCESS;
  }
  auto work = [engine = engine_, whole = std::move(whole), out, count] {
    engine->generate(whole, out, count);
  };
  return musashim::libs::runOnStream(stream_, std::move(work)) == musaSuccess ? MURAND_STATUS_SUCCESS
                                                                              : MURAND_STATUS_LAUNCH_FAILURE;
}
