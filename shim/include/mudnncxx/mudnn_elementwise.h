/* muDNN's C++ interface: one element of the output for one of each input. Inputs broadcast to the output's
 * sizes; types may differ: floats are computed as float, double as double, integers exactly; results become
 * the output's type. */
#ifndef MUDNNCXX_MUDNN_ELEMENTWISE_H_
#define MUDNNCXX_MUDNN_ELEMENTWISE_H_

#include "mudnn_base.h"

namespace musa {
namespace dnn {

class MUDNN_CXX_API Unary {
 public:
  enum class Mode {
    IDENTITY = 0,
    CAST, /* IDENTITY */
    ABS,
    NEG,
    SIGN,
    SQUARE,
    SQRT,
    RSQRT,
    RECIPROCAL,
    EXP,
    EXP2,
    EXPM1,
    LOG,
    LOG2,
    LOG10,
    LOG1P,
    SIN,
    COS,
    TAN,
    ASIN,
    ACOS,
    ATAN,
    SINH,
    COSH,
    TANH,
    ASINH,
    ACOSH,
    ATANH,
    ERF,
    ERFC,
    FLOOR,
    CEIL,
    ROUND, /* to nearest even */
    TRUNC,
    SIGMOID,
    RELU,
    RELU6,
    LEAKY_RELU, /* alpha: the slope below zero */
    ELU,        /* alpha * (exp(x) - 1) below zero */
    SELU,
    SILU,
    GELU,
    GELU_TANH,
    MISH,
    HARDSWISH,
    HARDSIGMOID, /* alpha * x + beta, between 0 and 1 */
    SOFTPLUS,    /* log(1 + exp(alpha * x)) / alpha, x where alpha * x is above beta */
    CLIP,        /* between alpha and beta */
    ADD,         /* x and alpha; _BY_ALPHA: alpha and x */
    SUB,
    SUB_BY_ALPHA,
    MUL,
    DIV, /* of integers toward zero */
    TRUEDIV,
    TRUEDIV_BY_ALPHA,
    FLOORDIV,
    FLOORDIV_BY_ALPHA,
    FLOORMOD, /* the divisor's sign */
    FLOORMOD_BY_ALPHA,
    TRUNCATEDIV,
    TRUNCATEDIV_BY_ALPHA,
    TRUNCATEMOD, /* x's sign */
    TRUNCATEMOD_BY_ALPHA,
    POW,
    POW_BY_ALPHA,
    MAX,
    MIN,
    EQ,
    NE,
    GT,
    GE,
    LT,
    LE,
    LOGICAL_NOT,
    IS_NAN,
    IS_INF,
    IS_FINITE
  };

  Status SetMode(Mode mode);
  Status SetAlpha(Scalar alpha);
  Status SetBeta(Scalar beta);
  Status Run(Handle& handle, Tensor& out, const Tensor& in) const;

 private:
  Mode mode_ = Mode::IDENTITY;
  Scalar alpha_ = 1.0, beta_ = 0.0;
};

class MUDNN_CXX_API Binary {
 public:
  enum class Mode {
    ADD = 0,
    SUB,
    ADD_ALPHA, /* l + alpha * r */
    SUB_ALPHA,
    MUL,
    DIV, /* of integers toward zero */
    TRUEDIV,
    DIVNONAN, /* 0 where r is 0 */
    FLOORDIV,
    FLOORMOD,
    TRUNCATEDIV,
    TRUNCATEMOD,
    POW,
    MAX, /* a NaN in either is the result */
    MIN,
    SQUARED_DIFF,
    ATAN2,
    HYPOT,
    PRELU, /* l, l * r below zero */
    EQ,
    NE,
    GT,
    GE,
    LT,
    LE,
    LOGICAL_AND,
    LOGICAL_OR,
    LOGICAL_XOR,
    BIT_AND, /* of integers */
    BIT_OR,
    BIT_XOR,
    /* Gradients: l is the output's, r the input x, or the output y where so said. */
    RELU_BW,
    SIGMOID_BW, /* y */
    TANH_BW,    /* y */
    SILU_BW,
    GELU_NONE_BW,
    GELU_TANH_BW,
    LEAKY_RELU_BW, /* alpha: the slope */
    THRESHOLD_BW,  /* 0 where x is not above alpha */
    RSQRT_BW,      /* l is y, r the gradient */
    SQRT_BW        /* y */
  };

  Status SetMode(Mode mode);
  Status SetAlpha(Scalar alpha);
  Status Run(Handle& handle, Tensor& out, const Tensor& l, const Tensor& r) const;

 private:
  Mode mode_ = Mode::ADD;
  Scalar alpha_ = 1.0;
};

class MUDNN_CXX_API Ternary {
 public:
  enum class Mode {
    SELECT = 0, /* b where a is not zero, else c */
    CLAMP,      /* a between b and c */
    ADDCMUL,    /* a + b * c */
    ADDCMUL_ALPHA,
    ADDCDIV, /* a + b / c */
    ADDCDIV_ALPHA
  };

  Status SetMode(Mode mode);
  Status SetAlpha(Scalar alpha);
  Status Run(Handle& handle, Tensor& out, const Tensor& a, const Tensor& b, const Tensor& c) const;

 private:
  Mode mode_ = Mode::SELECT;
  Scalar alpha_ = 1.0;
};

class MUDNN_CXX_API Fill {
 public:
  Status SetValue(Scalar value);
  Status Run(Handle& handle, Tensor& out) const;
  Status Run(Handle& handle, Tensor& out, const Tensor& mask) const; /* where the mask is not zero */

 private:
  Scalar value_ = 0.0;
};

} /* namespace dnn */
} /* namespace musa */

#endif /* MUDNNCXX_MUDNN_ELEMENTWISE_H_ */
