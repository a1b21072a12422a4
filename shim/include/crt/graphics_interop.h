/* Graphics interoperability is not emulated. Programs include its headers for a part that they may not use,
 * so the headers are there, and each call is an error that says what to do. */
#ifndef MUSASHIM_CRT_GRAPHICS_INTEROP_H
#define MUSASHIM_CRT_GRAPHICS_INTEROP_H

#include "../musa_runtime_api.h"

enum musaGLDeviceList {
  musaGLDeviceListAll = 1,
  musaGLDeviceListCurrentFrame = 2,
  musaGLDeviceListNextFrame = 3
};

#ifdef __cplusplus
extern "C" {
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
MUSASHIM_DRAWS(muEGLStreamConsumerConnect);
MUSASHIM_DRAWS(muEGLStreamProducerConnect);
MUSASHIM_DRAWS(muEventCreateFromEGLSync);
MUSASHIM_DRAWS(muGraphicsEGLRegisterImage);
MUSASHIM_DRAWS(muGraphicsResourceGetMappedEglFrame);
MUSASHIM_DRAWS(musaEventCreateFromEGLSync);
#ifdef __cplusplus
}
#endif

#endif
