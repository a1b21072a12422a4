// Operands and results of what a unit's threads do together, in its frame.
#pragma once

#include "abi/musa_unit_abi.h"
#include "cpu/devrt/units/unit_lanes.h"

namespace musashim::devrt {

inline char* operandArray(const MusaUnit& unit, const MusaOperand& operand) {
  return unit.frame + static_cast<uint64_t>(operand.slot) * unit.capacity;
}

// Calls `access` with the array of an operand, as what its elements are.
template <typename Access>
auto withElements(const MusaUnit& unit, const MusaOperand& operand, Access access) {
  char* array = operandArray(unit, operand);
  switch (operand.bytes) {
    case 1:
      return access(reinterpret_cast<uint8_t*>(array));
    case 2:
      return access(reinterpret_cast<uint16_t*>(array));
    case 4:
      return access(reinterpret_cast<uint32_t*>(array));
    default:
      return access(reinterpret_cast<uint64_t*>(array));
  }
}

// An operand of one thread, zero-extended.
inline uint64_t readOperand(const MusaUnit& unit, const MusaOperand& operand, uint32_t thread) {
  if (operand.slot < 0) return operand.constant;
  return withElements(unit, operand, [&](const auto* elements) -> uint64_t { return elements[thread]; });
}

inline void writeResult(const MusaUnit& unit, const MusaOperand& result, uint32_t thread, uint64_t value) {
  if (result.slot < 0) return;
  withElements(unit, result, [&]<typename T>(T* elements) { elements[thread] = static_cast<T>(value); });
}

// Of the warp's lanes, which have `kGroups` groups.
template <uint32_t kGroups>
class LaneOperands {
 public:
  using Lanes = LaneSet<kGroups>;
  using Values = LaneValues<kGroups>;

  explicit LaneOperands(const MusaUnit& unit) : unit_(unit) {}

  uint64_t read(const MusaOperand& operand, uint32_t lane) const { return readOperand(unit_, operand, lane); }

  void read(const MusaOperand& operand, const Lanes& lanes, Values& values) const {
    if (operand.slot < 0) {
      lanes.forEach([&](uint32_t lane) { values[lane] = operand.constant; });
      return;
    }
    withElements(unit_, operand, [&](const auto* elements) {
      lanes.forEach([&](uint32_t lane) { values[lane] = elements[lane]; });
    });
  }

  // Of all lanes.
  void readGroups(const MusaOperand& operand, Values& values) const {
    if (operand.slot < 0) return values.fill(operand.constant);
    withElements(unit_, operand, [&](const auto* elements) {
      for (size_t lane = 0; lane < values.size(); ++lane) values[lane] = elements[lane];
    });
  }

  void write(const MusaOperand& result, const Lanes& lanes, const Values& values) const {
    if (result.slot < 0) return;
    withElements(unit_, result, [&]<typename T>(T* elements) {
      lanes.forEach([&](uint32_t lane) { elements[lane] = static_cast<T>(values[lane]); });
    });
  }

  // Those of `lanes` whose operand, of 32 bits, is `wanted`.
  Lanes with(const MusaOperand& operand, const Lanes& lanes, uint32_t wanted) const {
    if (operand.slot < 0) return static_cast<uint32_t>(operand.constant) == wanted ? lanes : Lanes{};
    Lanes result;
    const auto* elements = reinterpret_cast<const uint32_t*>(operandArray(unit_, operand));
    for (uint32_t i = 0; i < kGroups; ++i)
      result.groups[i] = lanes.groups[i] & lanesEqual(elements + i * kGroup, wanted);
    return result;
  }

 private:
  const MusaUnit& unit_;
};

}  // namespace musashim::devrt
