// The kernels whose metrics were recorded by Nsight Compute: those of tests/benchmarks at their smallest
// size, and some that access memory as one should not. Each is launched once. Built by nvcc for the
// recording, ported by musaport for ours.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "bad_habits.h"
#include "buffers.h"
#include "kernels/black_scholes/kernel.h"
#include "kernels/black_scholes/problem.h"
#include "kernels/histogram/kernel.h"
#include "kernels/histogram/problem.h"
#include "kernels/layer_norm/kernel.h"
#include "kernels/layer_norm/problem.h"
#include "kernels/mandelbrot/kernel.h"
#include "kernels/mandelbrot/problem.h"
#include "kernels/matmul/kernel.h"
#include "kernels/matmul/problem.h"
#include "kernels/nbody/kernel.h"
#include "kernels/nbody/problem.h"
#include "kernels/reduce_shared/kernel.h"
#include "kernels/reduce_shared/problem.h"
#include "kernels/reduce_shuffle/kernel.h"
#include "kernels/saxpy/kernel.h"
#include "kernels/saxpy/problem.h"
#include "kernels/scan/kernel.h"
#include "kernels/scan/problem.h"
#include "kernels/softmax/kernel.h"
#include "kernels/softmax/problem.h"
#include "kernels/spmv/kernel.h"
#include "kernels/spmv/problem.h"
#include "kernels/stencil/kernel.h"
#include "kernels/stencil/problem.h"
#include "kernels/transpose/kernel.h"
#include "kernels/transpose/problem.h"

// Runs `launch` once on fresh data and says whether the result is right: metrics of wrong runs are worth
// nothing.
template <class Problem, class Launch>
static bool run(const char* name, Launch launch) {
  const Problem problem(bench::Size::kCheck);
  typename Problem::template Data<DeviceBuffer> data(problem);
  data.reset();
  launch(problem, data);
  must(cudaGetLastError(), name);
  must(cudaDeviceSynchronize(), name);
  bench::Buffer<typename Problem::Output> out(problem.outputCount());
  data.result(out.data());
  const bool right = problem.error(out.data()) <= 1;
  std::printf("%-16s %s\n", name, right ? "right" : "WRONG");
  return right;
}

static bool benchmarks() {
  bool right = true;
  right &= run<BlackScholes>("blackScholes", [](auto& p, auto& d) {
    blackScholes<<<p.blocks(), p.kThreads>>>(p.n, p.kRate, p.kVolatility, d.price.data(), d.strike.data(),
                                             d.years.data(), d.out.data());
  });
  right &= run<Histogram>("histogram", [](auto& p, auto& d) {
    histogram<<<p.blocks(), p.kThreads>>>(p.n, d.in.data(), d.counts.data());
  });
  right &= run<LayerNorm>("layerNorm", [](auto& p, auto& d) {
    layerNorm<<<p.rows, p.kThreads>>>(p.kColumns, p.kEpsilon, d.in.data(), d.gain.data(), d.bias.data(),
                                      d.out.data());
  });
  right &= run<Mandelbrot>("mandelbrot", [](auto& p, auto& d) {
    mandelbrot<<<dim3(p.n / p.kSide, p.n / p.kSide), dim3(p.kSide, p.kSide)>>>(p.n, p.kLeft, p.kTop, p.step,
                                                                               d.out.data());
  });
  right &= run<Matmul>("matmul", [](auto& p, auto& d) {
    matmul<Matmul::kTile>
        <<<dim3(p.tiles(), p.tiles()), dim3(p.kTile, p.kTile)>>>(p.n, d.a.data(), d.b.data(), d.c.data());
  });
  right &= run<NBody>("nbody", [](auto& p, auto& d) {
    nbody<<<p.n / p.kThreads, p.kThreads>>>(p.n, p.kSoftening,
                                            reinterpret_cast<const float4*>(d.bodies.data()),
                                            reinterpret_cast<float4*>(d.out.data()));
  });
  right &= run<Reduce>("reduceShared", [](auto& p, auto& d) {
    reduceShared<<<p.blocks(), p.kThreads>>>(d.in.data(), d.out.data());
  });
  right &= run<Reduce>("reduceShuffle", [](auto& p, auto& d) {
    reduceShuffle<<<p.blocks(), p.kThreads>>>(d.in.data(), d.out.data());
  });
  right &= run<Saxpy>("saxpy", [](auto& p, auto& d) {
    saxpy<<<p.blocks(), p.kThreads>>>(p.n, p.kA, d.x.data(), d.y.data());
  });
  right &= run<Softmax>("softmax", [](auto& p, auto& d) {
    softmax<<<p.rows, p.kThreads>>>(p.kColumns, d.in.data(), d.out.data());
  });
  right &= run<Spmv>("spmv", [](auto& p, auto& d) {
    spmv<<<p.blocks(), p.kThreads>>>(p.rows, d.starts.data(), d.columns.data(), d.values.data(), d.x.data(),
                                     d.out.data());
  });
  right &= run<Stencil>("stencil", [](auto& p, auto& d) {
    stencil<<<dim3(p.n / p.kWidth, p.n / p.kHeight), dim3(p.kWidth, p.kHeight)>>>(p.n, d.in.data(),
                                                                                  d.out.data());
  });
  right &= run<Transpose>("transpose", [](auto& p, auto& d) {
    transpose<<<dim3(p.tiles(), p.tiles()), dim3(p.kTile, p.kRows)>>>(p.n, d.in.data(), d.out.data());
  });
  return right;
}

