/* Bessel functions in double, next to whose zeros the C library's lose digits. */
#ifndef MUSASHIM_CRT_BESSEL_FUNCTIONS_H
#define MUSASHIM_CRT_BESSEL_FUNCTIONS_H

#include "host_defines.h"
#include "math_header.h"

/* A zero in two parts, and the Taylor coefficients there from the first one on (computed
 * with 60 digits). */
struct __musa_bessel_zero {
  double high, low;
  double coefficients[13];
};

/* Taylor's series about a zero that is near enough for its terms (the functions of the second
 * kind have a singularity at 0), else `plain`, which is right elsewhere. */
inline __host__ __device__ double __musa_near_zero(double x, double plain, const __musa_bessel_zero* zeros,
                                                   int count) {
  for (int i = 0; i < count; ++i) {
    const double t = (x - zeros[i].high) - zeros[i].low;
    if (!(fabs(t) < 0.055 * zeros[i].high)) continue;
    double sum = zeros[i].coefficients[12];
    for (int k = 11; k >= 0; --k) sum = fma(sum, t, zeros[i].coefficients[k]);
    return sum * t;
  }
  return plain;
}

inline __host__ __device__ double __musa_j0(double x) {
  static constexpr __musa_bessel_zero zeros[2] = {
      {2.404825557695773,
       -1.176691651530894e-16,
       {-0.5191474972894667, 0.1079387017549201, 0.05660177443794623, -0.008657669593304914,
        -0.002194200359016156, 0.00026437703675269815, 4.372919272906665e-05, -4.338826288615807e-06,
        -5.304914383475941e-07, 4.470055863485525e-08, 4.326565167896683e-09, -3.1666126245876754e-10,
        -2.5338932997379742e-11}},
      {5.520078110286311,
       8.088597146146722e-17,
       {0.34026480655836816, -0.030820651425593648, -0.05298855286760463, 0.004631042145907645,
        0.0022574402290329, -0.00017518572899415777, -4.652109073974323e-05, 3.199786906827506e-06,
        5.716490707927506e-07, -3.511535989946743e-08, -4.683396243367874e-09, 2.592209204248419e-10,
        2.7452533826132372e-11}}};
  return __musa_near_zero(fabs(x), MUSASHIM_LIBM(j0)(x), zeros, 2);
}
inline __host__ __device__ double __musa_j1(double x) {
  static constexpr __musa_bessel_zero zeros[2] = {
      {3.8317059702075125,
       -1.5269184090088067e-16,
       {-0.402759395702553, 0.05255614585697724, 0.05341044413272481, -0.00517971924563857,
        -0.002233125339147478, 0.00017466429072012055, 4.6208701297458374e-05, -3.0368633802997826e-06,
        -5.727805735140382e-07, 3.248286298212016e-08, 4.735380569423091e-09, -2.362196187930065e-10,
        -2.7988764988661896e-11}},
      {7.015586669815619,
       -9.414165653410389e-17,
       {0.30011575252613254, -0.02138921280934158, -0.04697047894974149, 0.003130291726048091,
        0.0021055871432482764, -0.00012550790955145584, -4.499147530293068e-05, 2.4015807963093223e-06,
        5.665270011548331e-07, -2.727342767799157e-08, -4.7204830035449805e-09, 2.065348676100161e-10,
        2.800572526275014e-11}}};
  return copysign(1.0, x) * __musa_near_zero(fabs(x), MUSASHIM_LIBM(j1)(fabs(x)), zeros, 2);
}
inline __host__ __device__ double __musa_y0(double x) {
  static constexpr __musa_bessel_zero zeros[3] = {
      {0.8935769662791675,
       2.6596231539720385e-17,
       {0.8794208024971948, -0.49207893426297755, 0.22055282848167643, -0.22612171354416336,
        0.2189484270103813, -0.20487719790614795, 0.1973356693290941, -0.19395009058736717,
        0.1933761857036059, -0.19506492780964346, 0.19866677921832507, -0.20396193708295582,
        0.21082123408542908}},
      {3.957678419314858,
       -1.0764340697562706e-16,
       {-0.40254267177502423, 0.05085590959215824, 0.058523822105170244, -0.006852566677111002,
        -0.0021835188740493565, 0.00019526940245097552, 5.0922913806511076e-05, -4.893369328096108e-06,
        -2.9348814581597406e-07, -2.1853417256735823e-08, 1.8928091126663436e-08, -3.6567238305937176e-09,
        7.669452749351834e-10}},
      {7.086051060301773,
       -8.835285723085408e-17,
       {0.3000976149104752, -0.02117523655676953, -0.048024070076259875, 0.0033183482688956315,
        0.002175984016443104, -0.0001406025977408225, -4.5951406706884365e-05, 2.701363792739061e-06,
        5.749349569687992e-07, -3.098470252366842e-08, -4.717221546843204e-09, 2.302945652482535e-10,
        2.8268572827710586e-11}}};
  return __musa_near_zero(x, MUSASHIM_LIBM(y0)(x), zeros, 3);
}
inline __host__ __device__ double __musa_y1(double x) {
  static constexpr __musa_bessel_zero zeros[2] = {
      {2.197141326031017,
       -4.8259835876454966e-17,
       {0.5207864124022675, -0.1185145457490966, -0.03285739740528641, -0.004797811670105437,
        0.0074225533327074685, -0.0025952416882642016, 0.0010668530000547797, -0.0005096013043558059,
        0.0002358699837551761, -0.000107760438150386, 4.924428615146201e-05, -2.2491132085320907e-05,
        1.0263851945656886e-05}},
      {5.429681040794135,
       4.162514026670377e-16,
       {-0.3403180455234406, 0.031338677444086686, 0.050947939743420094, -0.0041601159343906905,
        -0.002165998751088117, 0.0001466208928934434, 4.645867906118146e-05, -2.863862537213281e-06,
        -5.46442065713147e-07, 2.5505144774230954e-08, 5.598034646974019e-09, -3.855618830613434e-10,
        2.2765620087465614e-12}}};
  return __musa_near_zero(x, MUSASHIM_LIBM(y1)(x), zeros, 2);
}

/* -- Modified functions of the first kind: sum over k of (x/2)^(2k + order) / (k! (k + order)!) -- */
/* The series in extended precision below 32; beyond, the asymptotic one, in whose factor
 * e^x is a square so that it does not overflow before the result does. */
inline __host__ __device__ double __musa_bessel_i(int order, double x) {
  const double magnitude = fabs(x);
  if (magnitude < 32.0) {
    const long double quarter = 0.25L * x * x;
    long double term = order == 0 ? 1.0L : 0.5L * x, sum = term;
    for (int k = 1; k < 100; ++k) {
      term *= quarter / ((long double)k * (k + order));
      sum += term;
      if (!(fabs(double(term)) > 1.0e-20 * fabs(double(sum)))) break;
    }
    return double(sum);
  }
  /* Beyond any finite result; a NaN stays one. */
  if (!(magnitude < 720.0)) return order == 0 ? magnitude * magnitude : x * magnitude;
  double term = 1.0, sum = 0.0;
  const double numerator = 4.0 * order * order;
  for (int k = 1; k < 30; ++k) {
    const double odd = 2.0 * k - 1.0;
    term *= (odd * odd - numerator) / (8.0 * k * magnitude);
    sum += term;
    if (!(fabs(term) > 1.0e-18)) break;
  }
  const double root = exp(0.5 * magnitude);
  const double scaled = root * ((1.0 + sum) / sqrt(6.283185307179586477 * magnitude));
  const double result = scaled * root;
  return order == 0 ? result : copysign(result, x);
}

#endif
