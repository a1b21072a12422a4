// musa::dnn::Unary, Binary, Ternary and Fill.
#include "libs/mudnn/operations/elementwise/elementwise.h"

#include "libs/mudnn/cxx/entry.h"

namespace musa::dnn {

using musashim::mudnn::given;
using musashim::mudnn::run;

template <class Mode>
static Status setMode(Mode& mode, Mode value, Mode last) {
  if (static_cast<int>(value) < 0 || value > last) return Status::INVALID_PARAMETER;
  mode = value;
  return Status::SUCCESS;
}

Status Unary::SetMode(Mode mode) { return setMode(mode_, mode, Mode::IS_FINITE); }
Status Unary::SetAlpha(Scalar alpha) {
  alpha_ = alpha;
  return Status::SUCCESS;
}
Status Unary::SetBeta(Scalar beta) {
  beta_ = beta;
  return Status::SUCCESS;
}
Status Unary::Run(Handle& handle, Tensor& out, const Tensor& in) const {
  return run("Unary::Run", handle,
             [&] { return musashim::mudnn::unary(mode_, alpha_, beta_, given(out), given(in)); });
}

Status Binary::SetMode(Mode mode) { return setMode(mode_, mode, Mode::SQRT_BW); }
Status Binary::SetAlpha(Scalar alpha) {
  alpha_ = alpha;
  return Status::SUCCESS;
}
Status Binary::Run(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r) const {
  return run("Binary::Run", handle,
             [&] { return musashim::mudnn::binary(mode_, alpha_, given(out), given(l), given(r)); });
}

Status Ternary::SetMode(Mode mode) { return setMode(mode_, mode, Mode::ADDCDIV_ALPHA); }
Status Ternary::SetAlpha(Scalar alpha) {
  alpha_ = alpha;
  return Status::SUCCESS;
}
Status Ternary::Run(Handle& handle, Tensor& out, const Tensor& a, const Tensor& b, const Tensor& c) const {
  return run("Ternary::Run", handle, [&] {
    return musashim::mudnn::ternary(mode_, alpha_, given(out), given(a), given(b), given(c));
  });
}

Status Fill::SetValue(Scalar value) {
  value_ = value;
  return Status::SUCCESS;
}
Status Fill::Run(Handle& handle, Tensor& out) const {
  return run("Fill::Run", handle, [&] { return musashim::mudnn::fill(value_, given(out)); });
}
Status Fill::Run(Handle& handle, Tensor& out, const Tensor& mask) const {
  return run("Fill::Run", handle,
             [&] { return musashim::mudnn::fillWhere(value_, given(out), given(mask)); });
}

}  // namespace musa::dnn
