/* muFFT's extended interface: plans whose types are types of data, and transforms of complex numbers that lie
 * on several devices. Callbacks are refused when they are set. */
#ifndef _MUFFTXT_H_
#define _MUFFTXT_H_

#include "mufft.h"

typedef mufftComplex (*mufftCallbackLoadC)(void* dataIn, size_t offset, void* callerInfo,
                                           void* sharedPointer);
typedef mufftDoubleComplex (*mufftCallbackLoadZ)(void* dataIn, size_t offset, void* callerInfo,
                                                 void* sharedPointer);
typedef mufftReal (*mufftCallbackLoadR)(void* dataIn, size_t offset, void* callerInfo, void* sharedPointer);
typedef mufftDoubleReal (*mufftCallbackLoadD)(void* dataIn, size_t offset, void* callerInfo,
                                              void* sharedPointer);
typedef void (*mufftCallbackStoreC)(void* dataOut, size_t offset, mufftComplex element, void* callerInfo,
                                    void* sharedPointer);
typedef void (*mufftCallbackStoreZ)(void* dataOut, size_t offset, mufftDoubleComplex element,
                                    void* callerInfo, void* sharedPointer);
typedef void (*mufftCallbackStoreR)(void* dataOut, size_t offset, mufftReal element, void* callerInfo,
                                    void* sharedPointer);
typedef void (*mufftCallbackStoreD)(void* dataOut, size_t offset, mufftDoubleReal element, void* callerInfo,
                                    void* sharedPointer);

#endif
