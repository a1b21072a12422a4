// How devices are connected.
#include "mtml/nvml/device.h"

using namespace musashim::nvml;
namespace mtml = musashim::mtml;

namespace {

nvmlGpuTopologyLevel_t levelOf(mtml::PciWay way) {
  switch (way) {
    case mtml::PciWay::kSelf:
      return NVML_TOPOLOGY_INTERNAL;
    case mtml::PciWay::kOneSwitch:
      return NVML_TOPOLOGY_SINGLE;
    case mtml::PciWay::kSwitches:
      return NVML_TOPOLOGY_MULTIPLE;
    case mtml::PciWay::kBridge:
      return NVML_TOPOLOGY_HOSTBRIDGE;
    case mtml::PciWay::kSystem:
      break;
  }
  return NVML_TOPOLOGY_SYSTEM;
}

// PCI Express 4.0 with 16 lanes, as libmccl and libmtml have it.
constexpr unsigned int kPciLanes = 16, kPciGeneration = 4;

nvmlReturn_t tell(const char* name, nvmlDevice_t device, unsigned int* out, unsigned int value) {
  return ofDevice(
      name, device, [&](const nvmlDevice_st&) { return give(value, out); }, out);
}

// An entry about an NVLink of a device: here, an MTLink.
template <class Body, class... Args>
nvmlReturn_t ofLink(const char* name, nvmlDevice_t device, unsigned int link, Body&& body,
                    const Args&... args) {
  return ofDevice(
      name, device,
      [&](const nvmlDevice_st& one) {
        if (link >= NVML_NVLINK_MAX_LINKS) return NVML_ERROR_INVALID_ARGUMENT;
        if (!mtml::topology().error.empty()) return NVML_ERROR_UNKNOWN;
        const std::vector<mtml::MtLink>& links = mtml::topology().links[one.index];
        return link < links.size() ? body(links[link]) : NVML_ERROR_NOT_SUPPORTED;
      },
      link, args...);
}

}  // namespace

extern "C" {

nvmlReturn_t nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned int* maxLinkGen) {
  return tell("nvmlDeviceGetMaxPcieLinkGeneration", device, maxLinkGen, kPciGeneration);
}

nvmlReturn_t nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned int* maxLinkWidth) {
  return tell("nvmlDeviceGetMaxPcieLinkWidth", device, maxLinkWidth, kPciLanes);
}

nvmlReturn_t nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned int* currLinkGen) {
  return tell("nvmlDeviceGetCurrPcieLinkGeneration", device, currLinkGen, kPciGeneration);
}

nvmlReturn_t nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned int* currLinkWidth) {
  return tell("nvmlDeviceGetCurrPcieLinkWidth", device, currLinkWidth, kPciLanes);
}

nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device1, nvmlDevice_t device2,
                                                 nvmlGpuTopologyLevel_t* pathInfo) {
  return ofDevices(
      "nvmlDeviceGetTopologyCommonAncestor", device1, device2,
      [&](const nvmlDevice_st& a, const nvmlDevice_st& b) {
        return give(levelOf(mtml::topology().devices[a.index][b.index]), pathInfo);
      },
      pathInfo);
}

nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t device1, nvmlDevice_t device2,
                                    nvmlGpuP2PCapsIndex_t p2pIndex, nvmlGpuP2PStatus_t* p2pStatus) {
  return ofDevices(
      "nvmlDeviceGetP2PStatus", device1, device2,
      [&](const nvmlDevice_st& a, const nvmlDevice_st& b) {
        switch (p2pIndex) {
          case NVML_P2P_CAPS_INDEX_READ:
          case NVML_P2P_CAPS_INDEX_WRITE:
          case NVML_P2P_CAPS_INDEX_ATOMICS:
          case NVML_P2P_CAPS_INDEX_PROP:
            return give(NVML_P2P_STATUS_OK, p2pStatus);
          case NVML_P2P_CAPS_INDEX_NVLINK:
            return give(mtml::topology().linksBetween(a.index, b.index) != 0 ? NVML_P2P_STATUS_OK
                                                                             : NVML_P2P_STATUS_NOT_SUPPORTED,
                        p2pStatus);
          default:
            return NVML_ERROR_INVALID_ARGUMENT;
        }
      },
      p2pIndex, p2pStatus);
}

nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t device1, nvmlDevice_t device2, int* onSameBoard) {
  return ofDevices(
      "nvmlDeviceOnSameBoard", device1, device2,
      [&](const nvmlDevice_st& a, const nvmlDevice_st& b) { return give(a.index == b.index, onSameBoard); },
      onSameBoard);
}

nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int link, nvmlEnableState_t* isActive) {
  return ofLink(
      "nvmlDeviceGetNvLinkState", device, link,
      [&](const mtml::MtLink&) { return give(NVML_FEATURE_ENABLED, isActive); }, isActive);
}

nvmlReturn_t nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice_t device, unsigned int link, nvmlPciInfo_t* pci) {
  return ofLink(
      "nvmlDeviceGetNvLinkRemotePciInfo_v2", device, link,
      [&](const mtml::MtLink& found) {
        if (!pci) return NVML_ERROR_INVALID_ARGUMENT;
        if (found.peer < 0) return NVML_ERROR_NOT_SUPPORTED;  // a switch, whose place is not known
        describePlace(deviceAt(static_cast<unsigned int>(found.peer))->facts, *pci);
        return NVML_SUCCESS;
      },
      pci);
}

nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned int link,
                                                 nvmlIntNvLinkDeviceType_t* type) {
  return ofLink(
      "nvmlDeviceGetNvLinkRemoteDeviceType", device, link,
      [&](const mtml::MtLink& found) {
        return give(found.peer < 0 ? NVML_NVLINK_DEVICE_TYPE_SWITCH : NVML_NVLINK_DEVICE_TYPE_GPU, type);
      },
      type);
}

nvmlReturn_t nvmlDeviceGetNvLinkCapability(nvmlDevice_t device, unsigned int link,
                                           nvmlNvLinkCapability_t capability, unsigned int* capResult) {
  return ofLink(
      "nvmlDeviceGetNvLinkCapability", device, link,
      [&](const mtml::MtLink&) {
        if (static_cast<unsigned int>(capability) >= NVML_NVLINK_CAP_COUNT)
          return NVML_ERROR_INVALID_ARGUMENT;
        const bool has = capability == NVML_NVLINK_CAP_P2P_SUPPORTED ||
                         capability == NVML_NVLINK_CAP_P2P_ATOMICS || capability == NVML_NVLINK_CAP_VALID;
        return give(has ? 1 : 0, capResult);
      },
      capability, capResult);
}

}  // extern "C"
