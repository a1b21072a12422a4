// Activations, softmax, and operations on tensors as they are.
#include <algorithm>
#include <cmath>

#include "libs/mudnn/api/entry.h"
#include "libs/mudnn/api/tensor_checks.h"
#include "libs/mudnn/core/values.h"
#include "libs/mudnn/operations/elementwise/elementwise.h"
#include "libs/mudnn/operations/elementwise/functions.h"
#include "libs/mudnn/operations/reduce.h"

struct mudnnOpTensorStruct {
  bool isSet = false;
  mudnnOpTensorOp_t op = MUDNN_OP_TENSOR_ADD;
  mudnnDataType_t type = MUDNN_DATA_FLOAT;
  mudnnNanPropagation_t nan = MUDNN_NOT_PROPAGATE_NAN;
};

namespace musashim::mudnn {

Activation activationOf(const mudnnActivationStruct& descriptor) {
  switch (descriptor.mode) {
    case MUDNN_ACTIVATION_SIGMOID:
      return Activation::kSigmoid;
    case MUDNN_ACTIVATION_RELU:
      return Activation::kRelu;
    case MUDNN_ACTIVATION_TANH:
      return Activation::kTanh;
    case MUDNN_ACTIVATION_CLIPPED_RELU:
      return Activation::kClippedRelu;
    case MUDNN_ACTIVATION_ELU:
      return Activation::kElu;
    case MUDNN_ACTIVATION_SWISH:
      return Activation::kSilu;
    default:
      return Activation::kIdentity;
  }
}

namespace {

bool isNan(mudnnNanPropagation_t nan) { return nan == MUDNN_NOT_PROPAGATE_NAN || nan == MUDNN_PROPAGATE_NAN; }

// kernel(V, inputs, output, count), in double where the output's numbers are not floats.
template <class Make>
Work mapped(const Array& out, std::vector<Array> inputs, Make make) {
  for (const Array& input : inputs) (void)broadcast(input, out);
  return [=] {
    const auto run = [&]<class V>(V) {
      const Kernel<V> kernel = [&](const V* const* in, V* to, int64_t count) { make(in, to, count); };
      if (inputs.size() == 1) return forElements<V>(out, {inputs[0]}, kernel);
      if (inputs.size() == 2) return forElements<V>(out, {inputs[0], inputs[1]}, kernel);
      forElements<V>(out, {inputs[0], inputs[1], inputs[2]}, kernel);
    };
    kindOf(out.element) == Kind::kFloat ? run(float()) : run(double());
  };
}

// out = alpha * f(in) + beta * out
template <class Function>
Work blendedMap(double alpha, double beta, const Array& out, const Array& in, Function function) {
  if (beta == 0)
    return mapped(out, {in}, [=](const auto* const* from, auto* to, int64_t count) {
      using V = std::remove_reference_t<decltype(to[0])>;
      for (int64_t i = 0; i < count; ++i) to[i] = static_cast<V>(alpha) * function(from[0][i]);
    });
  return mapped(out, {in, out}, [=](const auto* const* from, auto* to, int64_t count) {
    using V = std::remove_reference_t<decltype(to[0])>;
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<V>(alpha) * function(from[0][i]) + static_cast<V>(beta) * from[1][i];
  });
}

// dx = dy * f'(x), by dy, x and y.
template <class V>
void gradient(mudnnActivationMode_t mode, double coefficient, const V* const* in, V* dx, int64_t count) {
  const V a = static_cast<V>(coefficient);
  const auto run = [=, dy = in[0], x = in[1], y = in[2]](auto slope) {
    for (int64_t i = 0; i < count; ++i) dx[i] = dy[i] * slope(x[i], y[i]);
  };
  switch (mode) {
    case MUDNN_ACTIVATION_SIGMOID:
      return run([](V, V out) { return out * (1 - out); });
    case MUDNN_ACTIVATION_RELU:
      return run([](V v, V) { return v > 0 ? V(1) : V(0); });
    case MUDNN_ACTIVATION_TANH:
      return run([](V, V out) { return 1 - out * out; });
    case MUDNN_ACTIVATION_CLIPPED_RELU:
      return run([a](V v, V) { return v > 0 && v <= a ? V(1) : V(0); });
    case MUDNN_ACTIVATION_ELU:
      return run([a](V v, V) { return v >= 0 ? V(1) : a * std::exp(v); });
    default:
      return run([a](V v, V) {
        const V s = sigmoid(a * v);
        return s * (1 + a * v * (1 - s));
      });
  }
}

// An instance's softmax is over all of it, a channel's over channels at each place.
std::vector<int> softmaxAxes(mudnnSoftmaxMode_t mode, const Array& array) {
  std::vector<int> axes{1};
  if (mode == MUDNN_SOFTMAX_MODE_INSTANCE)
    for (int i = 2; i < array.rank; ++i) axes.push_back(i);
  return axes;
}

musa::dnn::Softmax::Mode modeOf(mudnnSoftmaxAlgorithm_t algo) {
  return algo == MUDNN_SOFTMAX_LOG ? musa::dnn::Softmax::Mode::LOGSOFTMAX : musa::dnn::Softmax::Mode::SOFTMAX;
}

}  // namespace
}  // namespace musashim::mudnn

