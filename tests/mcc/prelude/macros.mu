// Its macros are the command's.
#include <vector>

#ifdef OTHER
static_assert(OTHER == 4);
#endif

#define TEXT_(value) #value
#define TEXT(value) TEXT_(value)

__global__ void answer(int* out) { *out = sizeof TEXT(ANSWER); }

int main() {
  std::vector<int> answers(1, sizeof TEXT(ANSWER));
  int* device;
  if (musaMalloc(&device, sizeof(int)) != musaSuccess) return 1;
  answer<<<1, 1>>>(device);
  if (musaMemcpy(answers.data(), device, sizeof(int), musaMemcpyDeviceToHost) != musaSuccess) return 1;
#ifndef ANSWER
#error ANSWER is missing
#endif
  return answers[0];
}
