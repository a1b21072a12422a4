// Pitched memory and copies of rectangles.
#include "../../framework/buffers.h"

CONFORMANCE_CASE("memory.pitch");

int main() {
  char* device = nullptr;
  size_t pitch = 0;
  OBSERVE("allocate", cudaMallocPitch(reinterpret_cast<void**>(&device), &pitch, 100, 8));
  OBSERVE("pitch_holds_width", pitch >= 100);
  OBSERVE("pitch_multiple_of_32", pitch % 32 == 0);
  OBSERVE("null_pitch", cudaMallocPitch(reinterpret_cast<void**>(&device), nullptr, 100, 8));
  OBSERVE("null_pointer", cudaMallocPitch(static_cast<void**>(nullptr), &pitch, 100, 8));
  SETUP(cudaMallocPitch(reinterpret_cast<void**>(&device), &pitch, 100, 8));

  std::vector<char> source(100 * 8);
  for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<char>(i * 7 % 101);
  std::vector<char> target(source.size(), 0);
  OBSERVE("up", cudaMemcpy2D(device, pitch, source.data(), 100, 100, 8, cudaMemcpyHostToDevice));
  OBSERVE("down", cudaMemcpy2D(target.data(), 100, device, pitch, 100, 8, cudaMemcpyDeviceToHost));
  OBSERVE("same", source == target);

  std::vector<char> window(10 * 3, 0);
  OBSERVE("window",
          cudaMemcpy2D(window.data(), 10, device + 2 * pitch + 5, pitch, 10, 3, cudaMemcpyDeviceToHost));
  OBSERVE("window_values", checksum(window.data(), window.size()));
  OBSERVE("width_over_pitch", cudaMemcpy2D(device, 64, source.data(), 100, 100, 8, cudaMemcpyHostToDevice));
  OBSERVE("width_over_host_pitch",
          cudaMemcpy2D(device, pitch, source.data(), 50, 100, 8, cudaMemcpyHostToDevice));
  OBSERVE("zero_width", cudaMemcpy2D(device, pitch, source.data(), 100, 0, 8, cudaMemcpyHostToDevice));
  OBSERVE("null", cudaMemcpy2D(nullptr, pitch, source.data(), 100, 100, 8, cudaMemcpyHostToDevice));
  OBSERVE("kind_unknown",
          cudaMemcpy2D(device, pitch, source.data(), 100, 100, 8, static_cast<cudaMemcpyKind>(77)));
}
