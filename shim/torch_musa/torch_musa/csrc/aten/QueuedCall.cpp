// PyTorch's meta kernels tell the sizes of results, the CPU's kernel fills them later.
#include "torch_musa/csrc/aten/QueuedCall.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty_strided.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/pybind.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "torch_musa/csrc/aten/Arguments.h"
#include "torch_musa/csrc/aten/Memory.h"
#include "torch_musa/csrc/core/Generator.h"
#include "torch_musa/csrc/core/Queue.h"

namespace at::musa {
namespace {

using c10::IValue;
using torch::jit::Stack;

bool isNotImplemented(PyObject* type) {
  const py::gil_scoped_acquire interpreter;
  return type != nullptr && PyErr_GivenExceptionMatches(type, PyExc_NotImplementedError) != 0;
}

class QueuedCall {
 public:
  QueuedCall(const c10::OperatorHandle& op, Stack& stack, c10::DeviceIndex device)
      : op_(op), stack_(stack), device_(device), count_(op.schema().arguments().size()) {}

  bool queue() {
    for (const auto& argument : op_.schema().arguments()) {
      // Numbers are drawn in the order of calls, unless a graph draws them each time that it runs.
      if (isGeneratorArgument(argument) && !c10::musa::capturing(device_)) return false;
    }
    if (!findSizes()) return false;
    const std::size_t begin = stack_.size() - count_;
    Stack arguments;
    for (std::size_t i = 0; i < count_; ++i) arguments.push_back(inside(stack_[begin + i], i));
    std::vector<Tensor> fresh;
    std::vector<IValue> results;
    for (const IValue& meta : metaResults_)
      results.push_back(withTensors(meta, [&](const Tensor& one) { return result(one, fresh); }));
    stack_.resize(begin);
    for (IValue& value : results) stack_.push_back(std::move(value));
    c10::musa::queueWork(device_, op_.schema().name(),
                         [op = op_, arguments = std::move(arguments), fresh = std::move(fresh)] {
                           const at::AutoDispatchBelowAutograd below;
                           Stack stack = arguments;
                           op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &stack);
                           fill(stack, fresh);
                         });
    return true;
  }

 private:
  // Runs the meta kernel; false if there is none for this call.
  bool findSizes() {
    const std::size_t begin = stack_.size() - count_;
    Stack metas;
    for (std::size_t i = 0; i < count_; ++i) metas.push_back(asMeta(stack_[begin + i], i));
    try {
      op_.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::Meta), &metas);
    } catch (const c10::NotImplementedError&) {
      return false;
    } catch (const python_error& error) {  // some meta kernels are in Python
      if (!isNotImplemented(error.type)) throw;
      return false;
    } catch (const py::error_already_set& error) {
      if (!isNotImplemented(error.type().ptr())) throw;
      return false;
    }
    const std::size_t results = op_.schema().returns().size();
    metaResults_.assign(metas.end() - static_cast<std::ptrdiff_t>(results), metas.end());
    for (const IValue& value : metaResults_) {
      if (!value.isTensor() && !value.isTensorList()) return false;  // a number that only the values tell
    }
    // An out= tensor takes the size that the result has.
    for (auto& [impl, meta] : metas_) {
      const Tensor& ours = ours_.at(impl);
      if (ours.sizes() != meta.sizes()) ours.resize_(meta.sizes());
    }
    return true;
  }

  IValue asMeta(const IValue& value, std::size_t at) {
    if (isGeneratorArgument(op_.schema().arguments()[at])) return {};
    if (value.isDevice() && value.toDevice().type() == c10::musa::kDevice) return c10::Device(c10::kMeta);
    return withTensors(value, [&](const Tensor& tensor) { return metaOf(tensor); });
  }

  Tensor metaOf(const Tensor& tensor) {
    if (!isOurs(tensor)) return tensor;
    auto* const impl = tensor.unsafeGetTensorImpl();
    if (const auto known = metas_.find(impl); known != metas_.end()) return known->second;
    Tensor meta = at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(c10::kMeta));
    if (tensor.is_conj()) meta._set_conj(true);
    if (tensor.is_neg()) meta._set_neg(true);
    metas_.emplace(impl, meta);
    ours_.emplace(impl, tensor);
    return meta;
  }

  // What the CPU's kernel is given. The memory is not held: as on a card, it may be given back while work is
  // queued, and is taken again by later work of the same stream only.
  IValue inside(const IValue& value, std::size_t at) {
    if (isGeneratorArgument(op_.schema().arguments()[at])) {
      const bool given = value.isGenerator() && value.toGenerator().device().type() == c10::musa::kDevice;
      return insideOf(given ? value.toGenerator() : defaultGenerator(device_));
    }
    if (value.isDevice() && value.toDevice().type() == c10::musa::kDevice) return c10::Device(c10::kCPU);
    return withTensors(value, [](const Tensor& tensor) { return isOurs(tensor) ? onCpu(tensor) : tensor; });
  }

  // The tensor of a result: one that was handed in, or a new one, of which `fresh` has the CPU's sight;
  // undefined in `fresh` else.
  Tensor result(const Tensor& meta, std::vector<Tensor>& fresh) {
    for (const auto& [impl, known] : metas_) {
      if (known.unsafeGetTensorImpl() != meta.unsafeGetTensorImpl()) continue;
      fresh.emplace_back();
      return ours_.at(impl);
    }
    if (!meta.defined() || meta.device().type() != c10::kMeta) {
      fresh.emplace_back();
      return meta;
    }
    const Tensor made = at::empty_strided(meta.sizes(), meta.strides(),
                                          meta.options().device(c10::Device(c10::musa::kDevice, device_)));
    fresh.push_back(onCpu(made));
    return made;
  }

  static void fill(const Stack& stack, const std::vector<Tensor>& fresh) {
    std::size_t at = 0;
    for (const IValue& value : stack) {
      const auto next = [&](const Tensor& computed) {
        const Tensor& target = fresh[at++];
        if (target.defined() && computed.defined()) target.copy_(computed);
        return computed;
      };
      (void)withTensors(value, next);
    }
  }

  const c10::OperatorHandle& op_;
  Stack& stack_;
  c10::DeviceIndex device_;
  std::size_t count_;
  std::unordered_map<c10::TensorImpl*, Tensor> metas_;
  std::unordered_map<c10::TensorImpl*, Tensor> ours_;
  std::vector<IValue> metaResults_;
};

}  // namespace

bool queueCall(const c10::OperatorHandle& op, Stack& stack, c10::DeviceIndex device) {
  return QueuedCall(op, stack, device).queue();
}

}  // namespace at::musa
