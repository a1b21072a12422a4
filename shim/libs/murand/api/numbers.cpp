// Entries that make numbers.
#include "entry.h"

using musashim::rand::entryOf;
using musashim::rand::Kind;
using musashim::rand::Request;
using musashim::rand::Shape;

namespace {

template <class T, class... Args>
murandStatus_t generate(const char* name, murandGenerator_t generator, T* out, size_t n,
                        const Request& request, const Args&... args) {
  return entryOf(
      name, generator, [&](murandGenerator_st& g) { return g.generate(request, out, n); },
      static_cast<const void*>(out), n, args...);
}

}  // namespace

MURAND_ENTRY murandGenerate(murandGenerator_t generator, unsigned int* outputPtr, size_t num) {
  return generate("murandGenerate", generator, outputPtr, num, {Kind::Word});
}

MURAND_ENTRY murandGenerateLongLong(murandGenerator_t generator, unsigned long long* outputPtr, size_t num) {
  return generate("murandGenerateLongLong", generator, outputPtr, num, {Kind::LongWord});
}

MURAND_ENTRY murandGenerateUniform(murandGenerator_t generator, float* outputPtr, size_t num) {
  return generate("murandGenerateUniform", generator, outputPtr, num, {Kind::Float});
}

MURAND_ENTRY murandGenerateUniformDouble(murandGenerator_t generator, double* outputPtr, size_t num) {
  return generate("murandGenerateUniformDouble", generator, outputPtr, num, {Kind::Double});
}

MURAND_ENTRY murandGenerateNormal(murandGenerator_t generator, float* outputPtr, size_t n, float mean,
                                  float stddev) {
  return generate("murandGenerateNormal", generator, outputPtr, n, {Kind::Normal, Shape{mean, stddev, false}},
                  mean, stddev);
}

MURAND_ENTRY murandGenerateNormalDouble(murandGenerator_t generator, double* outputPtr, size_t n, double mean,
                                        double stddev) {
  return generate("murandGenerateNormalDouble", generator, outputPtr, n,
                  {Kind::NormalDouble, Shape{mean, stddev, false}}, mean, stddev);
}

MURAND_ENTRY murandGenerateLogNormal(murandGenerator_t generator, float* outputPtr, size_t n, float mean,
                                     float stddev) {
  return generate("murandGenerateLogNormal", generator, outputPtr, n,
                  {Kind::Normal, Shape{mean, stddev, true}}, mean, stddev);
}

MURAND_ENTRY murandGenerateLogNormalDouble(murandGenerator_t generator, double* outputPtr, size_t n,
                                           double mean, double stddev) {
  return generate("murandGenerateLogNormalDouble", generator, outputPtr, n,
                  {Kind::NormalDouble, Shape{mean, stddev, true}}, mean, stddev);
}

MURAND_ENTRY murandGeneratePoisson(murandGenerator_t generator, unsigned int* outputPtr, size_t n,
                                   double lambda) {
  return generate("murandGeneratePoisson", generator, outputPtr, n, {Kind::Poisson, {}, lambda}, lambda);
}
