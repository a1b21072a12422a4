// The collectives of the backend, each as calls of MCCL.
#include <pybind11/chrono.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/extension.h>

#include "torch_musa/csrc/distributed/ProcessGroupMCCL.h"
#include "torch_musa/csrc/distributed/Types.h"

namespace torch_musa {

namespace {

using c10d::OpType;

at::Tensor& only(Tensors& tensors) {
  TORCH_CHECK_WITH(ValueError, tensors.size() == 1, "Expecting one tensor only but got ", tensors.size());
  return tensors.front();
}

size_t bytesOf(const at::Tensor& tensor) {
  return static_cast<size_t>(tensor.numel()) * tensor.element_size();
}

// Where each rank's part of a tensor begins and how many bytes it has: by rows, or all alike.
std::vector<std::pair<size_t, size_t>> partsOf(const at::Tensor& tensor, const std::vector<int64_t>& splits,
                                               int size) {
  std::vector<std::pair<size_t, size_t>> parts;
  const size_t row = tensor.size(0) == 0 ? 0 : bytesOf(tensor) / static_cast<size_t>(tensor.size(0));
  TORCH_CHECK(!splits.empty() || tensor.size(0) % size == 0,
              "Tensor's dim 0 does not divide equally across group size");
  TORCH_CHECK(splits.empty() || static_cast<int>(splits.size()) == size,
              "Number of tensor splits not equal to group size");
  size_t begin = 0;
  for (int rank = 0; rank < size; ++rank) {
    const size_t rows =
        static_cast<size_t>(splits.empty() ? tensor.size(0) / size : splits[static_cast<size_t>(rank)]);
    parts.emplace_back(begin, rows * row);
    begin += rows * row;
  }
  TORCH_CHECK(begin == bytesOf(tensor), "Split sizes doesn't match total dim 0 size");
  return parts;
}

char* dataOf(const at::Tensor& tensor) { return static_cast<char*>(tensor.data_ptr()); }

}  // namespace

WorkPtr ProcessGroupMCCL::broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) {
  at::Tensor& tensor = only(tensors);
  const int root = static_cast<int>(options.rootRank);
  return run({OpType::BROADCAST, "broadcast", "mccl:broadcast"}, tensors, tensors, options.timeout,
             [&](mcclComm_t comm, musaStream_t stream) {
               MCCL_CHECK(mcclBroadcast(tensor.data_ptr(), tensor.data_ptr(), bytesOf(tensor), mcclUint8,
                                        root, comm, stream));
             });
}

WorkPtr ProcessGroupMCCL::allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) {
  at::Tensor& tensor = only(tensors);
  return run({OpType::ALLREDUCE, "allreduce", "mccl:all_reduce"}, tensors, tensors, options.timeout,
             [&](mcclComm_t comm, musaStream_t stream) {
               const Reduction op(options.reduceOp, tensor, comm);
               MCCL_CHECK(mcclAllReduce(tensor.data_ptr(), tensor.data_ptr(), countOf(tensor), typeOf(tensor),
                                        op, comm, stream));
             });
}

WorkPtr ProcessGroupMCCL::allreduce_coalesced(Tensors& tensors,
                                              const c10d::AllreduceCoalescedOptions& options) {
  return run({OpType::COALESCED, "allreduce_coalesced", "mccl:allreduce_coalesced"}, tensors, tensors,
             options.timeout, [&](mcclComm_t comm, musaStream_t stream) {
               for (const at::Tensor& tensor : tensors) {
                 const Reduction op(options.reduceOp, tensor, comm);
                 MCCL_CHECK(mcclAllReduce(tensor.data_ptr(), tensor.data_ptr(), countOf(tensor),
                                          typeOf(tensor), op, comm, stream));
               }
             });
}

WorkPtr ProcessGroupMCCL::reduce(Tensors& tensors, const c10d::ReduceOptions& options) {
  at::Tensor& tensor = only(tensors);
  const int root = static_cast<int>(options.rootRank);
  return run({OpType::REDUCE, "reduce", "mccl:reduce"}, tensors, tensors, options.timeout,
             [&](mcclComm_t comm, musaStream_t stream) {
               const Reduction op(options.reduceOp, tensor, comm);
               MCCL_CHECK(mcclReduce(tensor.data_ptr(), tensor.data_ptr(), countOf(tensor), typeOf(tensor),
                                     op, root, comm, stream));
             });
}

