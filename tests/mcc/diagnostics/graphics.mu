// Headers of graphics interoperability, of which programs may use nothing.
#include <musaGL.h>
#include <musaEGL.h>
#include <musaVDPAU.h>
#include <musa_egl_interop.h>
#include <musa_gl_interop.h>
#include <musa_vdpau_interop.h>
int main() {
  musaGraphicsResource_t resource = nullptr;
#ifdef DRAWS
  musaGraphicsGLRegisterBuffer(&resource, 1, musaGraphicsRegisterFlagsNone);
  musaGraphicsMapResources(1, &resource, 0);
#endif
  return resource != nullptr;
}
