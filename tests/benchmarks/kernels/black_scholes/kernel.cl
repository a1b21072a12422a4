float normalDistribution(float x) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
  const float polynomial =
      k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * exp(-0.5f * x * x) * polynomial;
  return x > 0 ? 1.0f - tail : tail;
}

kernel void blackScholes(int n, float rate, float volatility, global const float* restrict price,
                         global const float* restrict strike, global const float* restrict years,
                         global float* restrict out) {
  const int i = get_global_id(0);
  if (i >= n) return;
  const float s = price[i], k = strike[i], t = years[i];
  const float spread = volatility * sqrt(t);
  const float d1 = (log(s / k) + (rate + 0.5f * volatility * volatility) * t) / spread;
  const float n1 = normalDistribution(d1), n2 = normalDistribution(d1 - spread);
  const float discounted = k * exp(-rate * t);
  out[i] = s * n1 - discounted * n2;
  out[n + i] = discounted * (1.0f - n2) - s * (1.0f - n1);
}
