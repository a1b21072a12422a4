/* mudnn.h as C reads it. */
#include <mudnn.h>

int pointwiseConvolutionInC(const float* x, const float* w, float* y);

/* y = w x for one input and one output channel of 2 x 2 places; the status of the first call that fails. */
int pointwiseConvolutionInC(const float* x, const float* w, float* y) {
  mudnnHandle_t handle;
  mudnnTensorDescriptor_t image;
  mudnnFilterDescriptor_t filter;
  mudnnConvolutionDescriptor_t convolution;
  const float one = 1, zero = 0;
  mudnnStatus_t status = mudnnCreate(&handle);
  if (status != MUDNN_STATUS_SUCCESS) return (int)status;
  (void)mudnnCreateTensorDescriptor(&image);
  (void)mudnnCreateFilterDescriptor(&filter);
  (void)mudnnCreateConvolutionDescriptor(&convolution);
  (void)mudnnSetTensor4dDescriptor(image, MUDNN_TENSOR_NCHW, MUDNN_DATA_FLOAT, 1, 1, 2, 2);
  (void)mudnnSetFilter4dDescriptor(filter, MUDNN_DATA_FLOAT, MUDNN_TENSOR_NCHW, 1, 1, 1, 1);
  (void)mudnnSetConvolution2dDescriptor(convolution, 0, 0, 1, 1, 1, 1, MUDNN_CROSS_CORRELATION, MUDNN_DATA_FLOAT);
  status = mudnnConvolutionForward(handle, &one, image, x, filter, w, convolution,
                                   MUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, NULL, 0, &zero, image, y);
  (void)mudnnDestroyConvolutionDescriptor(convolution);
  (void)mudnnDestroyFilterDescriptor(filter);
  (void)mudnnDestroyTensorDescriptor(image);
  (void)mudnnDestroy(handle);
  return (int)status;
}
