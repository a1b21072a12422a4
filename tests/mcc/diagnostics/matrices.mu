__global__ void refused(int* d, const int* a) {
  __musa_sqmma_m16n64_mma(d, a, a, d, 0, 1, 0, 0, 0, 0, 32, 7);
  __musa_sqmma_m16n64_mma(d, a, a, d, 0, 1, 0, 0, 0, 0, 48, 2);
  __musa_sqmma_m16n64_mma(d, a, a, d, 0, 1, 0, 0, 0, 1, 32, 2);
  __musa_wmma_m16n16k64_mma(d, a, a, d, 0, 0, 0, 0, 0, 1, 2);
  __musa_fmma_m32n32k16_mma(d, a, a, d, 0, 0, 0, 0, 1, 1);
}
