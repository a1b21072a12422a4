#include "mccl/net/ib/verbs.h"

#include <dlfcn.h>

// verbs.h makes macros of some functions.
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_get_device_list

namespace musashim::mccl {
namespace {

template <class Function>
void find(void* library, const char* name, Function& function, bool& isComplete) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  isComplete = isComplete && function;
}

const Verbs* load() {
  void* const library = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return nullptr;
  auto* const found = new Verbs;
  bool isComplete = true;
  find(library, "ibv_get_device_list", found->getDeviceList, isComplete);
  find(library, "ibv_free_device_list", found->freeDeviceList, isComplete);
  find(library, "ibv_get_device_name", found->getDeviceName, isComplete);
  find(library, "ibv_open_device", found->openDevice, isComplete);
  find(library, "ibv_close_device", found->closeDevice, isComplete);
  find(library, "ibv_query_port", found->queryPort, isComplete);
  find(library, "ibv_query_gid", found->queryGid, isComplete);
  find(library, "ibv_query_device", found->queryDevice, isComplete);
  find(library, "ibv_alloc_pd", found->allocPd, isComplete);
  find(library, "ibv_dealloc_pd", found->deallocPd, isComplete);
  find(library, "ibv_reg_mr", found->regMr, isComplete);
  find(library, "ibv_dereg_mr", found->deregMr, isComplete);
  find(library, "ibv_create_cq", found->createCq, isComplete);
  find(library, "ibv_destroy_cq", found->destroyCq, isComplete);
  find(library, "ibv_create_qp", found->createQp, isComplete);
  find(library, "ibv_modify_qp", found->modifyQp, isComplete);
  find(library, "ibv_destroy_qp", found->destroyQp, isComplete);
  find(library, "ibv_wc_status_str", found->statusText, isComplete);
  return isComplete ? found : nullptr;
}

}  // namespace

const Verbs* verbs() {
  static const Verbs* const kVerbs = load();
  return kVerbs;
}

}  // namespace musashim::mccl
