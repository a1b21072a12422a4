// What is used of hwloc, loaded when it is wanted: programs that never ask for the machine start without it,
// and systems without it still run them.
#pragma once

#include <hwloc.h>

namespace musashim::mccl::topology {

struct HwlocLibrary {
  decltype(&hwloc_topology_init) init;
  decltype(&hwloc_topology_set_io_types_filter) setIoTypesFilter;
  decltype(&hwloc_topology_set_components) setComponents;
  decltype(&hwloc_topology_set_xmlbuffer) setXmlBuffer;
  decltype(&hwloc_topology_load) load;
  decltype(&hwloc_topology_destroy) destroy;
  decltype(&hwloc_topology_is_thissystem) isThisSystem;
  decltype(&hwloc_get_obj_by_depth) objectAt;
  decltype(&hwloc_get_nbobjs_by_depth) countAt;
  decltype(&hwloc_bitmap_isset) isSet;
  decltype(&hwloc_bitmap_last) last;
  decltype(&hwloc_bitmap_to_ith_ulong) word;

  // Null where it is not installed, or is none that we were made for.
  static const HwlocLibrary* get();
};

}  // namespace musashim::mccl::topology
