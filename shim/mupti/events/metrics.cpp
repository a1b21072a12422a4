// Metrics. CUPTI's follow from instructions, cycles and traffic of a device's memory, none of which are
// counted here: a list without members, and no metric of any name.
#include "mupti/events/events.h"
#include "mupti/library/entry.h"

namespace musashim::mupti {
namespace {

MUptiResult none(uint32_t* count) {
  if (count == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  *count = 0;
  return MUPTI_SUCCESS;
}

}  // namespace
}  // namespace musashim::mupti

using namespace musashim::mupti;

MUPTI_ENTRY MUptiResult MUPTIAPI muptiGetNumMetrics(uint32_t* numMetrics) { return none(numMetrics); }

MUPTI_ENTRY MUptiResult MUPTIAPI muptiEnumMetrics(size_t* arraySizeBytes, MUpti_MetricID* metricArray) {
  return giveIds(arraySizeBytes, metricArray, {});
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiDeviceGetNumMetrics(MUdevice device, uint32_t* numMetrics) {
  if (!isDevice(device)) return remember(MUPTI_ERROR_INVALID_DEVICE);
  return none(numMetrics);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiDeviceEnumMetrics(MUdevice device, size_t* arraySizeBytes,
                                                        MUpti_MetricID* metricArray) {
  if (!isDevice(device)) return remember(MUPTI_ERROR_INVALID_DEVICE);
  return giveIds(arraySizeBytes, metricArray, {});
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiMetricGetIdFromName(MUdevice device, const char* metricName,
                                                          MUpti_MetricID* metric) {
  if (metricName == nullptr || metric == nullptr) return remember(MUPTI_ERROR_INVALID_PARAMETER);
  if (!isDevice(device)) return remember(MUPTI_ERROR_INVALID_DEVICE);
  return remember(MUPTI_ERROR_INVALID_METRIC_NAME);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiMetricGetAttribute(MUpti_MetricID /*metric*/,
                                                         MUpti_MetricAttribute /*attrib*/,
                                                         size_t* /*valueSize*/, void* /*value*/) {
  return remember(MUPTI_ERROR_INVALID_METRIC_ID);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiMetricGetNumEvents(MUpti_MetricID /*metric*/, uint32_t* /*numEvents*/) {
  return remember(MUPTI_ERROR_INVALID_METRIC_ID);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiMetricEnumEvents(MUpti_MetricID /*metric*/,
                                                       size_t* /*eventIdArraySizeBytes*/,
                                                       MUpti_EventID* /*eventIdArray*/) {
  return remember(MUPTI_ERROR_INVALID_METRIC_ID);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiMetricGetRequiredEventGroupSets(
    MUcontext /*context*/, MUpti_MetricID /*metric*/, MUpti_EventGroupSets** /*eventGroupSets*/) {
  return remember(MUPTI_ERROR_INVALID_METRIC_ID);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiMetricCreateEventGroupSets(
    MUcontext /*context*/, size_t /*metricIdArraySizeBytes*/, MUpti_MetricID* /*metricIdArray*/,
    MUpti_EventGroupSets** /*eventGroupPasses*/) {
  return remember(MUPTI_ERROR_INVALID_METRIC_ID);
}

MUPTI_ENTRY MUptiResult MUPTIAPI muptiMetricGetValue(MUdevice /*device*/, MUpti_MetricID /*metric*/,
                                                     size_t /*eventIdArraySizeBytes*/,
                                                     MUpti_EventID* /*eventIdArray*/,
                                                     size_t /*eventValueArraySizeBytes*/,
                                                     uint64_t* /*eventValueArray*/, uint64_t /*timeDuration*/,
                                                     MUpti_MetricValue* /*metricValue*/) {
  return remember(MUPTI_ERROR_INVALID_METRIC_ID);
}
