#include "libs/musparse/api/handle.h"

#include "libs/core/handles.h"

struct musparseContext {
  musashim::musparse::Settings settings;
};

namespace musashim::musparse {
namespace {

using Handles = libs::Handles<musparseContext>;

}  // namespace

Settings* findSettings(musparseHandle_t handle) {
  auto* const context = Handles::instance().find(handle);
  return context ? &context->settings : nullptr;
}
musparseHandle_t makeHandle() { return Handles::instance().make(); }
bool dropHandle(musparseHandle_t handle) { return Handles::instance().drop(handle); }

}  // namespace musashim::musparse
