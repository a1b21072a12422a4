// links: driver
// Devices through the driver: what they are asked, small buffers, unknown devices, errors by name.
#include <string.h>

#include "../../framework/observe_driver.h"

CONFORMANCE_CASE("device.driver_devices");

int main() {
  int count = 0, version = 0;
  OBSERVE("version_before_init", cuDriverGetVersion(&version));
  OBSERVE("version_null", cuDriverGetVersion(nullptr));
  OBSERVE("count_before_init", cuDeviceGetCount(&count));
  const CUdevice device = useFirstDevice();
  OBSERVE("count", cuDeviceGetCount(&count));
  OBSERVE("count_value", count);
  OBSERVE("count_null", cuDeviceGetCount(nullptr));
  CUdevice other = -7;
  OBSERVE("get_null", cuDeviceGet(nullptr, 0));
  OBSERVE("get_negative", cuDeviceGet(&other, -1));
  OBSERVE("get_null_unknown", cuDeviceGet(nullptr, 99));

  char name[256], small[4] = {'x', 'x', 'x', 'x'};
  OBSERVE("name", cuDeviceGetName(name, sizeof name, device));
  OBSERVE("name_long", strlen(name) > 3);
  OBSERVE("name_small", cuDeviceGetName(small, 4, device));
  OBSERVE("name_small_ends", small[3] == 0);
  OBSERVE("name_null", cuDeviceGetName(nullptr, 10, device));
  OBSERVE("name_unknown", cuDeviceGetName(name, sizeof name, 99));
  OBSERVE("name_null_unknown", cuDeviceGetName(nullptr, 10, 99));
  CUuuid uuid;
  OBSERVE("uuid", cuDeviceGetUuid(&uuid, device));
  OBSERVE("uuid_null", cuDeviceGetUuid(nullptr, device));
  OBSERVE("uuid_unknown", cuDeviceGetUuid(&uuid, 99));
  size_t total = 0;
  OBSERVE("total", cuDeviceTotalMem(&total, device));
  OBSERVE("total_null", cuDeviceTotalMem(nullptr, device));
  OBSERVE("total_unknown", cuDeviceTotalMem(&total, 99));
  int major = 0, minor = 0;
  OBSERVE("capability", cuDeviceComputeCapability(&major, &minor, device));
  OBSERVE("capability_null", cuDeviceComputeCapability(nullptr, &minor, device));
  OBSERVE("capability_unknown", cuDeviceComputeCapability(&major, &minor, 99));
  OBSERVE("attribute_null", cuDeviceGetAttribute(nullptr, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  OBSERVE("attribute_unknown", cuDeviceGetAttribute(&major, static_cast<CUdevice_attribute>(9999), device));
  OBSERVE("attribute_0", cuDeviceGetAttribute(&major, static_cast<CUdevice_attribute>(0), device));
  OBSERVE("attribute_device_unknown", cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 99));
  OBSERVE("attribute_unknown_both", cuDeviceGetAttribute(&major, static_cast<CUdevice_attribute>(9999), 99));

  char bus[32];
  OBSERVE("bus_id", cuDeviceGetPCIBusId(bus, sizeof bus, device));
  OBSERVE("bus_id_length", strlen(bus));
  OBSERVE("by_bus_id", cuDeviceGetByPCIBusId(&other, bus));
  OBSERVE("by_bus_id_same", other == device);
  OBSERVE("bus_id_13", cuDeviceGetPCIBusId(bus, 13, device));
  OBSERVE("bus_id_5", cuDeviceGetPCIBusId(bus, 5, device));
  OBSERVE("bus_id_null", cuDeviceGetPCIBusId(nullptr, 32, device));
  OBSERVE("bus_id_no_room", cuDeviceGetPCIBusId(bus, 0, device));
  OBSERVE("bus_id_unknown", cuDeviceGetPCIBusId(bus, sizeof bus, 99));
  OBSERVE("by_bus_id_none", cuDeviceGetByPCIBusId(&other, "ffff:ff:1f.0"));
  OBSERVE("by_bus_id_nonsense", cuDeviceGetByPCIBusId(&other, "nonsense"));
  OBSERVE("by_bus_id_null", cuDeviceGetByPCIBusId(nullptr, "0000:00:00.0"));
  OBSERVE("by_bus_id_null_text", cuDeviceGetByPCIBusId(&other, nullptr));

  int can = 77;
  OBSERVE("can_access_itself", cuDeviceCanAccessPeer(&can, device, device));
  OBSERVE("can_access_itself_value", can);
  OBSERVE("can_access_null", cuDeviceCanAccessPeer(nullptr, device, device));
  OBSERVE("can_access_unknown", cuDeviceCanAccessPeer(&can, device, 99));
  OBSERVE("p2p_itself",
          cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device, device));
  OBSERVE("p2p_null",
          cuDeviceGetP2PAttribute(nullptr, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device, device));
  OBSERVE("p2p_unknown", cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device, 99));
  OBSERVE("p2p_unknown_attribute",
          cuDeviceGetP2PAttribute(&can, static_cast<CUdevice_P2PAttribute>(99), device, device));

  // The current context.
  CUcontext context = nullptr;
  SETUP(cuCtxGetCurrent(&context));
  unsigned flags = 77, api = 0;
  OBSERVE("flags", cuCtxGetFlags(&flags));
  OBSERVE("flags_null", cuCtxGetFlags(nullptr));
  OBSERVE("api_version", cuCtxGetApiVersion(context, &api));
  OBSERVE("api_version_null", cuCtxGetApiVersion(context, nullptr));
  OBSERVE("api_version_null_context", cuCtxGetApiVersion(nullptr, &api));
  OBSERVE("device_null", cuCtxGetDevice(nullptr));
  OBSERVE("id_null", cuCtxGetId(context, nullptr));
  OBSERVE("limit_null", cuCtxGetLimit(nullptr, CU_LIMIT_STACK_SIZE));
  OBSERVE("set_limit", cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
  OBSERVE("set_limit_unknown", cuCtxSetLimit(static_cast<CUlimit>(99), 4096));
  OBSERVE("cache_config_unknown", cuCtxSetCacheConfig(static_cast<CUfunc_cache>(99)));
  OBSERVE("cache_config_null", cuCtxGetCacheConfig(nullptr));
  OBSERVE("peer_itself", cuCtxEnablePeerAccess(context, 0));
  OBSERVE("peer_null", cuCtxEnablePeerAccess(nullptr, 0));
  OBSERVE("peer_flags", cuCtxEnablePeerAccess(context, 1));
  OBSERVE("peer_disable_itself", cuCtxDisablePeerAccess(context));
  OBSERVE("destroy_null", cuCtxDestroy(nullptr));
  OBSERVE("destroy_primary", cuCtxDestroy(context));
  OBSERVE("primary_flags_bad", cuDevicePrimaryCtxSetFlags(device, 0x1000));
  OBSERVE("primary_flags_device_unknown", cuDevicePrimaryCtxSetFlags(99, 0));
  OBSERVE("primary_retain_null", cuDevicePrimaryCtxRetain(nullptr, device));
  OBSERVE("primary_retain_unknown", cuDevicePrimaryCtxRetain(&context, 99));
  OBSERVE("primary_release_unknown", cuDevicePrimaryCtxRelease(99));
  OBSERVE("primary_reset_unknown", cuDevicePrimaryCtxReset(99));
  OBSERVE("primary_state_null", cuDevicePrimaryCtxGetState(device, nullptr, nullptr));

  const char* text = nullptr;
  OBSERVE("error_name", cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text));
  OBSERVE("error_name_unknown", cuGetErrorName(static_cast<CUresult>(12345), &text));
  OBSERVE("error_name_unknown_null", text == nullptr);
  OBSERVE("error_text", cuGetErrorString(CUDA_SUCCESS, &text));
  OBSERVE("error_text_unknown", cuGetErrorString(static_cast<CUresult>(12345), &text));
  OBSERVE("last", cuCtxSynchronize());
}
