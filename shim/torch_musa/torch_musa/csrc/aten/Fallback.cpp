// Operators by the CPU's kernels, on the device's memory where it lies.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "torch_musa/csrc/aten/Arguments.h"
#include "torch_musa/csrc/aten/Memory.h"
#include "torch_musa/csrc/aten/Nested.h"
#include "torch_musa/csrc/aten/QueuedCall.h"
#include "torch_musa/csrc/aten/Sparse.h"
#include "torch_musa/csrc/core/Device.h"
#include "torch_musa/csrc/core/Generator.h"
#include "torch_musa/csrc/core/Queue.h"
#include "torch_musa/csrc/core/SyncDebug.h"

namespace at::musa {
namespace {

using c10::IValue;

// One call: which device, and which tensors of the CPU stand for which of ours.
class Call {
 public:
  /// `key`: the CPU's kernels that are asked.
  Call(const c10::OperatorHandle& op, c10::DispatchKey key, torch::jit::Stack* stack)
      : op_(op), key_(key), stack_(stack) {}

  void run() {
    const auto& schema = op_.schema();
    const std::size_t count = schema.arguments().size(), begin = stack_->size() - count;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& argument = schema.arguments()[i];
      forEachTensor((*stack_)[begin + i], [&](const Tensor& tensor) { look(tensor, argument); });
    }
    const bool hasTensor = device_ >= 0;
    if (!hasTensor) device_ = deviceOfArguments(begin, count);
    checkGenerators(begin, count, hasTensor);
    checkOthers();
    const c10::musa::DeviceScope scope(device_);
    // A view is of memory alone, nothing waits for it.
    if (!isView()) {
      if (c10::musa::syncDebugMode() != c10::musa::SyncDebugMode::kDefault && needsValues())
        c10::musa::tellSynchronizing();
      const bool mayQueue = key_ == c10::DispatchKey::CPU && c10::musa::queues(device_);
      if (mayQueue && queueCall(op_, *stack_, device_)) return;
      finishStream(device_);
    }
    for (std::size_t i = 0; i < count; ++i)
      (*stack_)[begin + i] = inside((*stack_)[begin + i], schema.arguments()[i]);
    op_.redispatchBoxed(c10::DispatchKeySet(key_), stack_);
    const std::size_t results = schema.returns().size(), first = stack_->size() - results;
    for (std::size_t i = 0; i < results; ++i) (*stack_)[first + i] = outside((*stack_)[first + i]);
  }

 private:
  bool isView() const {
    const auto& returns = op_.schema().returns();
    return !returns.empty() && std::all_of(returns.begin(), returns.end(), [](const c10::Argument& one) {
      return one.alias_info() != nullptr && !one.alias_info()->isWrite();
    });
  }

  // Whether the result's size, or the result itself, is known on the host only when the values are.
  bool needsValues() const {
    return op_.hasTag(at::Tag::dynamic_output_shape) || op_.hasTag(at::Tag::data_dependent_output);
  }

  void look(const Tensor& tensor, const c10::Argument& argument) {
    // Of a list the mark is on what it holds.
    const bool written =
        argument.alias_info() != nullptr &&
        (argument.alias_info()->isWrite() || argument.type()->kind() == c10::TypeKind::ListType);
    if (!isOurs(tensor)) {
      // Numbers that became tensors, and indices, come from anywhere; what is written to does not.
      if (written || (tensor.dim() > 0 && argument.name() != "indices" && !describesParts()))
        others_.emplace_back(argument.name(), tensor);
      return;
    }
    // No more shared with lazy clones, before anybody looks where it lies.
    if (written && tensor.layout() == c10::kStrided) (void)tensor.storage().mutable_data();
    if (device_ < 0) device_ = tensor.device().index();
    if (device_ != tensor.device().index()) others_.emplace_back(argument.name(), tensor);
  }

  // What the parts of nested tensors look like is known on the host.
  bool describesParts() const { return op_.schema().name().rfind("aten::_nested_", 0) == 0; }

