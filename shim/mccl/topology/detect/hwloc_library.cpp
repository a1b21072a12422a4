#include "mccl/topology/detect/hwloc_library.h"

#include <dlfcn.h>

namespace musashim::mccl::topology {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

// The soname of all releases 2.x, whose objects look as the header says.
const HwlocLibrary* open() {
  void* const library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
  if (!library) return nullptr;
  auto* hwloc = new HwlocLibrary{};
  const bool hasAll = find(library, "hwloc_topology_init", hwloc->init) &&
                      find(library, "hwloc_topology_set_io_types_filter", hwloc->setIoTypesFilter) &&
                      find(library, "hwloc_topology_set_components", hwloc->setComponents) &&
                      find(library, "hwloc_topology_set_xmlbuffer", hwloc->setXmlBuffer) &&
                      find(library, "hwloc_topology_load", hwloc->load) &&
                      find(library, "hwloc_topology_destroy", hwloc->destroy) &&
                      find(library, "hwloc_topology_is_thissystem", hwloc->isThisSystem) &&
                      find(library, "hwloc_get_obj_by_depth", hwloc->objectAt) &&
                      find(library, "hwloc_get_nbobjs_by_depth", hwloc->countAt) &&
                      find(library, "hwloc_bitmap_isset", hwloc->isSet) &&
                      find(library, "hwloc_bitmap_last", hwloc->last) &&
                      find(library, "hwloc_bitmap_to_ith_ulong", hwloc->word);
  if (hasAll) return hwloc;
  delete hwloc;
  return nullptr;
}

}  // namespace

const HwlocLibrary* HwlocLibrary::get() {
  static const HwlocLibrary* const kLibrary = open();
  return kLibrary;
}

}  // namespace musashim::mccl::topology
