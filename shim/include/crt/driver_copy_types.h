/* Copies of two and three dimensions: the driver API's types (part of musa.h).
 *
 * Names are the vendor's, numbers and layouts CUDA 12's.
 */
#ifndef MUSASHIM_CRT_DRIVER_COPY_TYPES_H
#define MUSASHIM_CRT_DRIVER_COPY_TYPES_H

typedef struct MUSA_MEMCPY2D_st {
  size_t srcXInBytes, srcY;
  MUmemorytype srcMemoryType;
  const void* srcHost;
  MUdeviceptr srcDevice;
  MUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  MUmemorytype dstMemoryType;
  void* dstHost;
  MUdeviceptr dstDevice;
  MUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
} MUSA_MEMCPY2D;

typedef struct MUSA_MEMCPY3D_st {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  MUmemorytype srcMemoryType;
  const void* srcHost;
  MUdeviceptr srcDevice;
  MUarray srcArray;
  void* reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  MUmemorytype dstMemoryType;
  void* dstHost;
  MUdeviceptr dstDevice;
  MUarray dstArray;
  void* reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} MUSA_MEMCPY3D;

typedef struct MUSA_MEMCPY3D_PEER_st {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  MUmemorytype srcMemoryType;
  const void* srcHost;
  MUdeviceptr srcDevice;
  MUarray srcArray;
  MUcontext srcContext;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  MUmemorytype dstMemoryType;
  void* dstHost;
  MUdeviceptr dstDevice;
  MUarray dstArray;
  MUcontext dstContext;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} MUSA_MEMCPY3D_PEER;

#endif /* MUSASHIM_CRT_DRIVER_COPY_TYPES_H */