  // Of factories: their device, or the current one.
  c10::DeviceIndex deviceOfArguments(std::size_t begin, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
      const IValue& value = (*stack_)[begin + i];
      if (value.isDevice() && value.toDevice().has_index()) return value.toDevice().index();
      if (value.isGenerator() && value.toGenerator().device().has_index())
        return value.toGenerator().device().index();
    }
    return c10::musa::current_device();
  }

  void checkGenerators(std::size_t begin, std::size_t count, bool hasTensor) const {
    for (std::size_t i = 0; i < count; ++i) {
      const IValue& value = (*stack_)[begin + i];
      if (!value.isGenerator()) continue;
      const auto type = value.toGenerator().device().type();
      TORCH_CHECK(hasTensor || others_.empty() || type == c10::kCPU,
                  "Expected a 'cpu' device type for generator but found '", type, "'");
      TORCH_CHECK(!hasTensor || type == c10::musa::kDevice,
                  "Expected a 'musa' device type for generator but found '", type, "'");
    }
  }

  // In CUDA's words: those of operators on elements, and those of others.
  void checkOthers() const {
    if (others_.empty()) return;
    const c10::Device here(c10::musa::kDevice, device_);
    const auto& [name, other] = others_.front();
    const auto& returns = op_.schema().returns();
    const bool iterates = op_.hasTag(at::Tag::pointwise) || op_.schema().name() == "aten::index_fill_";
    const bool onElements =
        iterates && !returns.empty() && returns.front().type()->kind() == c10::TypeKind::TensorType;
    const bool outFirst = name == "out" && isOurs(other);
    TORCH_CHECK(!onElements,
                "Expected all tensors to be on the same device, but found at least two devices, ",
                outFirst ? other.device() : here, " and ", outFirst ? here : other.device(), "!");
    std::string method = op_.schema().name().substr(op_.schema().name().find("::") + 2);
    if (method == "equal") method = "_equal";
    const std::string& overload = op_.schema().overload_name();
    if (!overload.empty() && overload != "out") method += "_" + overload;
    TORCH_CHECK(false, "Expected all tensors to be on the same device, but got ", name, " is on ",
                other.device(), ", different from other tensors on ", here,
                " (when checking argument in method wrapper_MUSA_", method, ")");
  }

  Tensor inside(const Tensor& tensor) {
    if (!isOurs(tensor)) return tensor;
    const auto known = insides_.find(tensor.unsafeGetTensorImpl());
    if (known != insides_.end()) return known->second;
    const bool sparse = isSparse(tensor);
    Tensor made = sparse ? sparseLike(tensor, c10::kCPU, [&](const Tensor& part) { return inside(part); })
                         : onCpu(tensor, storageOf(tensor));
    insides_.emplace(tensor.unsafeGetTensorImpl(), made);
    (sparse ? sparse_ : ours_).push_back(tensor);
    return made;
  }

  // One for all that share it.
  c10::Storage storageOf(const Tensor& tensor) {
    for (const Tensor& other : ours_) {
      if (other.is_alias_of(tensor)) return insides_.at(other.unsafeGetTensorImpl()).storage();
    }
    return storageOnCpu(tensor, false);
  }

  IValue inside(const IValue& value, const c10::Argument& argument) {
    if (value.isDevice() && value.toDevice().type() == c10::musa::kDevice) return c10::Device(c10::kCPU);
    if (value.isGenerator()) {
      const Generator generator = value.toGenerator();
      return generator.device().type() == c10::musa::kDevice ? insideOf(generator) : generator;
    }
    if (value.isNone() && isGeneratorArgument(argument)) return insideOf(defaultGenerator(device_));
    return withTensors(value, [&](const Tensor& tensor) { return inside(tensor); });
  }

