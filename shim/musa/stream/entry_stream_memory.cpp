// Waiting for values and writing them in stream order; attributes of streams.
#include <fmt/format.h>

#include "musa/api/api_call.h"
#include "musa/context/access_policy.h"
#include "musa/graph/capture/capture.h"
#include "musa/stream/memory_operation.h"

using namespace musashim::musa;
namespace backend = musashim::backend;

namespace {

Result submitOperations(MUstream hStream, std::vector<MUstreamBatchMemOpParams> operations) {
  Stream* stream = nullptr;
  MUSA_TRY(findStream(hStream, stream, WhenCapturing::kCapture));
  MUSA_TRY(checkMemoryOperations(operations));
  Context& context = stream->context();
  if (stream->isCapturing()) return captureWork(*stream, MemOpWork{&context, std::move(operations)});
  std::shared_ptr<void> keep;
  backend::HostCall call = memoryOperationsCall(context, std::move(operations), keep);
  stream->submitKeeping(call, std::move(keep));
  return {};
}

Result waitValue(MUstream stream, MUstreamBatchMemOpType kind, MUdeviceptr address, muuint64_t value,
                 unsigned flags) {
  MUstreamBatchMemOpParams one = {};
  one.waitValue.operation = kind;
  one.waitValue.address = address;
  one.waitValue.value64 = value;
  one.waitValue.flags = flags;
  return submitOperations(stream, {one});
}

Result writeValue(MUstream stream, MUstreamBatchMemOpType kind, MUdeviceptr address, muuint64_t value,
                  unsigned flags) {
  MUstreamBatchMemOpParams one = {};
  one.writeValue.operation = kind;
  one.writeValue.address = address;
  one.writeValue.value64 = value;
  one.writeValue.flags = flags;
  return submitOperations(stream, {one});
}

Result findAttributed(MUstream handle, MUlaunchAttributeID id, Stream*& stream) {
  MUSA_TRY(findStream(handle, stream, WhenCapturing::kIgnore));
  switch (id) {
    case MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
    case MU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
    case MU_LAUNCH_ATTRIBUTE_PRIORITY:
    case MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
    case MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      return {};
    default:
      return {MUSA_ERROR_INVALID_VALUE, fmt::format("no attribute of streams: {}", static_cast<int>(id))};
  }
}

}  // namespace

extern "C" {

MUresult muStreamWaitValue32(MUstream stream, MUdeviceptr addr, muuint32_t value, unsigned int flags) {
  return apiCall(
      "muStreamWaitValue32",
      [&] { return waitValue(stream, MU_STREAM_MEM_OP_WAIT_VALUE_32, addr, value, flags); }, stream, addr,
      value, flags);
}

MUresult muStreamWaitValue64(MUstream stream, MUdeviceptr addr, muuint64_t value, unsigned int flags) {
  return apiCall(
      "muStreamWaitValue64",
      [&] { return waitValue(stream, MU_STREAM_MEM_OP_WAIT_VALUE_64, addr, value, flags); }, stream, addr,
      value, flags);
}

MUresult muStreamWriteValue32(MUstream stream, MUdeviceptr addr, muuint32_t value, unsigned int flags) {
  return apiCall(
      "muStreamWriteValue32",
      [&] { return writeValue(stream, MU_STREAM_MEM_OP_WRITE_VALUE_32, addr, value, flags); }, stream, addr,
      value, flags);
}

MUresult muStreamWriteValue64(MUstream stream, MUdeviceptr addr, muuint64_t value, unsigned int flags) {
  return apiCall(
      "muStreamWriteValue64",
      [&] { return writeValue(stream, MU_STREAM_MEM_OP_WRITE_VALUE_64, addr, value, flags); }, stream, addr,
      value, flags);
}

MUresult muStreamBatchMemOp(MUstream stream, unsigned int count, MUstreamBatchMemOpParams* paramArray,
                            unsigned int flags) {
  return apiCall(
      "muStreamBatchMemOp",
      [&]() -> Result {
        MUSA_REQUIRE(paramArray && count != 0 && count <= 256 && flags == 0, MUSA_ERROR_INVALID_VALUE,
                     "no operations, more than 256, or unknown flags");
        return submitOperations(stream, {paramArray, paramArray + count});
      },
      stream, count, paramArray, flags);
}

MUresult muStreamGetAttribute(MUstream hStream, MUstreamAttrID attr, MUstreamAttrValue* value_out) {
  return apiCall(
      "muStreamGetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(value_out, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Stream* stream = nullptr;
        MUSA_TRY(findAttributed(hStream, attr, stream));
        *value_out = stream->attribute(attr);
        if (attr == MU_LAUNCH_ATTRIBUTE_PRIORITY) value_out->priority = stream->priority();
        return {};
      },
      hStream, attr, value_out);
}

MUresult muStreamSetAttribute(MUstream hStream, MUstreamAttrID attr, const MUstreamAttrValue* value) {
  return apiCall(
      "muStreamSetAttribute",
      [&]() -> Result {
        MUSA_REQUIRE(value, MUSA_ERROR_INVALID_VALUE, "null pointer");
        Stream* stream = nullptr;
        MUSA_TRY(findAttributed(hStream, attr, stream));
        if (attr == MU_LAUNCH_ATTRIBUTE_PRIORITY) {
          stream->setPriority(value->priority);
        } else {
          const bool known =
              attr != MU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY ||
              (value->syncPolicy >= MU_SYNC_POLICY_AUTO && value->syncPolicy <= MU_SYNC_POLICY_BLOCKING_SYNC);
          MUSA_REQUIRE(known, MUSA_ERROR_INVALID_VALUE, "unknown policy");
          if (attr == MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW)
            MUSA_TRY(checkWindow(value->accessPolicyWindow));
          stream->setAttribute(attr, *value);
        }
        return {};
      },
      hStream, attr, value);
}

MUresult muStreamCopyAttributes(MUstream dst, MUstream src) {
  return apiCall(
      "muStreamCopyAttributes",
      [&]() -> Result {
        Stream *to = nullptr, *from = nullptr;
        MUSA_TRY(findStream(dst, to, WhenCapturing::kIgnore));
        MUSA_TRY(findStream(src, from, WhenCapturing::kIgnore));
        for (MUlaunchAttributeID id :
             {MU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, MU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
              MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP, MU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN}) {
          to->setAttribute(id, from->attribute(id));
        }
        return {};
      },
      dst, src);
}

}  // extern "C"