using namespace musashim::mudnn;

extern "C" {

MUDNN_DESCRIPTOR(Activation)
MUDNN_DESCRIPTOR(OpTensor)

MUDNN_ENTRY mudnnSetActivationDescriptor(mudnnActivationDescriptor_t activationDesc,
                                         mudnnActivationMode_t mode, mudnnNanPropagation_t reluNanOpt,
                                         double coef) {
  return entry(
      "mudnnSetActivationDescriptor",
      [&] {
        if (!activationDesc || mode < MUDNN_ACTIVATION_SIGMOID || mode > MUDNN_ACTIVATION_SWISH ||
            !isNan(reluNanOpt))
          return MUDNN_STATUS_BAD_PARAM;
        *activationDesc = {mode, reluNanOpt, coef};
        return MUDNN_STATUS_SUCCESS;
      },
      activationDesc, mode, reluNanOpt, coef);
}

MUDNN_ENTRY mudnnGetActivationDescriptor(const mudnnActivationDescriptor_t activationDesc,
                                         mudnnActivationMode_t* mode, mudnnNanPropagation_t* reluNanOpt,
                                         double* coef) {
  return entry(
      "mudnnGetActivationDescriptor",
      [&] {
        if (!activationDesc) return MUDNN_STATUS_BAD_PARAM;
        if (mode) *mode = activationDesc->mode;
        if (reluNanOpt) *reluNanOpt = activationDesc->nan;
        if (coef) *coef = activationDesc->coefficient;
        return MUDNN_STATUS_SUCCESS;
      },
      activationDesc);
}

MUDNN_ENTRY mudnnSetActivationDescriptorSwishBeta(mudnnActivationDescriptor_t activationDesc,
                                                  double swish_beta) {
  return entry(
      "mudnnSetActivationDescriptorSwishBeta",
      [&] {
        if (!activationDesc || activationDesc->mode != MUDNN_ACTIVATION_SWISH) return MUDNN_STATUS_BAD_PARAM;
        activationDesc->swishBeta = swish_beta;
        return MUDNN_STATUS_SUCCESS;
      },
      activationDesc, swish_beta);
}

MUDNN_ENTRY mudnnGetActivationDescriptorSwishBeta(mudnnActivationDescriptor_t activationDesc,
                                                  double* swish_beta) {
  return entry(
      "mudnnGetActivationDescriptorSwishBeta",
      [&] {
        if (!activationDesc || !swish_beta || activationDesc->mode != MUDNN_ACTIVATION_SWISH)
          return MUDNN_STATUS_BAD_PARAM;
        *swish_beta = activationDesc->swishBeta;
        return MUDNN_STATUS_SUCCESS;
      },
      activationDesc);
}

MUDNN_ENTRY mudnnActivationForward(mudnnHandle_t handle, mudnnActivationDescriptor_t activationDesc,
                                   const void* alpha, const mudnnTensorDescriptor_t xDesc, const void* x,
                                   const void* beta, const mudnnTensorDescriptor_t yDesc, void* y) {
  return work(
      "mudnnActivationForward", handle,
      [&] {
        require(activationDesc && activationDesc->mode != MUDNN_ACTIVATION_IDENTITY,
                "the activation is missing");
        const Array in = tensor(xDesc, x), out = tensor(yDesc, y);
        require(in.sameSizes(out) && in.element == out.element, "input and output are different");
        require(x != y || sameStrides(in, out), "one memory has different strides");
        requireSupport(isFloating(out.element), "activations are of floats");
        const Activation activation = activationOf(*activationDesc);
        const double coefficient = activationDesc->coefficient, swishBeta = activationDesc->swishBeta;
        const bool isSwish = activation == Activation::kSilu;
        const bool dropsNan =
            activation == Activation::kRelu && activationDesc->nan == MUDNN_NOT_PROPAGATE_NAN;
        return blended(factor(alpha, out), factor(beta, out), out, [&](const Array& result) -> Work {
          const Work loops = mapped(result, {in}, [=](const auto* const* from, auto* to, int64_t count) {
            if (isSwish) {
              using V = std::remove_reference_t<decltype(to[0])>;
              for (int64_t i = 0; i < count; ++i)
                to[i] = from[0][i] * sigmoid(static_cast<V>(swishBeta) * from[0][i]);
              return;
            }
            if (activation == Activation::kRelu) return rectify(from[0], to, count, dropsNan);
            std::copy_n(from[0], count, to);
            activate(activation, coefficient, to, count);
          });
          return [=] {
            const double parameter = isSwish ? swishBeta : coefficient;
            if (!musashim::mudnn::activateByEngine(activation, parameter, result, in)) loops();
          };
        });
      },
      activationDesc, alpha, xDesc, x, beta, yDesc, y);
}

MUDNN_ENTRY mudnnActivationBackward(mudnnHandle_t handle, mudnnActivationDescriptor_t activationDesc,
                                    const void* alpha, const mudnnTensorDescriptor_t yDesc, const void* y,
                                    const mudnnTensorDescriptor_t dyDesc, const void* dy,
                                    const mudnnTensorDescriptor_t xDesc, const void* x, const void* beta,
                                    const mudnnTensorDescriptor_t dxDesc, void* dx) {
  return work(
      "mudnnActivationBackward", handle,
      [&] {
        require(activationDesc && activationDesc->mode != MUDNN_ACTIVATION_IDENTITY,
                "the activation is missing");
        const auto mode = activationDesc->mode;
        const bool readsOut = mode == MUDNN_ACTIVATION_SIGMOID || mode == MUDNN_ACTIVATION_TANH;
        const Array gradOut = tensor(dyDesc, dy), in = tensor(xDesc, x), gradIn = tensor(dxDesc, dx),
                    out = readsOut ? tensor(yDesc, y) : in;
        checkActivationGradient(gradIn, gradOut, in);
        checkActivationGradient(gradIn, gradOut, out);
        const double coefficient =
            mode == MUDNN_ACTIVATION_SWISH ? activationDesc->swishBeta : activationDesc->coefficient;
        return blended(factor(alpha, gradIn), factor(beta, gradIn), gradIn, [&](const Array& result) {
          return mapped(result, {gradOut, in, out}, [=](const auto* const* from, auto* to, int64_t count) {
            gradient(mode, coefficient, from, to, count);
          });
        });
      },
      activationDesc, alpha, yDesc, y, dyDesc, dy, xDesc, x, beta, dxDesc, dx);
}

MUDNN_ENTRY mudnnSoftmaxForward(mudnnHandle_t handle, mudnnSoftmaxAlgorithm_t algo, mudnnSoftmaxMode_t mode,
                                const void* alpha, const mudnnTensorDescriptor_t xDesc, const void* x,
                                const void* beta, const mudnnTensorDescriptor_t yDesc, void* y) {
  return work(
      "mudnnSoftmaxForward", handle,
      [&] {
        checkSoftmax(algo, mode);
        const Array in = tensor(xDesc, x), out = tensor(yDesc, y);
        require(in.sameSizes(out) && in.element == out.element, "input and output are different");
        require(x != y || sameStrides(in, out), "one memory has different strides");
        requireSupport(isFloating(out.element), "softmax is of floats");
        return blended(factor(alpha, out), factor(beta, out), out, [&](const Array& result) {
          return softmax(modeOf(algo), softmaxAxes(mode, in), result, in);
        });
      },
      algo, mode, alpha, xDesc, x, beta, yDesc, y);
}

MUDNN_ENTRY mudnnSoftmaxBackward(mudnnHandle_t handle, mudnnSoftmaxAlgorithm_t algo, mudnnSoftmaxMode_t mode,
                                 const void* alpha, const mudnnTensorDescriptor_t yDesc, const void* y,
                                 const mudnnTensorDescriptor_t dyDesc, const void* dy, const void* beta,
                                 const mudnnTensorDescriptor_t dxDesc, void* dx) {
  return work(
      "mudnnSoftmaxBackward", handle,
      [&] {
        checkSoftmax(algo, mode);
        const Array out = tensor(yDesc, y), gradOut = tensor(dyDesc, dy), gradIn = tensor(dxDesc, dx);
        requireSameTypes({&out, &gradOut, &gradIn});
        return blended(factor(alpha, gradIn), factor(beta, gradIn), gradIn, [&](const Array& result) {
          return softmaxBackward(modeOf(algo), softmaxAxes(mode, out), result, out, gradOut);
        });
      },
      algo, mode, alpha, yDesc, y, dyDesc, dy, beta, dxDesc, dx);
}

MUDNN_ENTRY mudnnSetTensor(mudnnHandle_t handle, const mudnnTensorDescriptor_t yDesc, void* y,
                           const void* valuePtr) {
  return work(
      "mudnnSetTensor", handle,
      [&] {
        const Array out = tensor(yDesc, y);
        require(valuePtr, "there is no value");
        // One element of the tensor's type.
        const int64_t one = 1;
        double value = 0;
        readPart(contiguousArray(out.element, const_cast<void*>(valuePtr), 1, &one), 0, 1, &value);
        return fill(value, out);
      },
      yDesc, y, valuePtr);
}

MUDNN_ENTRY mudnnScaleTensor(mudnnHandle_t handle, const mudnnTensorDescriptor_t yDesc, void* y,
                             const void* alpha) {
  return work(
      "mudnnScaleTensor", handle,
      [&] {
        const Array out = tensor(yDesc, y);
        return blendedMap(factor(alpha, out), 0, out, out, [](auto x) { return x; });
      },
      yDesc, y, alpha);
}

MUDNN_ENTRY mudnnAddTensor(mudnnHandle_t handle, const void* alpha, const mudnnTensorDescriptor_t aDesc,
                           const void* A, const void* beta, const mudnnTensorDescriptor_t cDesc, void* C) {
  return work(
      "mudnnAddTensor", handle,
      [&] {
        const Array in = tensor(aDesc, A), out = tensor(cDesc, C);
        require(in.rank == out.rank && in.element == out.element, "the tensors are different");
        return blendedMap(factor(alpha, out), factor(beta, out), out, in, [](auto x) { return x; });
      },
      alpha, aDesc, A, beta, cDesc, C);
}

MUDNN_ENTRY mudnnTransformTensor(mudnnHandle_t handle, const void* alpha, const mudnnTensorDescriptor_t xDesc,
                                 const void* x, const void* beta, const mudnnTensorDescriptor_t yDesc,
                                 void* y) {
  return work(
      "mudnnTransformTensor", handle,
      [&] {
        const Array in = tensor(xDesc, x), out = tensor(yDesc, y);
        require(in.sameSizes(out), "the tensors have different sizes");
        return blendedMap(factor(alpha, out), factor(beta, out), out, in, [](auto value) { return value; });
      },
      alpha, xDesc, x, beta, yDesc, y);
}

MUDNN_ENTRY mudnnSetOpTensorDescriptor(mudnnOpTensorDescriptor_t opTensorDesc, mudnnOpTensorOp_t opTensorOp,
                                       mudnnDataType_t opTensorCompType,
                                       mudnnNanPropagation_t opTensorNanOpt) {
  return entry(
      "mudnnSetOpTensorDescriptor",
      [&] {
        if (!opTensorDesc || opTensorOp < MUDNN_OP_TENSOR_ADD || opTensorOp > MUDNN_OP_TENSOR_NOT ||
            (opTensorCompType != MUDNN_DATA_FLOAT && opTensorCompType != MUDNN_DATA_DOUBLE &&
             opTensorCompType != MUDNN_DATA_HALF) ||
            !isNan(opTensorNanOpt))
          return MUDNN_STATUS_BAD_PARAM;
        *opTensorDesc = {true, opTensorOp, opTensorCompType, opTensorNanOpt};
        return MUDNN_STATUS_SUCCESS;
      },
      opTensorDesc, opTensorOp, opTensorCompType, opTensorNanOpt);
}

MUDNN_ENTRY mudnnGetOpTensorDescriptor(const mudnnOpTensorDescriptor_t opTensorDesc,
                                       mudnnOpTensorOp_t* opTensorOp, mudnnDataType_t* opTensorCompType,
                                       mudnnNanPropagation_t* opTensorNanOpt) {
  return entry(
      "mudnnGetOpTensorDescriptor",
      [&] {
        if (!opTensorDesc || !opTensorDesc->isSet) return MUDNN_STATUS_BAD_PARAM;
        if (opTensorOp) *opTensorOp = opTensorDesc->op;
        if (opTensorCompType) *opTensorCompType = opTensorDesc->type;
        if (opTensorNanOpt) *opTensorNanOpt = opTensorDesc->nan;
        return MUDNN_STATUS_SUCCESS;
      },
      opTensorDesc);
}

MUDNN_ENTRY mudnnOpTensor(mudnnHandle_t handle, const mudnnOpTensorDescriptor_t opTensorDesc,
                          const void* alpha1, const mudnnTensorDescriptor_t aDesc, const void* A,
                          const void* alpha2, const mudnnTensorDescriptor_t bDesc, const void* B,
                          const void* beta, const mudnnTensorDescriptor_t cDesc, void* C) {
  return work(
      "mudnnOpTensor", handle,
      [&] {
        require(opTensorDesc && opTensorDesc->isSet,
                "the operation's descriptor is missing or was never set");
        const Array a = tensor(aDesc, A), c = tensor(cDesc, C);
        require(a.sameSizes(c) && a.element == c.element, "A and C are different");
        const auto op = opTensorDesc->op;
        const double first = factor(alpha1, c), add = factor(beta, c);
        if (op == MUDNN_OP_TENSOR_SQRT)
          return blendedMap(1, add, c, a,
                            [first](auto x) { return std::sqrt(static_cast<decltype(x)>(first) * x); });
        if (op == MUDNN_OP_TENSOR_NOT)
          return blendedMap(1, add, c, a,
                            [first](auto x) { return 1 - static_cast<decltype(x)>(first) * x; });
        const Array b = tensor(bDesc, B);
        require(b.rank == c.rank, "B and C have different numbers of dimensions");
        const double second = factor(alpha2, c);
        return mapped(c, {a, b, c}, [=](const auto* const* in, auto* to, int64_t count) {
          using V = std::remove_reference_t<decltype(to[0])>;
          for (int64_t i = 0; i < count; ++i) {
            const V x = static_cast<V>(first) * in[0][i], y = static_cast<V>(second) * in[1][i];
            const V value = op == MUDNN_OP_TENSOR_ADD   ? x + y
                            : op == MUDNN_OP_TENSOR_MUL ? x * y
                            : op == MUDNN_OP_TENSOR_MIN ? smaller(x, y)
                                                        : larger(x, y);
            to[i] = add == 0 ? value : value + static_cast<V>(add) * in[2][i];
          }
        });
      },
      opTensorDesc, alpha1, aDesc, A, alpha2, bDesc, B, beta, cDesc, C);
}

}  // extern "C"
