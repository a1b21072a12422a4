// musa::dnn::Interpolate.
#include "libs/mudnn/sequences/interpolate.h"

#include <mudnncxx/mudnn_nn.h>

#include <algorithm>

#include "libs/mudnn/cxx/formats.h"

namespace musa::dnn {

using musashim::mudnn::channelsSecond;
using musashim::mudnn::Interpolation;
using musashim::mudnn::run;

Status Interpolate::SetMode(Mode mode) {
  if (mode < Mode::NEAREST || mode > Mode::BICUBIC) return Status::INVALID_PARAMETER;
  mode_ = mode;
  return Status::SUCCESS;
}
Status Interpolate::SetScaleInfo(std::initializer_list<float> scales) {
  return SetScaleInfo(static_cast<int>(scales.size()), scales.begin());
}
Status Interpolate::SetScaleInfo(int count, const float* scales) {
  if (count < 0 || count > 3 || (count > 0 && !scales)) return Status::INVALID_PARAMETER;
  if (std::any_of(scales, scales + count, [](float scale) { return !(scale > 0); }))
    return Status::INVALID_PARAMETER;
  count_ = count;
  std::copy_n(scales, count, scales_);
  return Status::SUCCESS;
}
Status Interpolate::SetAlignCorners(bool align) {
  align_ = align;
  return Status::SUCCESS;
}
Status Interpolate::SetAntialias(bool antialias) {
  antialias_ = antialias;
  return Status::SUCCESS;
}
Status Interpolate::Run(Handle& handle, Tensor& out, const Tensor& in) const {
  return run("Interpolate::Run", handle, [&] {
    return musashim::mudnn::interpolate(
        {static_cast<Interpolation::Mode>(mode_), {scales_, scales_ + count_}, align_, antialias_},
        channelsSecond(out), channelsSecond(in));
  });
}
Status Interpolate::RunBackward(Handle& handle, Tensor& gradIn, const Tensor& gradOut) const {
  return run("Interpolate::RunBackward", handle, [&] {
    Interpolation settings{
        static_cast<Interpolation::Mode>(mode_), {scales_, scales_ + count_}, align_, antialias_};
    for (double& scale : settings.scales) scale = 1 / scale;
    return musashim::mudnn::interpolateBackward(settings, channelsSecond(gradIn), channelsSecond(gradOut));
  });
}

}  // namespace musa::dnn
