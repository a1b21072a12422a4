// Buffers, kernels and launches of the OpenCL variants; errors end the program.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>

#include "serve.h"

namespace bench {

inline void must(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "%s failed with OpenCL error %d\n", what, error);
  std::exit(3);
}

#define BENCH_CL(call) ::bench::must((call), #call)

// The first PoCL device; one queue, in order.
class OpenCl {
 public:
  static OpenCl& instance() {
    static OpenCl only;
    return only;
  }

  // Compiles the file `kernel.cl` beside the source file `beside`.
  void compile(const std::string& beside, const std::string& options) {
    std::ifstream file(beside.substr(0, beside.rfind('/') + 1) + "kernel.cl");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const char* start = text.data();
    const size_t length = text.size();
    cl_int error;
    program_ = clCreateProgramWithSource(context, 1, &start, &length, &error);
    must(error, "clCreateProgramWithSource");
    if (clBuildProgram(program_, 1, &device, options.c_str(), nullptr, nullptr) == CL_SUCCESS) return;
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program_, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    std::fprintf(stderr, "%s\n", log.c_str());
    std::exit(3);
  }

  cl_kernel kernel(const char* name) {
    cl_int error;
    cl_kernel made = clCreateKernel(program_, name, &error);
    must(error, name);
    return made;
  }

  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

 private:
  OpenCl() {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    BENCH_CL(clGetPlatformIDs(8, platforms, &count));
    for (cl_uint i = 0; i < count && !device; ++i) {
      char name[64] = "";
      clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr);
      if (std::string(name) == "Portable Computing Language") {
        BENCH_CL(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr));
      }
    }
    must(device ? CL_SUCCESS : CL_DEVICE_NOT_FOUND, "finding PoCL");
    cl_int error;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    must(error, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &error);
    must(error, "clCreateCommandQueue");
  }

  cl_program program_ = nullptr;
};

// Uses host memory in huge pages in place, so that PoCL has what the others have.
template <class T>
class ClBuffer {
 public:
  explicit ClBuffer(size_t count) : host_(count) {
    cl_int error;
    memory_ = clCreateBuffer(OpenCl::instance().context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes(),
                             host_.data(), &error);
    must(error, "clCreateBuffer");
  }
  ~ClBuffer() { clReleaseMemObject(memory_); }
  ClBuffer(const ClBuffer&) = delete;
  ClBuffer& operator=(const ClBuffer&) = delete;

  cl_mem data() { return memory_; }
  size_t size() const { return host_.size(); }
  void read(T* to) {
    BENCH_CL(
        clEnqueueReadBuffer(OpenCl::instance().queue, memory_, CL_TRUE, 0, bytes(), to, 0, nullptr, nullptr));
  }
  void clear() {
    fill([](size_t) { return T{}; });
  }
  template <class Function>
  void fill(Function value) {
    Buffer<T> from(size());
    from.fill(value);
    BENCH_CL(clEnqueueWriteBuffer(OpenCl::instance().queue, memory_, CL_TRUE, 0, bytes(), from.data(), 0,
                                  nullptr, nullptr));
  }

 private:
  size_t bytes() const { return host_.size() * sizeof(T); }

  Buffer<T> host_;
  cl_mem memory_;
};

// A kernel that is launched with its arguments; `blocks` and `threads` are per dimension.
class ClKernel {
 public:
  explicit ClKernel(const char* name) : kernel_(OpenCl::instance().kernel(name)) {}

  template <class... Arguments>
  void operator()(std::initializer_list<size_t> blocks, std::initializer_list<size_t> threads,
                  const Arguments&... arguments) {
    cl_uint index = 0;
    (must(clSetKernelArg(kernel_, index++, sizeof arguments, &arguments), "clSetKernelArg"), ...);
    size_t global[3];
    for (size_t i = 0; i < blocks.size(); ++i) global[i] = blocks.begin()[i] * threads.begin()[i];
    BENCH_CL(clEnqueueNDRangeKernel(OpenCl::instance().queue, kernel_, blocks.size(), nullptr, global,
                                    threads.begin(), 0, nullptr, nullptr));
  }

 private:
  cl_kernel kernel_;
};

// A variant whose run is what `Launch`, made once the program is compiled, queues when called.
template <class Problem, class Launch>
struct ClVariant : Problem::template Data<ClBuffer> {
  explicit ClVariant(const Problem& p) : Problem::template Data<ClBuffer>(p), problem(p) {}
  void run(int times) {
    for (int i = 0; i < times; ++i) launch(problem, *this);
    BENCH_CL(clFinish(OpenCl::instance().queue));
  }
  const Problem& problem;
  Launch launch;
};

}  // namespace bench

// The program whose run is Launch's `void operator()(const Problem&, Problem::Data<bench::ClBuffer>&)`.
#define BENCH_CL_MAIN(Problem, Launch, options)           \
  int main(int argc, char** argv) {                       \
    bench::OpenCl::instance().compile(__FILE__, options); \
    using Variant = bench::ClVariant<Problem, Launch>;    \
    return bench::serve<Problem, Variant>(argc, argv);    \
  }