WorkPtr ProcessGroupMCCL::allgather(TensorLists& outputs, Tensors& inputs,
                                    const c10d::AllgatherOptions& options) {
  at::Tensor& input = only(inputs);
  TORCH_CHECK_WITH(ValueError, outputs.size() == 1 && outputs[0].size() == static_cast<size_t>(size_),
                   "Tensor list must have one tensor for each rank");
  return run(
      {OpType::ALLGATHER, "all_gather", "mccl:all_gather"}, {input}, outputs[0], options.timeout,
      [&](mcclComm_t comm, musaStream_t stream) {
        for (int rank = 0; rank < size_; ++rank) {
          const at::Tensor& output = outputs[0][static_cast<size_t>(rank)];
          const void* const from = rank == rank_ ? input.data_ptr() : output.data_ptr();
          MCCL_CHECK(mcclBroadcast(from, output.data_ptr(), bytesOf(output), mcclUint8, rank, comm, stream));
        }
      });
}

WorkPtr ProcessGroupMCCL::_allgather_base(at::Tensor& output, at::Tensor& input,
                                          const c10d::AllgatherOptions& options) {
  TORCH_CHECK_WITH(TypeError, input.dtype() == output.dtype(),
                   "output tensor must have the same type as input tensor");
  TORCH_CHECK_WITH(ValueError, input.numel() * size_ == output.numel(),
                   "output tensor size must be equal to world_size times input tensor size");
  return run({OpType::_ALLGATHER_BASE, "_allgather_base", "mccl:_all_gather_base"}, {input}, {output},
             options.timeout, [&](mcclComm_t comm, musaStream_t stream) {
               MCCL_CHECK(mcclAllGather(input.data_ptr(), output.data_ptr(), bytesOf(input), mcclUint8, comm,
                                        stream));
             });
}

WorkPtr ProcessGroupMCCL::allgather_into_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                          const c10d::AllgatherOptions& options) {
  return run({OpType::COALESCED, "allgather_into_tensor_coalesced", "mccl:all_gather_into_tensor_coalesced"},
             inputs, outputs, options.timeout, [&](mcclComm_t comm, musaStream_t stream) {
               for (size_t i = 0; i < inputs.size(); ++i)
                 MCCL_CHECK(mcclAllGather(inputs[i].data_ptr(), outputs[i].data_ptr(), bytesOf(inputs[i]),
                                          mcclUint8, comm, stream));
             });
}

WorkPtr ProcessGroupMCCL::gather(TensorLists& outputs, Tensors& inputs, const c10d::GatherOptions& options) {
  at::Tensor& input = only(inputs);
  const bool root = rank_ == options.rootRank;
  TORCH_CHECK_WITH(
      ValueError,
      root ? outputs.size() == 1 && outputs[0].size() == static_cast<size_t>(size_) : outputs.empty(),
      "the root alone gives a list of one tensor for each rank");
  const Tensors results = root ? outputs[0] : Tensors{};
  return run({OpType::GATHER, "gather", "mccl:gather"}, {input}, results, options.timeout,
             [&](mcclComm_t comm, musaStream_t stream) {
               MCCL_CHECK(mcclSend(input.data_ptr(), bytesOf(input), mcclUint8,
                                   static_cast<int>(options.rootRank), comm, stream));
               for (int rank = 0; root && rank < size_; ++rank) {
                 const at::Tensor& output = results[static_cast<size_t>(rank)];
                 MCCL_CHECK(mcclRecv(output.data_ptr(), bytesOf(output), mcclUint8, rank, comm, stream));
               }
             });
}

WorkPtr ProcessGroupMCCL::scatter(Tensors& outputs, TensorLists& inputs,
                                  const c10d::ScatterOptions& options) {
  at::Tensor& output = only(outputs);
  const bool root = rank_ == options.rootRank;
  TORCH_CHECK_WITH(
      ValueError,
      root ? inputs.size() == 1 && inputs[0].size() == static_cast<size_t>(size_) : inputs.empty(),
      "the root alone gives a list of one tensor for each rank");
  const Tensors sources = root ? inputs[0] : Tensors{};
  return run({OpType::SCATTER, "scatter", "mccl:scatter"}, sources, outputs, options.timeout,
             [&](mcclComm_t comm, musaStream_t stream) {
               for (int rank = 0; root && rank < size_; ++rank) {
                 const at::Tensor& source = sources[static_cast<size_t>(rank)];
                 MCCL_CHECK(mcclSend(source.data_ptr(), bytesOf(source), mcclUint8, rank, comm, stream));
               }
               MCCL_CHECK(mcclRecv(output.data_ptr(), bytesOf(output), mcclUint8,
                                   static_cast<int>(options.rootRank), comm, stream));
             });
}