  // One of ours that was handed in comes back as itself; a view of its memory as a view; what is new is
  // moved.
  Tensor outside(const Tensor& tensor) {
    if (!tensor.defined() || isOurs(tensor)) return tensor;
    if (isSparse(tensor)) return sparseOutside(tensor);
    for (const Tensor& ours : ours_) {
      const Tensor& made = insides_.at(ours.unsafeGetTensorImpl());
      if (made.unsafeGetTensorImpl() == tensor.unsafeGetTensorImpl()) {
        takeShape(ours, made);
        return ours;
      }
      const bool shares =
          tensor.storage().data() != nullptr && tensor.storage().data() == made.storage().data();
      if (!shares) continue;
      if (tensor.is_nested())
        return nestedLike(tensor, ours.storage(), c10::DispatchKey::NestedTensorPrivateUse1);
      return ours.is_nested() ? part(ours, tensor)
                              : ours.as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
    }
    return toDevice(tensor, device_);
  }

  // Of a nested one.
  static Tensor part(const Tensor& nested, const Tensor& like) {
    Tensor made = at::detail::make_tensor<c10::TensorImpl>(
        c10::Storage(nested.storage()), c10::DispatchKeySet(c10::DispatchKey::PrivateUse1), like.dtype());
    made.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
    return made;
  }

  Tensor sparseOutside(const Tensor& tensor) {
    TORCH_CHECK_NOT_IMPLEMENTED(tensor.layout() != c10::kMkldnn, op_.schema().name(),
                                " makes a tensor of oneDNN's, which MUSA does not have");
    const auto part = [&](const Tensor& one) { return outside(one); };
    for (const Tensor& ours : sparse_) {
      const Tensor& made = insides_.at(ours.unsafeGetTensorImpl());
      if (made.unsafeGetTensorImpl() != tensor.unsafeGetTensorImpl()) continue;
      takeParts(ours, made, part);
      return ours;
    }
    return sparseLike(tensor, c10::Device(c10::musa::kDevice, device_), part);
  }

  // An out= tensor that was resized: its memory is the CPU's now.
  void takeShape(const Tensor& ours, const Tensor& made) const {
    // Some results are conjugated, or negated, by a mark alone.
    if (ours.is_nested()) return;
    if (ours.is_conj() != made.is_conj()) ours._set_conj(made.is_conj());
    if (ours.is_neg() != made.is_neg()) ours._set_neg(made.is_neg());
    if (ours.sizes() == made.sizes() && ours.storage().data() == made.storage().data()) return;
    TORCH_CHECK_NOT_IMPLEMENTED(!ours.is_quantized(), op_.schema().name(),
                                " resizes a quantized tensor, which is not supported on MUSA devices");
    ours.resize_(made.sizes());
    if (made.is_non_overlapping_and_dense())
      ours.unsafeGetTensorImpl()->set_sizes_and_strides(made.sizes(), made.strides(), ours.storage_offset());
    const Tensor target = onCpu(ours);
    target.copy_(made);
  }

  IValue outside(const IValue& value) {
    return withTensors(value, [&](const Tensor& tensor) { return outside(tensor); });
  }

  const c10::OperatorHandle& op_;
  const c10::DispatchKey key_;
  torch::jit::Stack* stack_;
  c10::DeviceIndex device_ = -1;
  std::vector<Tensor> ours_, sparse_;
  std::vector<std::pair<std::string, Tensor>> others_;  // by the argument's name
  std::unordered_map<c10::TensorImpl*, Tensor> insides_;
};

template <c10::DispatchKey key = c10::DispatchKey::CPU>
void runOnCpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  Call(op, key, stack).run();
}

bool isHalf(const IValue& value) {
  return value.isTensor() && value.toTensor().defined() &&
         at::isReducedFloatingType(value.toTensor().scalar_type());
}

