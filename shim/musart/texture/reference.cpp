#include "musart/texture/reference.h"

#include <cstddef>

#include "musart/memory/memory.h"
#include "musart/texture/texture.h"

namespace musashim::musart {
namespace {

musaError_t currentSlot(int& device) {
  MUSART_TRY(muCtxGetDevice(&device));
  return device < kDeviceSlots ? musaSuccess : musaErrorInvalidDevice;
}

// Linear memory is fetched by an index: there is nothing to filter between, and no coordinate to wrap.
struct musaTextureDesc settings(const textureReference& texture, enum musaTextureReadMode mode,
                                const struct musaResourceDesc& resource) {
  struct musaTextureDesc desc = {};
  desc.readMode = mode;
  if (resource.resType == musaResourceTypeLinear) return desc;
  for (int i = 0; i < 3; ++i) desc.addressMode[i] = texture.addressMode[i];
  desc.filterMode = texture.filterMode;
  desc.sRGB = texture.sRGB;
  desc.normalizedCoords = texture.normalized;
  desc.maxAnisotropy = texture.maxAnisotropy;
  desc.mipmapFilterMode = texture.mipmapFilterMode;
  desc.mipmapLevelBias = texture.mipmapLevelBias;
  desc.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  desc.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  desc.disableTrilinearOptimization = texture.disableTrilinearOptimization;
  return desc;
}

// The device's variable. Device code may do without the reference; then there is none.
musaError_t writeToDevice(const void* variable, size_t offset, unsigned long long object) {
  MUdeviceptr address = 0;
  size_t size = 0;
  const musaError_t error = Program::get().symbol(variable, address, size);
  if (error == musaErrorInvalidSymbol) return musaSuccess;
  MUSART_TRY(error);
  return copy(toPointer(address + offset), &object, sizeof object, musaMemcpyHostToDevice);
}

void destroy(bool isSurface, unsigned long long object) {
  if (object == 0) return;
  if (isSurface) {
    (void)muSurfObjectDestroy(object);
  } else {
    (void)muTexObjectDestroy(object);
  }
}

}  // namespace

// Never destroyed: unregistration runs at exit, in no certain order.
References& References::get() {
  static auto* references = new References;
  return *references;
}

void References::addTexture(const Binary* binary, const void* variable, enum musaTextureReadMode mode) {
  std::lock_guard lock(mutex_);
  references_[variable] = {binary, false, mode, {}};
}

void References::addSurface(const Binary* binary, const void* variable) {
  std::lock_guard lock(mutex_);
  references_[variable] = {binary, true, musaReadModeElementType, {}};
}

// The objects stay until their contexts end: the driver may not be called at exit.
void References::forgetBinary(const Binary* binary) {
  std::lock_guard lock(mutex_);
  std::erase_if(references_, [&](const auto& entry) { return entry.second.binary == binary; });
}

void References::forgetDevice(int device) {
  if (device >= kDeviceSlots) return;
  std::lock_guard lock(mutex_);
  for (auto& [variable, reference] : references_) reference.bindings[static_cast<size_t>(device)] = {};
}

References::Reference* References::find(const void* variable, bool isSurface) {
  const auto found = references_.find(variable);
  const bool fits = found != references_.end() && found->second.isSurface == isSurface;
  return fits ? &found->second : nullptr;
}

bool References::isTexture(const void* variable) {
  std::lock_guard lock(mutex_);
  return find(variable, false) != nullptr;
}

bool References::isSurface(const void* variable) {
  std::lock_guard lock(mutex_);
  return find(variable, true) != nullptr;
}

musaError_t References::replace(Reference& reference, const void* variable, int device,
                                const Binding& binding) {
  Binding& bound = reference.bindings[static_cast<size_t>(device)];
  // Kernels may still fetch through the object that goes.
  if (bound.object != 0) MUSART_TRY(muCtxSynchronize());
  const size_t offset = reference.isSurface ? offsetof(surfaceReference, musashimObject)
                                            : offsetof(textureReference, musashimObject);
  MUSART_TRY(writeToDevice(variable, offset, binding.object));
  destroy(reference.isSurface, bound.object);
  bound = binding;
  return musaSuccess;
}

musaError_t References::bindTexture(const textureReference* texture, const struct musaResourceDesc& resource,
                                    size_t offset) {
  std::lock_guard lock(mutex_);
  Reference* reference = find(texture, false);
  MUSART_REQUIRE(reference, musaErrorInvalidTexture);
  int device = 0;
  MUSART_TRY(currentSlot(device));
  Binding binding{0, offset};
  MUSART_TRY(createTexture(binding.object, resource, settings(*texture, reference->mode, resource), nullptr));
  const musaError_t error = replace(*reference, texture, device, binding);
  if (error != musaSuccess) destroy(false, binding.object);
  return error;
}

musaError_t References::unbindTexture(const textureReference* texture) {
  std::lock_guard lock(mutex_);
  Reference* reference = find(texture, false);
  MUSART_REQUIRE(reference, musaErrorInvalidTexture);
  int device = 0;
  MUSART_TRY(currentSlot(device));
  if (reference->bindings[static_cast<size_t>(device)].object == 0) return musaSuccess;
  return replace(*reference, texture, device, {});
}

musaError_t References::textureOffset(const textureReference* texture, size_t& offset) {
  std::lock_guard lock(mutex_);
  Reference* reference = find(texture, false);
  MUSART_REQUIRE(reference, musaErrorInvalidTexture);
  int device = 0;
  MUSART_TRY(currentSlot(device));
  const Binding& binding = reference->bindings[static_cast<size_t>(device)];
  MUSART_REQUIRE(binding.object != 0, musaErrorInvalidTextureBinding);
  offset = binding.offset;
  return musaSuccess;
}

musaError_t References::bindSurface(const surfaceReference* surface,
                                    const struct musaResourceDesc& resource) {
  std::lock_guard lock(mutex_);
  Reference* reference = find(surface, true);
  MUSART_REQUIRE(reference, musaErrorInvalidSurface);
  int device = 0;
  MUSART_TRY(currentSlot(device));
  Binding binding;
  MUSART_TRY(createSurface(binding.object, resource));
  const musaError_t error = replace(*reference, surface, device, binding);
  if (error != musaSuccess) destroy(true, binding.object);
  return error;
}

}  // namespace musashim::musart
