/* mudnn.h: recurrent networks, multi-head attention, CTC loss. Values and semantics are cuDNN's. */
#ifndef MUDNN_SEQUENCES_H_
#define MUDNN_SEQUENCES_H_

typedef struct mudnnRNNStruct* mudnnRNNDescriptor_t;
typedef struct mudnnRNNDataStruct* mudnnRNNDataDescriptor_t;
typedef struct mudnnSeqDataStruct* mudnnSeqDataDescriptor_t;
typedef struct mudnnAttnStruct* mudnnAttnDescriptor_t;
typedef struct mudnnCTCLossStruct* mudnnCTCLossDescriptor_t;

/* Which one is asked for changes nothing. */
typedef enum {
  MUDNN_RNN_ALGO_STANDARD = 0,
  MUDNN_RNN_ALGO_PERSIST_STATIC = 1,
  MUDNN_RNN_ALGO_PERSIST_DYNAMIC = 2,
  MUDNN_RNN_ALGO_PERSIST_STATIC_SMALL_H = 3,
  MUDNN_RNN_ALGO_COUNT = 4
} mudnnRNNAlgo_t;
typedef enum { MUDNN_FWD_MODE_INFERENCE = 0, MUDNN_FWD_MODE_TRAINING = 1 } mudnnForwardMode_t;
typedef enum { MUDNN_RNN_RELU = 0, MUDNN_RNN_TANH = 1, MUDNN_LSTM = 2, MUDNN_GRU = 3 } mudnnRNNMode_t;
typedef enum {
  MUDNN_RNN_NO_BIAS = 0,
  MUDNN_RNN_SINGLE_INP_BIAS = 1,
  MUDNN_RNN_DOUBLE_BIAS = 2,
  MUDNN_RNN_SINGLE_REC_BIAS = 3
} mudnnRNNBiasMode_t;
typedef enum { MUDNN_UNIDIRECTIONAL = 0, MUDNN_BIDIRECTIONAL = 1 } mudnnDirectionMode_t;
typedef enum { MUDNN_LINEAR_INPUT = 0, MUDNN_SKIP_INPUT = 1 } mudnnRNNInputMode_t;
typedef enum { MUDNN_RNN_CLIP_NONE = 0, MUDNN_RNN_CLIP_MINMAX = 1 } mudnnRNNClipMode_t;
typedef enum {
  MUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED = 0,
  MUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED = 1,
  MUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED = 2
} mudnnRNNDataLayout_t;
#define MUDNN_RNN_PADDED_IO_DISABLED 0
#define MUDNN_RNN_PADDED_IO_ENABLED (1U << 0)
typedef enum { MUDNN_WGRAD_MODE_ADD = 0, MUDNN_WGRAD_MODE_SET = 1 } mudnnWgradMode_t;

typedef enum {
  MUDNN_SEQDATA_TIME_DIM = 0,
  MUDNN_SEQDATA_BATCH_DIM = 1,
  MUDNN_SEQDATA_BEAM_DIM = 2,
  MUDNN_SEQDATA_VECT_DIM = 3
} mudnnSeqDataAxis_t;
#define MUDNN_SEQDATA_DIM_COUNT 4
#define MUDNN_ATTN_QUERYMAP_ALL_TO_ONE 0
#define MUDNN_ATTN_QUERYMAP_ONE_TO_ONE (1U << 0)
#define MUDNN_ATTN_DISABLE_PROJ_BIASES 0
#define MUDNN_ATTN_ENABLE_PROJ_BIASES (1U << 1)
typedef enum {
  MUDNN_MH_ATTN_Q_WEIGHTS = 0,
  MUDNN_MH_ATTN_K_WEIGHTS = 1,
  MUDNN_MH_ATTN_V_WEIGHTS = 2,
  MUDNN_MH_ATTN_O_WEIGHTS = 3,
  MUDNN_MH_ATTN_Q_BIASES = 4,
  MUDNN_MH_ATTN_K_BIASES = 5,
  MUDNN_MH_ATTN_V_BIASES = 6,
  MUDNN_MH_ATTN_O_BIASES = 7
} mudnnMultiHeadAttnWeightKind_t;
#define MUDNN_ATTN_WKIND_COUNT 8

typedef enum {
  MUDNN_CTC_LOSS_ALGO_DETERMINISTIC = 0,
  MUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC = 1
} mudnnCTCLossAlgo_t;
typedef enum {
  MUDNN_LOSS_NORMALIZATION_NONE = 0, /* of probabilities */
  MUDNN_LOSS_NORMALIZATION_SOFTMAX = 1
} mudnnLossNormalizationMode_t;
typedef enum { MUDNN_CTC_ZERO_OOB_GRADIENTS = 0, MUDNN_CTC_SKIP_OOB_GRADIENTS = 1 } mudnnCTCGradMode_t;

#endif /* MUDNN_SEQUENCES_H_ */
