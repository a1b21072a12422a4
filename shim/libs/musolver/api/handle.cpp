#include "libs/musolver/api/handle.h"

#include "libs/core/handles.h"

struct musolverDnContext {
  musashim::musolver::Settings settings;
};
struct musolverSpContext {
  musashim::musolver::Settings settings;
};

namespace musashim::musolver {
namespace {

using Handles = libs::Handles<musolverDnContext>;
using SparseHandles = libs::Handles<musolverSpContext>;

}  // namespace

Settings* findSettings(musolverDnHandle_t handle) {
  auto* const context = Handles::instance().find(handle);
  return context ? &context->settings : nullptr;
}
musolverDnHandle_t makeHandle() { return Handles::instance().make(); }
bool dropHandle(musolverDnHandle_t handle) { return Handles::instance().drop(handle); }

Settings* findSettings(musolverSpHandle_t handle) {
  auto* const context = SparseHandles::instance().find(handle);
  return context ? &context->settings : nullptr;
}
musolverSpHandle_t makeSparseHandle() { return SparseHandles::instance().make(); }
bool dropHandle(musolverSpHandle_t handle) { return SparseHandles::instance().drop(handle); }

}  // namespace musashim::musolver
