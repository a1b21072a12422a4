// One option, for the host's variants.
#pragma once

#include "problem.h"

static inline float normalDistribution(float x) {
  const float k = 1.0f / (1.0f + 0.2316419f * std::fabs(x));
  const float polynomial =
      k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * std::exp(-0.5f * x * x) * polynomial;
  return x > 0 ? 1.0f - tail : tail;
}

static inline void priceOption(float s, float k, float t, float& call, float& put) {
  constexpr float kRate = BlackScholes::kRate, kVolatility = BlackScholes::kVolatility;
  const float spread = kVolatility * std::sqrt(t);
  const float d1 = (std::log(s / k) + (kRate + 0.5f * kVolatility * kVolatility) * t) / spread;
  const float n1 = normalDistribution(d1), n2 = normalDistribution(d1 - spread);
  const float discounted = k * std::exp(-kRate * t);
  call = s * n1 - discounted * n2;
  put = discounted * (1.0f - n2) - s * (1.0f - n1);
}
