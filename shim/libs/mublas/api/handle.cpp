#include "libs/mublas/api/handle.h"

#include "libs/core/handles.h"

struct mublasContext {
  musashim::mublas::Settings settings;
};

namespace musashim::mublas {
namespace {

using Handles = libs::Handles<mublasContext>;

}  // namespace

Settings* findSettings(mublasHandle_t handle) {
  mublasContext* const context = Handles::instance().find(handle);
  return context ? &context->settings : nullptr;
}

mublasHandle_t makeHandle() { return Handles::instance().make(); }

bool dropHandle(mublasHandle_t handle) { return Handles::instance().drop(handle); }

}  // namespace musashim::mublas