WorkPtr ProcessGroupMCCL::reduce_scatter(Tensors& outputs, TensorLists& inputs,
                                         const c10d::ReduceScatterOptions& options) {
  at::Tensor& output = only(outputs);
  TORCH_CHECK_WITH(ValueError, inputs.size() == 1 && inputs[0].size() == static_cast<size_t>(size_),
                   "Tensor list must have one tensor for each rank");
  return run({OpType::REDUCE_SCATTER, "reduce_scatter", "mccl:reduce_scatter"}, inputs[0], outputs,
             options.timeout, [&](mcclComm_t comm, musaStream_t stream) {
               const Reduction op(options.reduceOp, output, comm);
               for (int rank = 0; rank < size_; ++rank) {
                 const at::Tensor& input = inputs[0][static_cast<size_t>(rank)];
                 MCCL_CHECK(mcclReduce(input.data_ptr(), output.data_ptr(), countOf(input), typeOf(input), op,
                                       rank, comm, stream));
               }
             });
}

WorkPtr ProcessGroupMCCL::_reduce_scatter_base(at::Tensor& output, at::Tensor& input,
                                               const c10d::ReduceScatterOptions& options) {
  TORCH_CHECK_WITH(TypeError, input.dtype() == output.dtype(),
                   "input tensor must be the same type as the output tensor.");
  TORCH_CHECK_WITH(ValueError, input.numel() == output.numel() * size_,
                   "input tensor must be the same size as output size times world size");
  return run({OpType::_REDUCE_SCATTER_BASE, "_reduce_scatter_base", "mccl:_reduce_scatter_base"}, {input},
             {output}, options.timeout, [&](mcclComm_t comm, musaStream_t stream) {
               const Reduction op(options.reduceOp, output, comm);
               MCCL_CHECK(mcclReduceScatter(input.data_ptr(), output.data_ptr(), countOf(output),
                                            typeOf(output), op, comm, stream));
             });
}

WorkPtr ProcessGroupMCCL::reduce_scatter_tensor_coalesced(Tensors& outputs, Tensors& inputs,
                                                          const c10d::ReduceScatterOptions& options) {
  return run({OpType::COALESCED, "reduce_scatter_tensor_coalesced", "mccl:reduce_scatter_tensor_coalesced"},
             inputs, outputs, options.timeout, [&](mcclComm_t comm, musaStream_t stream) {
               for (size_t i = 0; i < inputs.size(); ++i) {
                 const Reduction op(options.reduceOp, outputs[i], comm);
                 MCCL_CHECK(mcclReduceScatter(inputs[i].data_ptr(), outputs[i].data_ptr(),
                                              countOf(outputs[i]), typeOf(outputs[i]), op, comm, stream));
               }
             });
}

WorkPtr ProcessGroupMCCL::alltoall_base(at::Tensor& output, at::Tensor& input,
                                        std::vector<int64_t>& outputSplits, std::vector<int64_t>& inputSplits,
                                        const c10d::AllToAllOptions& options) {
  const auto from = partsOf(input, inputSplits, size_), to = partsOf(output, outputSplits, size_);
  return run(
      {OpType::ALLTOALL_BASE, outputSplits.empty() && inputSplits.empty() ? "all_to_all" : "all_to_allv",
       "mccl:all_to_all", inputSplits, outputSplits},
      {input}, {output}, options.timeout, [&](mcclComm_t comm, musaStream_t stream) {
        for (int rank = 0; rank < size_; ++rank) {
          const auto& [sendBegin, sendBytes] = from[static_cast<size_t>(rank)];
          const auto& [recvBegin, recvBytes] = to[static_cast<size_t>(rank)];
          if (sendBytes > 0)
            MCCL_CHECK(mcclSend(dataOf(input) + sendBegin, sendBytes, mcclUint8, rank, comm, stream));
          if (recvBytes > 0)
            MCCL_CHECK(mcclRecv(dataOf(output) + recvBegin, recvBytes, mcclUint8, rank, comm, stream));
        }
      });
}

WorkPtr ProcessGroupMCCL::alltoall(Tensors& outputs, Tensors& inputs, const c10d::AllToAllOptions& options) {
  TORCH_CHECK_WITH(ValueError, inputs.size() == static_cast<size_t>(size_) && outputs.size() == inputs.size(),
                   "Tensor lists must have one tensor for each rank");
  return run({OpType::ALLTOALL, "all_to_all", "mccl:all_to_all"}, inputs, outputs, options.timeout,
             [&](mcclComm_t comm, musaStream_t stream) {
               for (int rank = 0; rank < size_; ++rank) {
                 const at::Tensor &input = inputs[static_cast<size_t>(rank)],
                                  &output = outputs[static_cast<size_t>(rank)];
                 if (input.numel() > 0)
                   MCCL_CHECK(mcclSend(input.data_ptr(), bytesOf(input), mcclUint8, rank, comm, stream));
                 if (output.numel() > 0)
                   MCCL_CHECK(mcclRecv(output.data_ptr(), bytesOf(output), mcclUint8, rank, comm, stream));
               }
             });
}

