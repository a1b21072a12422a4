#include "libs/mudnn/operations/direct_convolution.h"

#include <algorithm>

#include "libs/mudnn/core/values.h"

namespace musashim::mudnn {
namespace {

// Places as three dimensions, those that are missing of one.
struct Places {
  explicit Places(const ConvolutionProblem& problem) {
    const auto count = problem.pads.size();
    for (size_t i = 0; i < 3; ++i) {
      const bool there = i + count >= 3;
      const size_t d = there ? i + count - 3 : 0;
      in[i] = there ? problem.x.sizes[d + 2] : 1;
      window[i] = there ? problem.w.sizes[d + 2] : 1;
      out[i] = there ? problem.y.sizes[d + 2] : 1;
      pad[i] = there ? problem.pads[d] : 0;
      stride[i] = there ? problem.strides[d] : 1;
      dilation[i] = there ? problem.dilations[d] : 1;
    }
    flips = problem.flips;
  }

  // pair(input's place, output's place) for a place of the window that begins at k and all places that meet
  // there.
  template <class Pair>
  void forMeetings(const int64_t* k, Pair&& pair) const {
    int64_t begin[3], end[3], first[3];
    for (int i = 0; i < 3; ++i) {
      first[i] = (flips ? window[i] - 1 - k[i] : k[i]) * dilation[i] - pad[i];
      begin[i] = first[i] < 0 ? (-first[i] + stride[i] - 1) / stride[i] : 0;
      end[i] = std::min(out[i], first[i] >= in[i] ? 0 : (in[i] - 1 - first[i]) / stride[i] + 1);
    }
    for (int64_t a = begin[0]; a < end[0]; ++a)
      for (int64_t b = begin[1]; b < end[1]; ++b) {
        const int64_t inRow =
            ((first[0] + a * stride[0]) * in[1] + first[1] + b * stride[1]) * in[2] + first[2];
        const int64_t outRow = (a * out[1] + b) * out[2];
        for (int64_t c = begin[2]; c < end[2]; ++c) pair(inRow + c * stride[2], outRow + c);
      }
  }
  template <class Each>
  void forWindow(Each&& each) const {
    int64_t k[3], index = 0;
    for (k[0] = 0; k[0] < window[0]; ++k[0])
      for (k[1] = 0; k[1] < window[1]; ++k[1])
        for (k[2] = 0; k[2] < window[2]; ++k[2]) each(k, index++);
  }
  static int64_t product(const int64_t* sizes) { return sizes[0] * sizes[1] * sizes[2]; }

  int64_t in[3], window[3], out[3], pad[3], stride[3], dilation[3];
  bool flips;
};

struct Channels {
  explicit Channels(const ConvolutionProblem& problem)
      : batch(problem.x.sizes[0]),
        in(problem.x.sizes[1]),
        out(problem.w.sizes[0]),
        inOfGroup(problem.w.sizes[1]),
        outOfGroup(out / problem.groups) {}
  int64_t batch, in, out, inOfGroup, outOfGroup;
};

}  // namespace

void directForward(const ConvolutionProblem& problem, double* y) {
  const Places places(problem);
  const Channels channels(problem);
  const Input<double> x(problem.x), w(problem.w);
  const int64_t inPlaces = Places::product(places.in), outPlaces = Places::product(places.out),
                window = Places::product(places.window);
  shareRange(channels.batch * channels.out, outPlaces * window, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      const int64_t n = at / channels.out, o = at % channels.out, group = o / channels.outOfGroup;
      double* const sums = y + at * outPlaces;
      std::fill_n(sums, outPlaces, 0.0);
      for (int64_t c = 0; c < channels.inOfGroup; ++c) {
        const double* const from = x.data() + (n * channels.in + group * channels.inOfGroup + c) * inPlaces;
        const double* const filter = w.data() + (o * channels.inOfGroup + c) * window;
        places.forWindow([&](const int64_t* k, int64_t index) {
          places.forMeetings(k, [&](int64_t i, int64_t j) { sums[j] += filter[index] * from[i]; });
        });
      }
    }
  });
}

void directBackwardData(const ConvolutionProblem& problem, double* dx) {
  const Places places(problem);
  const Channels channels(problem);
  const Input<double> dy(problem.y), w(problem.w);
  const int64_t inPlaces = Places::product(places.in), outPlaces = Places::product(places.out),
                window = Places::product(places.window);
  shareRange(channels.batch * channels.in, outPlaces * window, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at < end; ++at) {
      const int64_t n = at / channels.in, channel = at % channels.in, group = channel / channels.inOfGroup,
                    c = channel % channels.inOfGroup;
      double* const sums = dx + at * inPlaces;
      std::fill_n(sums, inPlaces, 0.0);
      for (int64_t i = 0; i < channels.outOfGroup; ++i) {
        const int64_t o = group * channels.outOfGroup + i;
        const double* const from = dy.data() + (n * channels.out + o) * outPlaces;
        const double* const filter = w.data() + (o * channels.inOfGroup + c) * window;
        places.forWindow([&](const int64_t* k, int64_t index) {
          places.forMeetings(k, [&](int64_t to, int64_t j) { sums[to] += filter[index] * from[j]; });
        });
      }
    }
  });
}

void directBackwardFilter(const ConvolutionProblem& problem, double* dw) {
  Places places(problem);
  places.flips = false;
  const Channels channels(problem);
  const Input<double> dy(problem.y), x(problem.x);
  const int64_t inPlaces = Places::product(places.in), outPlaces = Places::product(places.out),
                window = Places::product(places.window);
  shareRange(channels.out * channels.inOfGroup, channels.batch * outPlaces * window,
             [&](int64_t begin, int64_t end) {
               for (int64_t at = begin; at < end; ++at) {
                 const int64_t o = at / channels.inOfGroup, c = at % channels.inOfGroup,
                               group = o / channels.outOfGroup;
                 places.forWindow([&](const int64_t* k, int64_t index) {
                   double sum = 0;
                   for (int64_t n = 0; n < channels.batch; ++n) {
                     const double* const from =
                         x.data() + (n * channels.in + group * channels.inOfGroup + c) * inPlaces;
                     const double* const gradient = dy.data() + (n * channels.out + o) * outPlaces;
                     places.forMeetings(k, [&](int64_t i, int64_t j) { sum += gradient[j] * from[i]; });
                   }
                   dw[at * window + index] = sum;
                 });
               }
             });
}

}  // namespace musashim::mudnn
