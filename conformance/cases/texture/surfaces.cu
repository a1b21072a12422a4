// Loads and stores through surface objects, inside and outside of the image.
#include "../../framework/textures.h"

CONFORMANCE_CASE("texture.surfaces");

static __global__ void write2D(cudaSurfaceObject_t surface, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x < width && y < height) surf2Dwrite(y * 100 + x, surface, x * 4, y);
}

static __global__ void read2D(cudaSurfaceObject_t surface, const int* x, const int* y, int count, int* zero,
                              int* clamp) {
  const int i = threadIdx.x;
  if (i >= count) return;
  zero[i] = surf2Dread<int>(surface, x[i], y[i], cudaBoundaryModeZero);
  surf2Dread(&clamp[i], surface, x[i], y[i], cudaBoundaryModeClamp);
}

static __global__ void writeOutside(cudaSurfaceObject_t surface) {
  surf2Dwrite(-1, surface, -4, 0, cudaBoundaryModeZero);
  surf2Dwrite(-2, surface, 16, 1, cudaBoundaryModeZero);
  surf2Dwrite(-3, surface, 400, 2, cudaBoundaryModeClamp);
}

static __global__ void vectors(cudaSurfaceObject_t surface, uchar4* out) {
  surf1Dwrite(make_uchar4(1, 2, 3, 4), surface, 8);
  out[0] = surf1Dread<uchar4>(surface, 8);
  out[1].x = surf1Dread<unsigned char>(surface, 9);
  short2 pair = surf1Dread<short2>(surface, 8);
  out[1].y = static_cast<unsigned char>(pair.y & 255);
  out[1].z = static_cast<unsigned char>(pair.y >> 8);
  out[1].w = 0;
}

static __global__ void layersAndBoxes(cudaSurfaceObject_t layered, cudaSurfaceObject_t solid, int* out) {
  surf2DLayeredwrite(11, layered, 4, 1, 0);
  surf2DLayeredwrite(12, layered, 4, 1, 1);
  surf3Dwrite(21, solid, 8, 0, 1);
  out[0] = surf2DLayeredread<int>(layered, 4, 1, 0);
  out[1] = surf2DLayeredread<int>(layered, 4, 1, 1);
  out[2] = surf3Dread<int>(solid, 8, 0, 1);
  out[3] = surf3Dread<int>(solid, 8, 0, 7, cudaBoundaryModeZero);
  out[4] = surf3Dread<int>(solid, 8, -5, 9, cudaBoundaryModeClamp);
  out[5] = surf2DLayeredread<int>(layered, 4, 1, 5, cudaBoundaryModeZero);
}

static cudaSurfaceObject_t makeSurface(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t object = 0;
  SETUP(cudaCreateSurfaceObject(&object, &resource));
  return object;
}

static __global__ void trap(cudaSurfaceObject_t surface, int* out) {
  out[0] = surf2Dread<int>(surface, 400, 0);
}

int main() {
  const cudaArray_t array = makeArray(std::vector<int>(12, 7), 4, 3, cudaArraySurfaceLoadStore);
  const cudaSurfaceObject_t surface = makeSurface(array);
  write2D<<<1, dim3(8, 8)>>>(surface, 4, 3);
  SETUP(cudaDeviceSynchronize());
  std::vector<int> seen(12);
  SETUP(cudaMemcpy2DFromArray(seen.data(), 16, array, 0, 0, 16, 3, cudaMemcpyDeviceToHost));
  OBSERVE("written", joined(seen));

  DeviceArray<int> x(std::vector<int>{0, 12, -4, 16, 4, 8, 400}), y(std::vector<int>{0, 2, 0, 1, -1, 3, 400});
  DeviceArray<int> zero(7), clamp(7);
  read2D<<<1, 8>>>(surface, x.data(), y.data(), 7, zero.data(), clamp.data());
  OBSERVE("zero", joined(zero.read()));
  OBSERVE("clamp", joined(clamp.read()));
  writeOutside<<<1, 1>>>(surface);
  SETUP(cudaDeviceSynchronize());
  SETUP(cudaMemcpy2DFromArray(seen.data(), 16, array, 0, 0, 16, 3, cudaMemcpyDeviceToHost));
  OBSERVE("written_outside", joined(seen));

  const cudaArray_t line = makeArray(std::vector<uchar4>(8), 8, 0, cudaArraySurfaceLoadStore);
  DeviceArray<uchar4> out(2);
  vectors<<<1, 1>>>(makeSurface(line), out.data());
  std::string text;
  for (const uchar4& v : out.read()) {
    text += (text.empty() ? "" : " ") + observedText(v.x) + "," + observedText(v.y) + "," +
            observedText(v.z) + "," + observedText(v.w);
  }
  OBSERVE("vectors", text);

  const cudaArray_t layers = makeArray3D(std::vector<int>(4 * 3 * 2, 5), make_cudaExtent(4, 3, 2),
                                         cudaArrayLayered | cudaArraySurfaceLoadStore);
  const cudaArray_t solid =
      makeArray3D(std::vector<int>(4 * 3 * 2, 6), make_cudaExtent(4, 3, 2), cudaArraySurfaceLoadStore);
  DeviceArray<int> places(6);
  layersAndBoxes<<<1, 1>>>(makeSurface(layers), makeSurface(solid), places.data());
  OBSERVE("layers_and_boxes", joined(places.read()));

  // Objects.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = makeArray(std::vector<int>(12), 4, 3);
  cudaSurfaceObject_t object = 0;
  OBSERVE("without_flag", cudaCreateSurfaceObject(&object, &resource));
  resource.res.array.array = nullptr;
  OBSERVE("null_array", cudaCreateSurfaceObject(&object, &resource));
  OBSERVE("null_object", cudaCreateSurfaceObject(nullptr, &resource));
  OBSERVE("null_resource", cudaCreateSurfaceObject(&object, nullptr));
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = places.data();
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 24;
  OBSERVE("linear_memory", cudaCreateSurfaceObject(&object, &resource));
  (void)cudaGetLastError();
  cudaResourceDesc found = {};
  OBSERVE("resource", cudaGetSurfaceObjectResourceDesc(&found, surface));
  OBSERVE("resource_is_array", found.resType == cudaResourceTypeArray && found.res.array.array == array);
  OBSERVE("destroy", cudaDestroySurfaceObject(surface));

  const cudaSurfaceObject_t again = makeSurface(array);
  trap<<<1, 1>>>(again, places.data());
  OBSERVE("trap", cudaDeviceSynchronize());
}
