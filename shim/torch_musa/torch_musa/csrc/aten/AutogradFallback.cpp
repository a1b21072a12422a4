// What PyTorch does where an operator has no derivative for "musa": it runs, and says so when one is asked
// for. That is how operators of c10d run for tensors with gradients. Releases before 2.15 may lack it for
// devices that are not PyTorch's own.
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>
#include <torch/library.h>

namespace {

[[maybe_unused]] const torch::Library* const fallback = []() -> const torch::Library* {
  constexpr auto kKey = c10::DispatchKey::AutogradPrivateUse1;
  if (c10::Dispatcher::singleton().hasBackendFallbackForDispatchKey(kKey)) return nullptr;
  auto* const library = new torch::Library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
  library->fallback(torch::autograd::basicAutogradNotImplementedFallback());
  return library;
}();

}  // namespace
