// The library itself, its system and its devices.
#include <strings.h>

#include <vector>

#include "mtml/api/entry.h"
#include "mtml/state/log.h"
#include "mtml/state/objects.h"

using namespace musashim::mtml;

namespace {

constexpr const char* kVersion = "2.2.0";  // of the interface

template <class Test>
MtmlReturn initDevice(const MtmlLibrary* lib, MtmlDevice** dev, Test&& isWanted) {
  return with(objects().libraries, lib, [&](const MtmlLibrary& library) {
    if (!dev) return MTML_ERROR_INVALID_ARGUMENT;
    for (unsigned int index = 0; index < monitorTable()->deviceCount(); ++index) {
      MUshimDevice facts;
      if (monitorTable()->device(index, &facts) != MUSA_SUCCESS) return MTML_ERROR_DRIVER_FAILURE;
      if (!isWanted(index, facts)) continue;
      std::lock_guard lock(objects().change);
      *dev = objects().devices.create(MtmlDevice{&library, index, facts});
      return MTML_SUCCESS;
    }
    return MTML_ERROR_NOT_FOUND;
  });
}

template <class Arena, class Handle>
MtmlReturn free(Arena& arena, const Handle* handle) {
  std::lock_guard lock(objects().change);
  auto* object = arena.get(handle);
  if (!object) return MTML_ERROR_INVALID_ARGUMENT;
  arena.destroy(object);
  return MTML_SUCCESS;
}

template <class Arena>
void freeAllOf(Arena& arena, const MtmlLibrary* library) {
  std::vector<decltype(arena.get(nullptr))> found;
  arena.forEach([&](auto& object) {
    if (object.library == library) found.push_back(&object);
  });
  for (auto* object : found) arena.destroy(object);
}

template <class Arena, class Part>
MtmlReturn initPart(Arena& arena, const MtmlDevice* dev, Part** part) {
  return with(objects().devices, dev, [&](const MtmlDevice& device) {
    if (!part) return MTML_ERROR_INVALID_ARGUMENT;
    std::lock_guard lock(objects().change);
    *part = arena.create(Part{device.library, device.index, device.facts});
    return MTML_SUCCESS;
  });
}

}  // namespace

