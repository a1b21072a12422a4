// Texture and surface references: variables at file scope of CUDA up to 11 (texture<float, 2> image;).
//
//   host's variable     the settings, read when the reference is bound
//   device's variable   a texture or surface object: what the reference is bound to on that device
//
// Binding makes an object and writes it to the variable of the current device. Work that was submitted before
// has ended by then, so it has seen the binding of its time.
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>

#include "musart/module/program.h"
#include "surface_types.h"
#include "texture_types.h"

namespace musashim::musart {

inline constexpr int kDeviceSlots = 64;

class References {
 public:
  static References& get();

  void addTexture(const Binary* binary, const void* variable, enum musaTextureReadMode mode);
  void addSurface(const Binary* binary, const void* variable);
  void forgetBinary(const Binary* binary);
  // Its objects have ended with its context.
  void forgetDevice(int device);

  bool isTexture(const void* variable);
  bool isSurface(const void* variable);

  // `offset`: bytes from where the texture begins to what was asked for.
  // musaErrorInvalidTexture when the program has no such reference.
  musaError_t bindTexture(const textureReference* texture, const struct musaResourceDesc& resource,
                          size_t offset);
  // Nothing happens when it is not bound.
  musaError_t unbindTexture(const textureReference* texture);
  // musaErrorInvalidTextureBinding when it is not bound.
  musaError_t textureOffset(const textureReference* texture, size_t& offset);

  // musaErrorInvalidSurface when the program has no such reference.
  musaError_t bindSurface(const surfaceReference* surface, const struct musaResourceDesc& resource);

 private:
  struct Binding {
    unsigned long long object = 0;  // a musaTextureObject_t or musaSurfaceObject_t; 0: not bound
    size_t offset = 0;
  };
  struct Reference {
    const Binary* binary = nullptr;
    bool isSurface = false;
    enum musaTextureReadMode mode = musaReadModeElementType;
    std::array<Binding, kDeviceSlots> bindings;
  };

  // Null when there is none, or one of the other kind.
  Reference* find(const void* variable, bool isSurface);
  musaError_t replace(Reference& reference, const void* variable, int device, const Binding& binding);

  std::mutex mutex_;
  std::unordered_map<const void*, Reference> references_;
};

}  // namespace musashim::musart
