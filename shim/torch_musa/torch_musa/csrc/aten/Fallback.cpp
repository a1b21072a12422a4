// Operators by the CPU's kernels, on the device's memory where it lies.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <unordered_map>
#include <vector>

#include "torch_musa/csrc/aten/Memory.h"
#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/core/Generator.h"

namespace at::musa {
namespace {

using c10::IValue;

// One call: which device, and which tensors of the CPU stand for which of ours.
class Call {
 public:
  Call(const c10::OperatorHandle& op, torch::jit::Stack* stack) : op_(op), stack_(stack) {}

  void run() {
    const auto& schema = op_.schema();
    const std::size_t count = schema.arguments().size(), begin = stack_->size() - count;
    for (std::size_t i = 0; i < count; ++i) lookAt((*stack_)[begin + i], schema.arguments()[i]);
    if (device_ < 0) device_ = deviceOfArguments(begin, count);
    checkOthers();
    const c10::musa::DeviceScope scope(device_);
    finishStream(device_);
    for (std::size_t i = 0; i < count; ++i)
      (*stack_)[begin + i] = inside((*stack_)[begin + i], schema.arguments()[i]);
    op_.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack_);
    const std::size_t results = schema.returns().size(), first = stack_->size() - results;
    for (std::size_t i = 0; i < results; ++i) (*stack_)[first + i] = outside((*stack_)[first + i]);
  }

 private:
  void lookAt(const IValue& value, const c10::Argument& argument) {
    if (value.isTensor()) {
      look(value.toTensor(), argument);
    } else if (value.isTensorList()) {
      for (const Tensor& tensor : value.toTensorVector()) look(tensor, argument);
    } else if (value.isOptionalTensorList()) {
      for (const std::optional<Tensor>& tensor : value.toOptionalTensorList().vec()) {
        if (tensor.has_value()) look(*tensor, argument);
      }
    }
  }

  void look(const Tensor& tensor, const c10::Argument& argument) {
    if (!tensor.defined()) return;
    if (!isOurs(tensor)) {
      // Numbers that became tensors, and indices, come from anywhere.
      if (tensor.dim() > 0 && argument.name() != "indices") others_.push_back(tensor);
      return;
    }
    if (device_ < 0) device_ = tensor.device().index();
    if (device_ != tensor.device().index()) others_.push_back(tensor);
  }

  // Of factories: their device, or the current one.
  c10::DeviceIndex deviceOfArguments(std::size_t begin, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      const IValue& value = (*stack_)[begin + i];
      if (value.isDevice() && value.toDevice().has_index()) return value.toDevice().index();
      if (value.isGenerator() && value.toGenerator().device().type() == c10::musa::kDevice)
        return value.toGenerator().device().index();
    }
    return c10::musa::current_device();
  }

  void checkOthers() const {
    if (others_.empty()) return;
    TORCH_CHECK(false, "Expected all tensors to be on the same device, but found at least two devices, ",
                c10::Device(c10::musa::kDevice, device_), " and ", others_.front().device(),
                "! (when checking argument in method ", op_.schema().name(), ")");
  }

  Tensor inside(const Tensor& tensor) {
    if (!isOurs(tensor)) return tensor;
    const auto known = insides_.find(tensor.unsafeGetTensorImpl());
    if (known != insides_.end()) return known->second;
    Tensor made = onCpu(tensor);
    insides_.emplace(tensor.unsafeGetTensorImpl(), made);
    ours_.push_back(tensor);
    return made;
  }

  IValue inside(const IValue& value, const c10::Argument& argument) {
    if (value.isTensor()) return inside(value.toTensor());
    if (value.isTensorList()) {
      std::vector<Tensor> made;
      for (const Tensor& tensor : value.toTensorVector()) made.push_back(inside(tensor));
      return made;
    }
    if (value.isOptionalTensorList()) {
      c10::List<std::optional<Tensor>> made;
      for (const std::optional<Tensor>& tensor : value.toOptionalTensorList().vec())
        made.push_back(tensor.has_value() ? std::optional<Tensor>(inside(*tensor)) : std::nullopt);
      return made;
    }
    if (value.isDevice() && value.toDevice().type() == c10::musa::kDevice) return c10::Device(c10::kCPU);
    if (value.isGenerator()) {
      const Generator generator = value.toGenerator();
      return generator.device().type() == c10::musa::kDevice ? insideOf(generator) : generator;
    }
    const bool wantsGenerator = argument.type()->kind() == c10::TypeKind::OptionalType &&
                                argument.type()->castRaw<c10::OptionalType>()->getElementType()->kind() ==
                                    c10::TypeKind::GeneratorType;
    if (value.isNone() && wantsGenerator) return insideOf(defaultGenerator(device_));
    return value;
  }

  // One of ours that was handed in comes back as itself; a view of its memory as a view; what is new is
  // moved.
  Tensor outside(const Tensor& tensor) {
    if (!tensor.defined() || isOurs(tensor)) return tensor;
    for (const Tensor& ours : ours_) {
      const Tensor& made = insides_.at(ours.unsafeGetTensorImpl());
      if (made.unsafeGetTensorImpl() == tensor.unsafeGetTensorImpl()) {
        takeShape(ours, made);
        return ours;
      }
      const bool shares =
          tensor.storage().data() != nullptr && tensor.storage().data() == made.storage().data();
      if (shares) return ours.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
    }
    return toDevice(tensor, device_);
  }

  // An out= tensor that was resized: its memory is the CPU's now.
  void takeShape(const Tensor& ours, const Tensor& made) const {
    if (ours.sizes() == made.sizes() && ours.storage().data() == made.storage().data()) return;
    ours.resize_(made.sizes());
    const Tensor target = onCpu(ours);
    target.copy_(made);
  }

  IValue outside(const IValue& value) {
    if (value.isTensor()) return outside(value.toTensor());
    if (value.isTensorList()) {
      std::vector<Tensor> made;
      for (const Tensor& tensor : value.toTensorVector()) made.push_back(outside(tensor));
      return made;
    }
    return value;
  }

  const c10::OperatorHandle& op_;
  torch::jit::Stack* stack_;
  c10::DeviceIndex device_ = -1;
  std::vector<Tensor> ours_;
  std::vector<Tensor> others_;
  std::unordered_map<c10::TensorImpl*, Tensor> insides_;
};

void runOnCpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) { Call(op, stack).run(); }

}  // namespace

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&runOnCpu>()); }

}  // namespace at::musa
