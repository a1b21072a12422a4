// musa::dnn::Dropout, Glu and SwiGlu.
#include "libs/mudnn/operations/elementwise/gates.h"

#include <mudnncxx/mudnn_nn.h>

#include "libs/mudnn/cxx/entry.h"

namespace musa::dnn {

using musashim::mudnn::given;
using musashim::mudnn::run;

Status Dropout::SetP(double probability) {
  if (!(probability >= 0 && probability <= 1)) return Status::INVALID_PARAMETER;
  probability_ = probability;
  return Status::SUCCESS;
}
Status Dropout::SetScale(double scale) {
  scale_ = scale;
  return Status::SUCCESS;
}
Status Dropout::SetSeed(uint64_t seed) {
  seed_ = seed;
  seedAt_ = nullptr;
  return Status::SUCCESS;
}
Status Dropout::SetSeed(const uint64_t* seed) {
  if (!seed) return Status::INVALID_PARAMETER;
  seedAt_ = seed;
  return Status::SUCCESS;
}
Status Dropout::SetOffset(uint64_t offset) {
  offset_ = offset;
  offsetAt_ = nullptr;
  return Status::SUCCESS;
}
Status Dropout::SetOffset(const uint64_t* offset, uint64_t more) {
  if (!offset) return Status::INVALID_PARAMETER;
  offset_ = more;
  offsetAt_ = offset;
  return Status::SUCCESS;
}
Status Dropout::RunDropout(Handle& handle, Tensor& out, const Tensor& in, Tensor& mask) const {
  return run("Dropout::RunDropout", handle, [&] {
    return musashim::mudnn::dropout({probability_, seed_, offset_, seedAt_, offsetAt_}, given(out), given(in),
                                    given(mask));
  });
}
Status Dropout::RunDropoutBwd(Handle& handle, Tensor& gradIn, const Tensor& gradOut,
                              const Tensor& mask) const {
  return run("Dropout::RunDropoutBwd", handle, [&] {
    return musashim::mudnn::dropoutBackward(scale_, given(gradIn), given(gradOut), given(mask));
  });
}

Status Glu::SetAxis(int axis) {
  axis_ = axis;
  return Status::SUCCESS;
}
Status Glu::Run(Handle& handle, Tensor& out, const Tensor& in) const {
  return run("Glu::Run", handle, [&] {
    return musashim::mudnn::gated(musashim::mudnn::Gate::kSigmoidOfSecond, axis_, given(out), given(in));
  });
}

Status SwiGlu::Run(Handle& handle, Tensor& out, const Tensor& in) const {
  return run("SwiGlu::Run", handle, [&] {
    return musashim::mudnn::gated(musashim::mudnn::Gate::kSiluOfFirst, -1, given(out), given(in));
  });
}
Status SwiGlu::RunBwd(Handle& handle, Tensor& gradIn, const Tensor& in, const Tensor& gradOut) const {
  return run("SwiGlu::RunBwd", handle,
             [&] { return musashim::mudnn::swiGluBackward(given(gradIn), given(in), given(gradOut)); });
}

}  // namespace musa::dnn
