// Video units: they have their clock, and nothing to do.
#include <algorithm>

#include "mtml/api/tell.h"
#include "mtml/state/sensors.h"

using namespace musashim::mtml;

namespace {

MtmlReturn tellStates(const char* name, const MtmlVpu* vpu, MtmlCodecSessionState* states,
                      unsigned int length) {
  return entry(
      name,
      [&] {
        return withLive(objects().vpus, vpu, [&](const MtmlVpu&) {
          if (!states || length == 0) return MTML_ERROR_INVALID_ARGUMENT;
          std::fill_n(states, length, MTML_CODEC_SESSION_STATE_IDLE);
          return MTML_SUCCESS;
        });
      },
      vpu, states, length);
}

// There is no session to tell of.
MtmlReturn tellMetrics(const char* name, const MtmlVpu* vpu, unsigned int session,
                       MtmlCodecSessionMetrics* metrics) {
  return entry(
      name,
      [&] {
        return withLive(objects().vpus, vpu, [&](const MtmlVpu&) {
          return metrics ? MTML_ERROR_NOT_FOUND : MTML_ERROR_INVALID_ARGUMENT;
        });
      },
      vpu, session, metrics);
}

}  // namespace

extern "C" {

MtmlReturn mtmlVpuGetClock(const MtmlVpu* vpu, unsigned int* clockMhz) {
  return tellLive("mtmlVpuGetClock", objects().vpus, vpu, clockMhz,
                  [](const auto&) { return kVideoClockMhz; });
}

MtmlReturn mtmlVpuGetMaxClock(const MtmlVpu* vpu, unsigned int* clockMhz) {
  return tell("mtmlVpuGetMaxClock", objects().vpus, vpu, clockMhz,
              [](const auto&) { return kVideoClockMhz; });
}

MtmlReturn mtmlVpuGetUtilization(const MtmlVpu* vpu, MtmlCodecUtil* utilization) {
  return tellLive("mtmlVpuGetUtilization", objects().vpus, vpu, utilization,
                  [](const auto&) { return MtmlCodecUtil{}; });
}

MtmlReturn mtmlVpuGetEncoderSessionStates(const MtmlVpu* vpu, MtmlCodecSessionState* states,
                                          unsigned int length) {
  return tellStates("mtmlVpuGetEncoderSessionStates", vpu, states, length);
}

MtmlReturn mtmlVpuGetDecoderSessionStates(const MtmlVpu* vpu, MtmlCodecSessionState* states,
                                          unsigned int length) {
  return tellStates("mtmlVpuGetDecoderSessionStates", vpu, states, length);
}

MtmlReturn mtmlVpuGetEncoderSessionMetrics(const MtmlVpu* vpu, unsigned int sessionId,
                                           MtmlCodecSessionMetrics* metrics) {
  return tellMetrics("mtmlVpuGetEncoderSessionMetrics", vpu, sessionId, metrics);
}

MtmlReturn mtmlVpuGetDecoderSessionMetrics(const MtmlVpu* vpu, unsigned int sessionId,
                                           MtmlCodecSessionMetrics* metrics) {
  return tellMetrics("mtmlVpuGetDecoderSessionMetrics", vpu, sessionId, metrics);
}

}  // extern "C"