extern "C" {

const char* mtmlErrorString(MtmlReturn result) { return errorText(result); }

MtmlReturn mtmlLibraryInit(MtmlLibrary** lib) {
  return entry(
      "mtmlLibraryInit",
      [&] {
        if (!lib) return MTML_ERROR_INVALID_ARGUMENT;
        if (!monitorTable()) return MTML_ERROR_DRIVER_TOO_OLD;
        if (monitorTable()->deviceCount() == 0) return MTML_ERROR_DRIVER_NOT_LOADED;
        std::lock_guard lock(objects().change);
        *lib = objects().libraries.create();
        return MTML_SUCCESS;
      },
      lib);
}

MtmlReturn mtmlLibraryShutDown(MtmlLibrary* lib) {
  return entry(
      "mtmlLibraryShutDown",
      [&] {
        std::lock_guard lock(objects().change);
        MtmlLibrary* library = objects().libraries.get(lib);
        if (!library) return MTML_ERROR_INVALID_ARGUMENT;
        freeAllOf(objects().systems, library);
        freeAllOf(objects().gpus, library);
        freeAllOf(objects().memories, library);
        freeAllOf(objects().vpus, library);
        freeAllOf(objects().devices, library);
        objects().libraries.destroy(library);
        return MTML_SUCCESS;
      },
      lib);
}

MtmlReturn mtmlLibraryGetVersion(const MtmlLibrary* lib, char* version, unsigned int length) {
  return entry(
      "mtmlLibraryGetVersion",
      [&] {
        return with(objects().libraries, lib,
                    [&](const MtmlLibrary&) { return give(kVersion, version, length); });
      },
      lib, static_cast<void*>(version), length);
}

MtmlReturn mtmlLogSetConfiguration(const MtmlLogConfiguration* conf) {
  return entry(
      "mtmlLogSetConfiguration", [&] { return conf ? configureLog(*conf) : MTML_ERROR_INVALID_ARGUMENT; },
      conf);
}

MtmlReturn mtmlLogGetConfiguration(MtmlLogConfiguration* conf) {
  return entry("mtmlLogGetConfiguration", [&] { return give(logConfiguration(), conf); }, conf);
}

MtmlReturn mtmlLibraryInitSystem(const MtmlLibrary* lib, MtmlSystem** sys) {
  return entry(
      "mtmlLibraryInitSystem",
      [&] {
        return with(objects().libraries, lib, [&](const MtmlLibrary& library) {
          if (!sys) return MTML_ERROR_INVALID_ARGUMENT;
          std::lock_guard lock(objects().change);
          *sys = objects().systems.create(MtmlSystem{&library});
          return MTML_SUCCESS;
        });
      },
      lib, sys);
}

MtmlReturn mtmlLibraryFreeSystem(MtmlSystem* sys) {
  return entry("mtmlLibraryFreeSystem", [&] { return free(objects().systems, sys); }, sys);
}

MtmlReturn mtmlLibraryCountDevice(const MtmlLibrary* lib, unsigned int* count) {
  return entry(
      "mtmlLibraryCountDevice",
      [&] {
        return with(objects().libraries, lib,
                    [&](const MtmlLibrary&) { return give(monitorTable()->deviceCount(), count); });
      },
      lib, count);
}

MtmlReturn mtmlLibraryInitDeviceByIndex(const MtmlLibrary* lib, unsigned int index, MtmlDevice** dev) {
  return entry(
      "mtmlLibraryInitDeviceByIndex",
      [&] {
        return initDevice(lib, dev, [&](unsigned int each, const MUshimDevice&) { return each == index; });
      },
      lib, index, dev);
}

MtmlReturn mtmlLibraryInitDeviceByUuid(const MtmlLibrary* lib, const char* uuid, MtmlDevice** dev) {
  return entry(
      "mtmlLibraryInitDeviceByUuid",
      [&] {
        if (!uuid) return MTML_ERROR_INVALID_ARGUMENT;
        return initDevice(lib, dev, [&](unsigned int, const MUshimDevice& facts) {
          return strcasecmp(uuidText(facts).c_str(), uuid) == 0;
        });
      },
      lib, uuid, dev);
}

MtmlReturn mtmlLibraryInitDeviceByPciSbdf(const MtmlLibrary* lib, const char* pciSbdf, MtmlDevice** dev) {
  return entry(
      "mtmlLibraryInitDeviceByPciSbdf",
      [&] {
        if (!pciSbdf) return MTML_ERROR_INVALID_ARGUMENT;
        return initDevice(lib, dev, [&](unsigned int, const MUshimDevice& facts) {
          return strcasecmp(sbdfText(facts).c_str(), pciSbdf) == 0;
        });
      },
      lib, pciSbdf, dev);
}

MtmlReturn mtmlLibraryFreeDevice(MtmlDevice* dev) {
  return entry("mtmlLibraryFreeDevice", [&] { return free(objects().devices, dev); }, dev);
}

MtmlReturn mtmlSystemGetDriverVersion(const MtmlSystem* sys, char* version, unsigned int length) {
  return entry(
      "mtmlSystemGetDriverVersion",
      [&] {
        return with(objects().systems, sys,
                    [&](const MtmlSystem&) { return give(driverVersion(), version, length); });
      },
      sys, static_cast<void*>(version), length);
}

MtmlReturn mtmlDeviceInitGpu(const MtmlDevice* dev, MtmlGpu** gpu) {
  return entry("mtmlDeviceInitGpu", [&] { return initPart(objects().gpus, dev, gpu); }, dev, gpu);
}

MtmlReturn mtmlDeviceFreeGpu(MtmlGpu* gpu) {
  return entry("mtmlDeviceFreeGpu", [&] { return free(objects().gpus, gpu); }, gpu);
}

MtmlReturn mtmlDeviceInitMemory(const MtmlDevice* dev, MtmlMemory** mem) {
  return entry("mtmlDeviceInitMemory", [&] { return initPart(objects().memories, dev, mem); }, dev, mem);
}

MtmlReturn mtmlDeviceFreeMemory(MtmlMemory* mem) {
  return entry("mtmlDeviceFreeMemory", [&] { return free(objects().memories, mem); }, mem);
}

MtmlReturn mtmlDeviceInitVpu(const MtmlDevice* dev, MtmlVpu** vpu) {
  return entry("mtmlDeviceInitVpu", [&] { return initPart(objects().vpus, dev, vpu); }, dev, vpu);
}

MtmlReturn mtmlDeviceFreeVpu(MtmlVpu* vpu) {
  return entry("mtmlDeviceFreeVpu", [&] { return free(objects().vpus, vpu); }, vpu);
}

}  // extern "C"
