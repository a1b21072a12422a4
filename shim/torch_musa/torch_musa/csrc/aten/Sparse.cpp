#include "torch_musa/csrc/aten/Sparse.h"

#include <ATen/SparseCsrTensorImpl.h>
#include <ATen/SparseTensorImpl.h>
#include <torch/library.h>

#include "torch_musa/csrc/aten/Memory.h"
#include "torch_musa/csrc/core/Device.h"

namespace at::musa {
namespace {

SparseTensorImpl& coordinates(const Tensor& tensor) {
  return *static_cast<SparseTensorImpl*>(tensor.unsafeGetTensorImpl());
}

SparseCsrTensorImpl& compressed(const Tensor& tensor) {
  return *static_cast<SparseCsrTensorImpl*>(tensor.unsafeGetTensorImpl());
}

}  // namespace

Tensor sparseLike(const Tensor& tensor, c10::Device device, Change change) {
  const bool isCpu = device.is_cpu();
  Tensor made;
  if (tensor.layout() == c10::kSparse) {
    made = detail::make_tensor<SparseTensorImpl>(
        c10::DispatchKeySet(isCpu ? c10::DispatchKey::SparseCPU : c10::DispatchKey::SparsePrivateUse1),
        tensor.dtype());
  } else {
    made = detail::make_tensor<SparseCsrTensorImpl>(
        c10::DispatchKeySet(isCpu ? c10::DispatchKey::SparseCsrCPU : c10::DispatchKey::SparseCsrPrivateUse1),
        device, tensor.layout(), tensor.dtype());
  }
  takeParts(made, tensor, change);
  return made;
}

void takeParts(const Tensor& target, const Tensor& source, Change change) {
  if (source.layout() == c10::kSparse) {
    const SparseTensorImpl& from = coordinates(source);
    SparseTensorImpl& to = coordinates(target);
    to.raw_resize_(from.sparse_dim(), from.dense_dim(), from.sizes());
    to.set_indices_and_values_unsafe(change(from.indices()), change(from.values()));
    to.set_coalesced(from.coalesced());
  } else {
    const SparseCsrTensorImpl& from = compressed(source);
    compressed(target).set_member_tensors(change(from.compressed_indices()), change(from.plain_indices()),
                                          change(from.values()), from.sizes());
  }
}

namespace {

// Between devices, too; the parts know how.
Tensor& copySparse(Tensor& self, const Tensor& source, bool nonBlocking) {
  TORCH_CHECK(self.layout() == source.layout(),
              "copy_() between dense and sparse Tensors is not implemented! Found self type = ",
              self.toString(), " and src type = ", source.toString());
  takeParts(self, source, [&](const Tensor& part) {
    const bool isIndex = part.scalar_type() != source.scalar_type();
    return part.to(self.device(), isIndex ? part.scalar_type() : self.scalar_type(), nonBlocking,
                   /*copy=*/true);
  });
  return self;
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, SparsePrivateUse1, m) { m.impl("copy_", &copySparse); }
TORCH_LIBRARY_IMPL(aten, SparseCsrPrivateUse1, m) { m.impl("copy_", &copySparse); }

}  // namespace at::musa