static bool scans() {
  DeviceBuffer<unsigned> in(8 * 256), out(8 * 256), sums(8);
  in.fill([](size_t i) { return static_cast<unsigned>(i); });
  scanBlocks<<<8, 256>>>(8 * 256 - 100, in.data(), out.data(), sums.data());
  addSums<<<8, 256>>>(8 * 256 - 100, sums.data(), out.data());
  must(cudaDeviceSynchronize(), "scan");
  return true;
}

static bool badHabits() {
  constexpr int kCount = 1 << 14;
  DeviceBuffer<float> in(kCount * 4), out(kCount * 4);
  DeviceBuffer<unsigned char> bytes(kCount);
  in.fill([](size_t i) { return static_cast<float>(i % 97) * 0.125f; });
  bytes.fill([](size_t i) { return static_cast<unsigned char>(i * 7); });
  copyStrided<<<16, 256>>>(kCount / 4, 4, in.data(), out.data());
  copyShifted<<<16, 256>>>(kCount / 4, 3, in.data(), out.data());
  transposeNaive<<<dim3(4, 4), dim3(32, 8)>>>(128, in.data(), out.data());
  transposeConflicts<<<dim3(4, 4), dim3(32, 8)>>>(128, in.data(), out.data());
  conflictsByStride<<<4, 128>>>(2, in.data(), out.data());
  conflictsByPairs<<<4, 128>>>(reinterpret_cast<const double*>(in.data()),
                               reinterpret_cast<double*>(out.data()));
  structures<<<16, 128>>>(2048, reinterpret_cast<const Particle*>(in.data()), out.data());
  evenAndOdd<<<16, 128>>>(2048, in.data(), out.data());
  trianglesByLane<<<8, 128>>>(in.data(), out.data());
  halfBlock<<<8, 96>>>(in.data(), out.data());
  bytesToFloats<<<16, 256>>>(4096, bytes.data(), out.data());
  vectors<<<4, 256>>>(1024, reinterpret_cast<const float4*>(in.data()),
                      reinterpret_cast<float4*>(out.data()));
  counterForAll<<<8, 256>>>(reinterpret_cast<unsigned*>(out.data()));
  countersByLane<<<8, 256>>>(bytes.data(), reinterpret_cast<unsigned*>(out.data()));
  gather<<<16, 256>>>(4096, bytes.data(), in.data(), out.data());
  broadcast<<<8, 128>>>(in.data(), out.data());
  must(cudaGetLastError(), "badHabits");
  must(cudaDeviceSynchronize(), "badHabits");
  return true;
}

int main() { return benchmarks() && scans() && badHabits() ? 0 : 1; }