WorkPtr ProcessGroupMCCL::send(Tensors& tensors, int to, int /*tag*/) {
  at::Tensor& tensor = only(tensors);
  const auto scope = between(to);
  return run(
      {OpType::SEND, "send", c10::str("mccl:send ", rank_, "->", to)}, scope, tensors, tensors,
      c10d::kUnsetTimeout, [&](mcclComm_t comm, musaStream_t stream) {
        MCCL_CHECK(mcclSend(tensor.data_ptr(), bytesOf(tensor), mcclUint8, scope->place(to), comm, stream));
      });
}

WorkPtr ProcessGroupMCCL::recv(Tensors& tensors, int from, int /*tag*/) {
  at::Tensor& tensor = only(tensors);
  const auto scope = between(from);
  return run(
      {OpType::RECV, "recv", c10::str("mccl:recv ", rank_, "<-", from)}, scope, tensors, tensors,
      c10d::kUnsetTimeout, [&](mcclComm_t comm, musaStream_t stream) {
        MCCL_CHECK(mcclRecv(tensor.data_ptr(), bytesOf(tensor), mcclUint8, scope->place(from), comm, stream));
      });
}

// As PyTorch guesses it for NCCL: the one that the group was made for, one that it has used, or that of the
// rank's number.
c10::DeviceIndex ProcessGroupMCCL::barrierDevice() const {
  if (const auto bound = getBoundDeviceId(); bound.has_value() && bound->has_index()) return bound->index();
  const c10::DeviceIndex count = c10::musa::device_count();
  for (c10::DeviceIndex device = 0; device < count; ++device) {
    if (communicators_->find(all_->name(), device) != nullptr) return device;
  }
  const auto& global = options_->global_ranks_in_group;
  const auto rank = global.empty() ? static_cast<uint64_t>(rank_) : global[static_cast<size_t>(rank_)];
  return static_cast<c10::DeviceIndex>(count == 0 ? 0 : rank % static_cast<uint64_t>(count));
}

WorkPtr ProcessGroupMCCL::barrier(const c10d::BarrierOptions& options) {
  const c10::DeviceIndex device =
      options.device_ids.empty() ? barrierDevice() : static_cast<c10::DeviceIndex>(options.device_ids[0]);
  const at::Tensor one =
      at::ones({1}, at::TensorOptions(c10::Device(c10::musa::kDevice, device)).dtype(at::kInt));
  return run({OpType::BARRIER, "barrier", "mccl:all_reduce_barrier"}, {one}, {one}, options.timeout,
             [&](mcclComm_t comm, musaStream_t stream) {
               MCCL_CHECK(mcclAllReduce(one.data_ptr(), one.data_ptr(), 1, mcclInt32, mcclSum, comm, stream));
             });
}

void bindProcessGroup(py::module& module) {
  py::object backend = py::module::import("torch._C._distributed_c10d").attr("Backend");
  using Options = ProcessGroupMCCL::Options;
  py::class_<ProcessGroupMCCL, c10::intrusive_ptr<ProcessGroupMCCL>> group(module, "ProcessGroupMCCL",
                                                                           backend);
  py::class_<Options, c10::intrusive_ptr<Options>>(group, "Options", backend.attr("Options"))
      .def(py::init([](bool highPriority) {
             auto options = c10::make_intrusive<Options>();
             options->is_high_priority_stream = highPriority;
             return options;
           }),
           py::arg("is_high_priority_stream") = false)
      .def_readwrite("group_name", &Options::group_name)
      .def_readwrite("global_ranks_in_group", &Options::global_ranks_in_group)
      .def_readwrite("is_high_priority_stream", &Options::is_high_priority_stream);
  group
      .def(py::init<const c10::intrusive_ptr<c10d::Store>&, int, int, c10::intrusive_ptr<Options>>(),
           py::arg("store"), py::arg("rank"), py::arg("size"), py::arg("options"),
           py::call_guard<py::gil_scoped_release>())
      .def(py::init([](const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                       std::chrono::milliseconds timeout) {
             return c10::make_intrusive<ProcessGroupMCCL>(store, rank, size,
                                                          c10::make_intrusive<Options>(timeout));
           }),
           py::arg("store"), py::arg("rank"), py::arg("size"),
           py::arg("timeout") = std::chrono::milliseconds(600000), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("options", [](ProcessGroupMCCL& self) { return self.getBackendOptions(); });
  module.def("mccl_version", [] {
    int version = 0;
    MCCL_CHECK(mcclGetVersion(&version));
    return version;
  });
}

}  // namespace torch_musa
