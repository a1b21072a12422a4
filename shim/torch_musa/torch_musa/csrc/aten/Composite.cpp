// Operators that PyTorch asks of a backend under names that the CPU's kernels do not have.
#include <ATen/ATen.h>
#include <ATen/native/ConvUtils.h>
#include <torch/library.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "torch_musa/csrc/aten/Memory.h"
#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/core/Queue.h"

namespace at::musa {
namespace {

Tensor seen(const Tensor& tensor) { return tensor.defined() ? onCpu(tensor) : tensor; }
std::optional<Tensor> seen(const std::optional<Tensor>& tensor) {
  return tensor.has_value() ? std::optional<Tensor>(seen(*tensor)) : std::nullopt;
}
using Size = std::optional<std::vector<int64_t>>;  // none: the result is not wanted
Tensor moved(const Tensor& tensor, const Tensor& like) {
  return tensor.defined() ? toDevice(tensor, like.device().index()) : tensor;
}

std::string typeName(const Tensor& tensor) {
  return isOurs(tensor) ? c10::str("torch.musa.", tensor.scalar_type(), "Tensor") : tensor.toString();
}

// Results whose sizes are known: computed now, or queued.
template <std::size_t kCount, class Compute>
std::array<Tensor, kCount> computed(const char* name, const Tensor& like,
                                    const std::array<Size, kCount>& sizes, Compute compute) {
  const c10::DeviceIndex device = like.device().index();
  const c10::musa::DeviceScope scope(device);
  std::array<Tensor, kCount> results;
  if (!c10::musa::queues(device)) {
    finishStream(device);
    const auto made = compute();
    for (std::size_t i = 0; i < kCount; ++i) results[i] = moved(made[i], like);
    return results;
  }
  std::array<Tensor, kCount> targets;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (!sizes[i].has_value()) continue;
    results[i] = at::empty(*sizes[i], like.options());
    targets[i] = onCpu(results[i]);
  }
  c10::musa::queueWork(device, name, [targets, compute = std::move(compute)] {
    const auto made = compute();
    for (std::size_t i = 0; i < kCount; ++i) {
      if (targets[i].defined() && made[i].defined()) targets[i].copy_(made[i]);
    }
  });
  return results;
}

// How a convolution's results lie, whatever the CPU's libraries choose: by the rule that CUDA's have, and
// that musa/convolution.py tells PyTorch's meta kernels.
c10::MemoryFormat formatOf(const Tensor& input, const Tensor& weight) {
  if (input.scalar_type() == at::kDouble || weight.scalar_type() == at::kDouble)
    return c10::MemoryFormat::Contiguous;
  const auto format = input.suggest_memory_format();
  return format == c10::MemoryFormat::Contiguous ? weight.suggest_memory_format() : format;
}
Tensor laid(const Tensor& tensor, c10::MemoryFormat format) {
  return tensor.defined() && tensor.dim() > 1 ? tensor.contiguous(format) : tensor;
}

Tensor convolution(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                   IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                   IntArrayRef outputPadding, int64_t groups) {
  TORCH_CHECK(input.options().type_equal(weight.options()), "Input type (", typeName(input),
              ") and weight type (", typeName(weight), ") should be the same");
  const auto size = transposed
                        ? native::conv_input_size(input.sizes(), weight.sizes(), padding, outputPadding,
                                                  stride, dilation, groups)
                        : native::conv_output_size(input.sizes(), weight.sizes(), padding, stride, dilation);
  const auto result =
      computed<1>("aten::convolution", input, {Size(size)},
                  [input = seen(input), weight = seen(weight), bias = seen(bias), stride = stride.vec(),
                   padding = padding.vec(), dilation = dilation.vec(), transposed,
                   outputPadding = outputPadding.vec(), groups]() -> std::array<Tensor, 1> {
                    return {at::convolution(input, weight, bias, stride, padding, dilation, transposed,
                                            outputPadding, groups)};
                  })[0];
  return laid(result, formatOf(input, weight));
}

std::tuple<Tensor, Tensor, Tensor> convolutionBackward(const Tensor& grad, const Tensor& input,
                                                       const Tensor& weight, IntArrayRef stride,
                                                       IntArrayRef padding, IntArrayRef dilation,
                                                       bool transposed, IntArrayRef outputPadding,
                                                       int64_t groups, std::array<bool, 3> mask) {
  const int64_t channels = transposed ? weight.size(1) * groups : weight.size(0);
  const auto sizeIf = [](bool wanted, IntArrayRef size) { return wanted ? Size(size.vec()) : std::nullopt; };
  const auto results = computed<3>(
      "aten::convolution_backward", input,
      {sizeIf(mask[0], input.sizes()), sizeIf(mask[1], weight.sizes()), sizeIf(mask[2], {channels})},
      [grad = seen(grad), input = seen(input), weight = seen(weight), stride = stride.vec(),
       padding = padding.vec(), dilation = dilation.vec(), transposed, outputPadding = outputPadding.vec(),
       groups, mask, channels]() -> std::array<Tensor, 3> {
        const auto [toInput, toWeight, toBias] =
            at::convolution_backward(grad, input, weight, at::IntArrayRef({channels}), stride, padding,
                                     dilation, transposed, outputPadding, groups, mask);
        return {toInput, toWeight, toBias};
      });
  const auto format = formatOf(input, weight);
  return {laid(results[0], format), laid(results[1], format), results[2]};
}

Tensor zeroTensor(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                  std::optional<c10::Device> device, std::optional<bool> /*pin*/) {
  return at::zeros(size, dtype, layout, device.value_or(c10::Device(c10::musa::kDevice)), false);
}

// Draws from the device's generator, as the CPU's kernel does from its own: it takes none.
std::tuple<Tensor, Tensor> nativeDropout(const Tensor& input, double probability, std::optional<bool> train) {
  const auto boolean = input.options().dtype(at::kBool);
  if (!train.value_or(true)) return {input.clone(), at::ones_like(input, boolean)};
  const double kept = 1 - probability;
  Tensor mask = at::empty_like(input, boolean);
  mask.bernoulli_(kept);
  return {input.mul(mask).mul_(kept == 0 ? 0 : 1 / kept), mask};
}

// One step of an LSTM: what is kept for the way back are the four gates.
std::tuple<Tensor, Tensor, Tensor> lstmCell(const Tensor& inputGates, const Tensor& hiddenGates,
                                            const Tensor& cell, const std::optional<Tensor>& inputBias,
                                            const std::optional<Tensor>& hiddenBias) {
  Tensor gates = inputGates + hiddenGates;
  if (inputBias.has_value() && inputBias->defined()) gates = gates + *inputBias + *hiddenBias;
  const auto parts = gates.chunk(4, 1);
  const Tensor in = parts[0].sigmoid(), forget = parts[1].sigmoid(), fresh = parts[2].tanh(),
               out = parts[3].sigmoid();
  const Tensor next = forget * cell + in * fresh;
  return {out * next.tanh(), next, at::cat({in, forget, fresh, out}, 1)};
}

std::tuple<Tensor, Tensor, Tensor> lstmCellBackward(const std::optional<Tensor>& toHidden,
                                                    const std::optional<Tensor>& toCell, const Tensor& cell,
                                                    const Tensor& next, const Tensor& workspace,
                                                    bool hasBias) {
  const auto parts = workspace.chunk(4, 1);
  const Tensor &in = parts[0], &forget = parts[1], &fresh = parts[2], &out = parts[3];
  const Tensor tanhNext = next.tanh();
  Tensor grad = toCell.has_value() && toCell->defined() ? *toCell : at::zeros_like(next);
  Tensor toOut = at::zeros_like(out);
  if (toHidden.has_value() && toHidden->defined()) {
    toOut = *toHidden * tanhNext;
    grad = grad + *toHidden * out * (1 - tanhNext * tanhNext);
  }
  const Tensor gates = at::cat({grad * fresh * in * (1 - in), grad * cell * forget * (1 - forget),
                                grad * in * (1 - fresh * fresh), toOut * out * (1 - out)},
                               1);
  return {gates, grad * forget, hasBias ? gates.sum({0}) : Tensor()};
}

// One step of a GRU; kept: reset, update, new gate, the state before, the hidden part of the new gate.
std::tuple<Tensor, Tensor> gruCell(const Tensor& inputGates, const Tensor& hiddenGates, const Tensor& before,
                                   const std::optional<Tensor>& inputBias,
                                   const std::optional<Tensor>& hiddenBias) {
  const bool biased = inputBias.has_value() && inputBias->defined();
  const auto in = (biased ? inputGates + *inputBias : inputGates).chunk(3, 1);
  const auto hidden = (biased ? hiddenGates + *hiddenBias : hiddenGates).chunk(3, 1);
  const Tensor reset = (in[0] + hidden[0]).sigmoid(), update = (in[1] + hidden[1]).sigmoid();
  const Tensor fresh = (in[2] + reset * hidden[2]).tanh();
  return {fresh + update * (before - fresh), at::cat({reset, update, fresh, before, hidden[2]}, 1)};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> gruCellBackward(const Tensor& grad,
                                                                   const Tensor& workspace, bool hasBias) {
  const auto kept = workspace.chunk(5, 1);
  const Tensor &reset = kept[0], &update = kept[1], &fresh = kept[2], &before = kept[3], &hidden = kept[4];
  const Tensor toFresh = grad * (1 - update) * (1 - fresh * fresh);
  const Tensor toUpdate = grad * (before - fresh) * update * (1 - update);
  const Tensor toReset = toFresh * hidden * reset * (1 - reset);
  const Tensor inputs = at::cat({toReset, toUpdate, toFresh}, 1),
               hiddens = at::cat({toReset, toUpdate, toFresh * reset}, 1);
  return {inputs, hiddens, grad * update, hasBias ? inputs.sum({0}) : Tensor(),
          hasBias ? hiddens.sum({0}) : Tensor()};
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("convolution_overrideable", convolution);
  m.impl("convolution_backward_overrideable", convolutionBackward);
  m.impl("_efficientzerotensor", zeroTensor);
  m.impl("native_dropout", nativeDropout);
  m.impl("_thnn_fused_lstm_cell", lstmCell);
  m.impl("_thnn_fused_lstm_cell_backward_impl", lstmCellBackward);
  m.impl("_thnn_fused_gru_cell", gruCell);
  m.impl("_thnn_fused_gru_cell_backward", gruCellBackward);
}

}  // namespace at::musa
