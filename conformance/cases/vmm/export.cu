// links: driver
// Physical memory as a file descriptor, for this process and others.
#include <unistd.h>

#include <vector>

#include "../../framework/vmm.h"

CONFORMANCE_CASE("vmm.export");

int main() {
  useFirstDevice();
  const size_t unit = granularity();
  const CUmemAllocationProp properties = deviceMemory(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
                            closed = deviceMemory();
  CUmemGenericAllocationHandle memory = 0, unshared = 0, imported = 0;
  SETUP(cuMemCreate(&memory, unit, &properties, 0));
  SETUP(cuMemCreate(&unshared, unit, &closed, 0));
  int fd = -1;
  OBSERVE("export", cuMemExportToShareableHandle(&fd, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  OBSERVE("export_is_descriptor", fd >= 0);
  int other = -1;
  OBSERVE("export_not_asked_for",
          cuMemExportToShareableHandle(&other, unshared, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  OBSERVE("export_none", cuMemExportToShareableHandle(&other, memory, CU_MEM_HANDLE_TYPE_NONE, 0));
  OBSERVE("export_flags",
          cuMemExportToShareableHandle(&other, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1));
  OBSERVE("export_null",
          cuMemExportToShareableHandle(nullptr, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  OBSERVE("export_no_memory",
          cuMemExportToShareableHandle(&other, 0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));

  OBSERVE("import",
          cuMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(static_cast<uintptr_t>(fd)),
                                         CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  OBSERVE("import_bad_descriptor",
          cuMemImportFromShareableHandle(&unshared, reinterpret_cast<void*>(static_cast<uintptr_t>(12345)),
                                         CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  int pipeEnds[2];
  if (pipe(pipeEnds) != 0) return 3;
  OBSERVE("import_other_file", cuMemImportFromShareableHandle(
                                   &unshared, reinterpret_cast<void*>(static_cast<uintptr_t>(pipeEnds[0])),
                                   CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  CUmemAllocationProp found = {};
  OBSERVE("imported_properties", cuMemGetAllocationPropertiesFromHandle(&found, imported));
  OBSERVE("imported_handle_types", static_cast<int>(found.requestedHandleTypes));
  OBSERVE("imported_device", found.location.id);

  // The same memory.
  CUdeviceptr first = 0, second = 0;
  const CUmemAccessDesc access = accessOf(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  SETUP(cuMemAddressReserve(&first, unit, 0, 0, 0));
  SETUP(cuMemAddressReserve(&second, unit, 0, 0, 0));
  SETUP(cuMemMap(first, unit, 0, memory, 0));
  OBSERVE("map_imported", cuMemMap(second, unit, 0, imported, 0));
  SETUP(cuMemSetAccess(first, unit, &access, 1));
  OBSERVE("set_access_imported", cuMemSetAccess(second, unit, &access, 1));
  SETUP(cuMemsetD8(first, 0x6b, unit));
  unsigned char seen = 0;
  OBSERVE("read_imported", cuMemcpyDtoH(&seen, second + unit - 1, 1));
  OBSERVE("read_imported_value", static_cast<int>(seen));
  OBSERVE("close", close(fd));
  OBSERVE("release", cuMemRelease(memory));
  OBSERVE("release_imported", cuMemRelease(imported));
  OBSERVE("unmap", cuMemUnmap(first, unit));
  OBSERVE("read_after_unmap", cuMemcpyDtoH(&seen, second, 1));
  OBSERVE("unmap_imported", cuMemUnmap(second, unit));
}
