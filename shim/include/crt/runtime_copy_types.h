/* Copies and fills of memory and arrays: the runtime API's types (part of driver_types.h).
 *
 * Names are the vendor's, numbers and layouts CUDA 12's.
 */
#ifndef MUSASHIM_CRT_RUNTIME_COPY_TYPES_H
#define MUSASHIM_CRT_RUNTIME_COPY_TYPES_H

enum musaMemcpyKind {
  musaMemcpyHostToHost = 0,
  musaMemcpyHostToDevice = 1,
  musaMemcpyDeviceToHost = 2,
  musaMemcpyDeviceToDevice = 3,
  musaMemcpyDefault = 4 /* from the pointers */
};

struct musaPitchedPtr {
  void* ptr;
  size_t pitch; /* bytes */
  size_t xsize; /* elements */
  size_t ysize;
};

struct musaExtent {
  size_t width; /* bytes, or elements where an array takes part */
  size_t height;
  size_t depth;
};

struct musaPos {
  size_t x, y, z;
};

struct musaMemcpy3DParms {
  musaArray_t srcArray;
  struct musaPos srcPos;
  struct musaPitchedPtr srcPtr;
  musaArray_t dstArray;
  struct musaPos dstPos;
  struct musaPitchedPtr dstPtr;
  struct musaExtent extent;
  enum musaMemcpyKind kind;
};

struct musaMemcpy3DPeerParms {
  musaArray_t srcArray;
  struct musaPos srcPos;
  struct musaPitchedPtr srcPtr;
  int srcDevice;
  musaArray_t dstArray;
  struct musaPos dstPos;
  struct musaPitchedPtr dstPtr;
  int dstDevice;
  struct musaExtent extent;
};

struct musaMemsetParams {
  void* dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
};

#endif /* MUSASHIM_CRT_RUNTIME_COPY_TYPES_H */
