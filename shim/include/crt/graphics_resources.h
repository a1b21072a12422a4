/* Resources that graphics share (part of musa_runtime_api.h). Graphics interoperability is not emulated: each
 * call is an error that says what to do. */
#ifndef MUSASHIM_CRT_GRAPHICS_RESOURCES_H
#define MUSASHIM_CRT_GRAPHICS_RESOURCES_H

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
MUSASHIM_DRAWS(musaGraphicsMapResources);
MUSASHIM_DRAWS(musaGraphicsResourceGetMappedMipmappedArray);
MUSASHIM_DRAWS(musaGraphicsResourceGetMappedPointer);
MUSASHIM_DRAWS(musaGraphicsResourceSetMapFlags);
MUSASHIM_DRAWS(musaGraphicsSubResourceGetMappedArray);
MUSASHIM_DRAWS(musaGraphicsUnmapResources);
MUSASHIM_DRAWS(musaGraphicsUnregisterResource);
#ifdef __cplusplus
}
#endif

#endif