// Layer norms of 16-bit floats are summed in single precision, and their statistics stay in it, as with CUDA
// and as PyTorch's meta kernels say for devices other than the CPU, whose kernels sum in 16 bits.
void runLayerNorm(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const auto& arguments = op.schema().arguments();
  const std::size_t first = stack->size() - arguments.size();
  const auto argument = [&](const char* name) -> IValue& {
    return (*stack)[first + static_cast<std::size_t>(*op.schema().argumentIndexWithName(name))];
  };
  if (!isHalf(argument("input"))) return runOnCpu<>(op, stack);
  std::vector<std::optional<at::ScalarType>> types(3);  // of the results, where they are not as computed
  const bool backward = op.schema().argumentIndexWithName("grad_out").has_value();
  for (std::size_t i = 0; i < (backward ? 3 : 1); ++i) {
    const IValue& like = argument(std::array{"input", "weight", "bias"}[i]);
    if (isHalf(like)) types[i] = like.toTensor().scalar_type();
  }
  for (std::size_t i = first; i < stack->size(); ++i)
    if (isHalf((*stack)[i])) (*stack)[i] = (*stack)[i].toTensor().to(at::kFloat);
  op.callBoxed(stack);
  for (std::size_t i = 0; i < types.size(); ++i) {
    IValue& result = (*stack)[stack->size() - types.size() + i];
    if (types[i].has_value() && result.isTensor() && result.toTensor().defined())
      result = result.toTensor().to(*types[i]);
  }
}

}  // namespace

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&runOnCpu<>>());
}
TORCH_LIBRARY_IMPL(_, SparsePrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&runOnCpu<c10::DispatchKey::SparseCPU>>());
}
TORCH_LIBRARY_IMPL(_, SparseCsrPrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&runOnCpu<c10::DispatchKey::SparseCsrCPU>>());
}
TORCH_LIBRARY_IMPL(_, QuantizedPrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&runOnCpu<c10::DispatchKey::QuantizedCPU>>());
}
TORCH_LIBRARY_IMPL(_, NestedTensorPrivateUse1, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&runOnCpu<c10::DispatchKey::NestedTensorCPU>>());
}

// Where the CPU has a kernel for sparse, quantized or nested tensors, what is composed of other operators
// must not stand in for it.
template <c10::DispatchKey key>
void takeKernelsOf(torch::Library& m, std::initializer_list<const char*> ours = {"copy_"}) {
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const c10::OperatorName& name : dispatcher.getAllOpNames()) {
    if (name.getNamespace() != "aten" || std::any_of(ours.begin(), ours.end(), [&](const char* one) {
          return name.name == std::string("aten::") + one;
        }))
      continue;
    const auto op = dispatcher.findOp(name);
    if (!op || !op->hasKernelForDispatchKey(key)) continue;
    const std::string overload = name.overload_name.empty() ? "" : "." + name.overload_name;
    m.impl((name.name + overload).c_str(), torch::CppFunction::makeFromBoxedFunction<&runOnCpu<key>>());
  }
}
TORCH_LIBRARY_IMPL(aten, SparsePrivateUse1, m) { takeKernelsOf<c10::DispatchKey::SparseCPU>(m); }
TORCH_LIBRARY_IMPL(aten, SparseCsrPrivateUse1, m) { takeKernelsOf<c10::DispatchKey::SparseCsrCPU>(m); }
TORCH_LIBRARY_IMPL(aten, QuantizedPrivateUse1, m) {
  takeKernelsOf<c10::DispatchKey::QuantizedCPU>(m, {"copy_", "as_strided", "empty_quantized"});
}
TORCH_LIBRARY_IMPL(aten, NestedTensorPrivateUse1, m) {
  takeKernelsOf<c10::DispatchKey::NestedTensorCPU>(
      m, {"copy_", "_to_copy", "_nested_tensor_size", "_nested_tensor_strides",
          "_nested_tensor_storage_offsets"});
}

// Without these, what is composed of other operators would stand in for the kernel, with other rounding.
TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  for (const char* const name : {"native_group_norm", "addr", "addr.out"})
    m.impl(name, torch::CppFunction::makeFromBoxedFunction<&runOnCpu<>>());
  for (const char* const name : {"native_layer_norm", "native_layer_norm_backward"})
    m.impl(name, torch::CppFunction::makeFromBoxedFunction<&runLayerNorm>());
}

}  // namespace at::musa
