/* Graphics interoperability is not emulated. Programs include its headers for a part that they may not use,
 * so the headers are there, and each call is an error that says what to do. */
#ifndef MUSASHIM_CRT_GRAPHICS_INTEROP_H
#define MUSASHIM_CRT_GRAPHICS_INTEROP_H

#include "../musa_runtime_api.h"

#if defined(__has_include)
#if __has_include(<GL/gl.h>) /* which CUDA's headers bring along */
#include <GL/gl.h>
#endif
#endif

enum musaGraphicsRegisterFlags {
  musaGraphicsRegisterFlagsNone = 0,
  musaGraphicsRegisterFlagsReadOnly = 1,
  musaGraphicsRegisterFlagsWriteDiscard = 2,
  musaGraphicsRegisterFlagsSurfaceLoadStore = 4,
  musaGraphicsRegisterFlagsTextureGather = 8
};
enum musaGraphicsMapFlags {
  musaGraphicsMapFlagsNone = 0,
  musaGraphicsMapFlagsReadOnly = 1,
  musaGraphicsMapFlagsWriteDiscard = 2
};
enum musaGLDeviceList {
  musaGLDeviceListAll = 1,
  musaGLDeviceListCurrentFrame = 2,
  musaGLDeviceListNextFrame = 3
};

#ifdef __cplusplus
#define MUSASHIM_DRAWS(function)                                                                           \
  musaError_t function(...)                                                                                \
      __attribute__((unavailable("graphics interoperability is not emulated: leave it out of this build, " \
                                 "and copy through host memory")))
extern "C" {
#else
#define MUSASHIM_DRAWS(function)                                                                           \
  musaError_t function()                                                                                   \
      __attribute__((unavailable("graphics interoperability is not emulated: leave it out of this build, " \
                                 "and copy through host memory")))
#endif
MUSASHIM_DRAWS(musaGLGetDevices);
MUSASHIM_DRAWS(musaGLMapBufferObject);
MUSASHIM_DRAWS(musaGLMapBufferObjectAsync);
MUSASHIM_DRAWS(musaGLRegisterBufferObject);
MUSASHIM_DRAWS(musaGLSetBufferObjectMapFlags);
MUSASHIM_DRAWS(musaGLSetGLDevice);
MUSASHIM_DRAWS(musaGLUnmapBufferObject);
MUSASHIM_DRAWS(musaGLUnmapBufferObjectAsync);
MUSASHIM_DRAWS(musaGLUnregisterBufferObject);
MUSASHIM_DRAWS(musaGraphicsGLRegisterBuffer);
MUSASHIM_DRAWS(musaGraphicsGLRegisterImage);
MUSASHIM_DRAWS(musaGraphicsMapResources);
MUSASHIM_DRAWS(musaGraphicsResourceGetMappedMipmappedArray);
MUSASHIM_DRAWS(musaGraphicsResourceGetMappedPointer);
MUSASHIM_DRAWS(musaGraphicsResourceSetMapFlags);
MUSASHIM_DRAWS(musaGraphicsSubResourceGetMappedArray);
MUSASHIM_DRAWS(musaGraphicsUnmapResources);
MUSASHIM_DRAWS(musaGraphicsUnregisterResource);
MUSASHIM_DRAWS(musaEGLStreamConsumerConnect);
MUSASHIM_DRAWS(musaEGLStreamProducerConnect);
MUSASHIM_DRAWS(musaGraphicsEGLRegisterImage);
MUSASHIM_DRAWS(musaGraphicsResourceGetMappedEglFrame);
MUSASHIM_DRAWS(musaGraphicsVDPAURegisterOutputSurface);
MUSASHIM_DRAWS(musaGraphicsVDPAURegisterVideoSurface);
MUSASHIM_DRAWS(musaVDPAUGetDevice);
MUSASHIM_DRAWS(musaVDPAUSetVDPAUDevice);
MUSASHIM_DRAWS(muGLGetDevices);
MUSASHIM_DRAWS(muGraphicsGLRegisterBuffer);
MUSASHIM_DRAWS(muGraphicsGLRegisterImage);
#ifdef __cplusplus
}
#endif
#undef MUSASHIM_DRAWS

#endif
