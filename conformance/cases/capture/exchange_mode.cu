// The mode of a thread against captures of others and its own.
#include <thread>

#include "../../framework/graphs.h"

CONFORMANCE_CASE("capture.exchange_mode");

static cudaError_t allocate() {
  void* pointer = nullptr;
  return cudaMalloc(&pointer, 64);
}

int main() {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  OBSERVE("exchange", cudaThreadExchangeStreamCaptureMode(&mode));
  OBSERVE("was", static_cast<int>(mode));
  OBSERVE("exchange_back", cudaThreadExchangeStreamCaptureMode(&mode));
  OBSERVE("was_then", static_cast<int>(mode));
  cudaStream_t stream;
  SETUP(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaGraph_t graph = nullptr;
  for (int own = 0; own < 3; ++own) {
    for (int capture = 0; capture < 2; ++capture) {
      const std::string name = "thread_" + std::to_string(own) + "_capture_" + std::to_string(capture);
      cudaError_t here = cudaSuccess;
      cudaError_t elsewhere = cudaSuccess;
      SETUP(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(capture)));
      std::thread([&] {
        cudaStreamCaptureMode wanted = static_cast<cudaStreamCaptureMode>(own);
        SETUP(cudaThreadExchangeStreamCaptureMode(&wanted));
        elsewhere = allocate();
      }).join();
      OBSERVE(name + "_elsewhere", elsewhere);
      OBSERVE(name + "_end", cudaStreamEndCapture(stream, &graph));
      cudaGetLastError();
      SETUP(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(capture)));
      cudaStreamCaptureMode wanted = static_cast<cudaStreamCaptureMode>(own);
      SETUP(cudaThreadExchangeStreamCaptureMode(&wanted));
      here = allocate();
      SETUP(cudaThreadExchangeStreamCaptureMode(&wanted));
      OBSERVE(name + "_here", here);
      OBSERVE(name + "_here_end", cudaStreamEndCapture(stream, &graph));
      cudaGetLastError();
    }
  }
}
