/* muDNN's level: cuDNN 9.10, whose names the C interface has. */
#ifndef MUDNN_VERSION_H_
#define MUDNN_VERSION_H_

#define MUDNN_MAJOR 9
#define MUDNN_MINOR 10
#define MUDNN_PATCHLEVEL 2
#define MUDNN_VERSION (MUDNN_MAJOR * 10000 + MUDNN_MINOR * 100 + MUDNN_PATCHLEVEL)

#endif /* MUDNN_VERSION_H_ */
