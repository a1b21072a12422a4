// The driver's calls that change memory or run code, and what each tells the recorder. Include it with these defined:
//
//   EVENT(name, form, begin)   a call between begin...() and end()
//   AFTER(name, form, tell)    told once it has succeeded
//   BEFORE(name, form, tell)   told before it is made
//
// `p` are its arguments by name, `r` is the recorder. `form` is the suffix of the same call for the per-thread default
// stream, or none.
#define POINTER(address) reinterpret_cast<const void*>(address)

AFTER(MemAlloc_v2, none, r.allocated(POINTER(*p.dptr), p.bytesize, "device"))
AFTER(MemAllocPitch_v2, none, r.allocated(POINTER(*p.dptr), *p.pPitch * p.Height, "device"))
AFTER(MemAllocManaged, none, r.allocated(POINTER(*p.dptr), p.bytesize, "managed"))
AFTER(MemAllocAsync, ptsz, r.allocated(POINTER(*p.dptr), p.bytesize, "device"))
AFTER(MemAllocFromPoolAsync, ptsz, r.allocated(POINTER(*p.dptr), p.bytesize, "device"))
AFTER(MemAllocHost_v2, none, r.allocated(*p.pp, p.bytesize, "host"))
AFTER(MemHostAlloc, none, r.allocated(*p.pp, p.bytesize, "host"))

BEFORE(MemFree_v2, none, r.freed(POINTER(p.dptr)))
BEFORE(MemFreeAsync, ptsz, r.freed(POINTER(p.dptr)))
BEFORE(MemFreeHost, none, r.freed(p.p))

EVENT(Memcpy, ptds, r.beginCopy("any", POINTER(p.dst), p.ByteCount, nullptr))
EVENT(MemcpyAsync, ptsz, r.beginCopy("any", POINTER(p.dst), p.ByteCount, p.hStream))
EVENT(MemcpyHtoD_v2, ptds, r.beginCopy("HtoD", POINTER(p.dstDevice), p.ByteCount, nullptr))
EVENT(MemcpyHtoDAsync_v2, ptsz, r.beginCopy("HtoD", POINTER(p.dstDevice), p.ByteCount, p.hStream))
EVENT(MemcpyDtoH_v2, ptds, r.beginCopy("DtoH", p.dstHost, p.ByteCount, nullptr))
EVENT(MemcpyDtoHAsync_v2, ptsz, r.beginCopy("DtoH", p.dstHost, p.ByteCount, p.hStream))
EVENT(MemcpyDtoD_v2, ptds, r.beginCopy("DtoD", POINTER(p.dstDevice), p.ByteCount, nullptr))
EVENT(MemcpyDtoDAsync_v2, ptsz, r.beginCopy("DtoD", POINTER(p.dstDevice), p.ByteCount, p.hStream))
EVENT(MemcpyPeer, ptds, r.beginCopy("DtoD", POINTER(p.dstDevice), p.ByteCount, nullptr))
EVENT(MemcpyPeerAsync, ptsz, r.beginCopy("DtoD", POINTER(p.dstDevice), p.ByteCount, p.hStream))
EVENT(Memcpy2D_v2, ptds, r.beginCopy("box", targetOf(*p.pCopy), bytesOf(*p.pCopy), nullptr))
EVENT(Memcpy2DUnaligned_v2, ptds, r.beginCopy("box", targetOf(*p.pCopy), bytesOf(*p.pCopy), nullptr))
EVENT(Memcpy2DAsync_v2, ptsz, r.beginCopy("box", targetOf(*p.pCopy), bytesOf(*p.pCopy), p.hStream))
EVENT(Memcpy3D_v2, ptds, r.beginCopy("box", targetOf(*p.pCopy), bytesOf(*p.pCopy), nullptr))
EVENT(Memcpy3DAsync_v2, ptsz, r.beginCopy("box", targetOf(*p.pCopy), bytesOf(*p.pCopy), p.hStream))

EVENT(MemsetD8_v2, ptds, r.beginSet(POINTER(p.dstDevice), p.N, nullptr))
EVENT(MemsetD8Async, ptsz, r.beginSet(POINTER(p.dstDevice), p.N, p.hStream))
EVENT(MemsetD16_v2, ptds, r.beginSet(POINTER(p.dstDevice), 2 * p.N, nullptr))
EVENT(MemsetD16Async, ptsz, r.beginSet(POINTER(p.dstDevice), 2 * p.N, p.hStream))
EVENT(MemsetD32_v2, ptds, r.beginSet(POINTER(p.dstDevice), 4 * p.N, nullptr))
EVENT(MemsetD32Async, ptsz, r.beginSet(POINTER(p.dstDevice), 4 * p.N, p.hStream))
EVENT(MemsetD2D8_v2, ptds, r.beginSet(POINTER(p.dstDevice), p.Width * p.Height, nullptr))
EVENT(MemsetD2D8Async, ptsz, r.beginSet(POINTER(p.dstDevice), p.Width * p.Height, p.hStream))
EVENT(MemsetD2D32_v2, ptds, r.beginSet(POINTER(p.dstDevice), 4 * p.Width * p.Height, nullptr))
EVENT(MemsetD2D32Async, ptsz, r.beginSet(POINTER(p.dstDevice), 4 * p.Width * p.Height, p.hStream))

EVENT(LaunchKernel, ptsz, r.beginKernel(launchOf(p, p)))
EVENT(LaunchCooperativeKernel, ptsz, r.beginKernel(launchOf(p, p)))
EVENT(LaunchKernelEx, ptsz, r.beginKernel(launchOf(p, *p.config)))
EVENT(GraphLaunch, ptsz, r.beginCall("graph", "graph", nullptr, p.hStream))

// CUPTI tells of images by itself, as they are on the device.
#ifndef MUSASHIM_RECORD_CUDA
AFTER(ModuleLoadData, none, r.loaded(p.image, imageSize(p.image)))
AFTER(ModuleLoadDataEx, none, r.loaded(p.image, imageSize(p.image)))
AFTER(ModuleLoadFatBinary, none, r.loaded(p.fatMubin, imageSize(p.fatMubin)))
AFTER(ModuleLoad, none, r.loadedFile(p.fname))
AFTER(LibraryLoadData, none, r.loaded(p.code, imageSize(p.code)))
AFTER(LibraryLoadFromFile, none, r.loadedFile(p.fileName))
#endif

#undef POINTER
