// What the tool shows of the devices: taken by libmtml at one time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mtml.h"

namespace musashim::gmi {

struct Process {
  int number = 0;
  std::string name;
  unsigned long long bytes = 0;
};

struct Gpu {
  unsigned int index = 0;
  std::string name, uuid;
  MtmlPciInfo pci{};
  unsigned long long totalBytes = 0, usedBytes = 0;
  unsigned int load = 0, memoryLoad = 0;                         // %
  unsigned int clock = 0, maxClock = 0;                          // MHz
  unsigned int memoryClock = 0, maxMemoryClock = 0;              // MHz
  unsigned int videoClock = 0;                                   // MHz
  unsigned int encoderLoad = 0, decoderLoad = 0;                 // %
  unsigned int busBits = 0, bandwidth = 0, memoryTransfers = 0;  // bits, GB/s, MT/s
  std::optional<unsigned int> celsius, milliwatts;  // none where it was not looked at, or is lost
  unsigned int limitMilliwatts = 0;
  std::vector<unsigned int> fans;  // % of each
  std::string serial, mtbios, memoryType, memoryVendor;
  struct Ecc {
    unsigned long long corrected = 0, uncorrected = 0;
  };
  std::optional<Ecc> ecc;
  bool isLost = false;
  std::vector<Process> processes;
};

// Where the environment says nothing of the devices, those of the running programs of the session are looked
// at, the product that most of them have. Before open().
void chooseMachine();

// Opens libmtml; what it says if it cannot.
class Machine {
 public:
  static std::optional<std::string> open(Machine& machine);
  ~Machine();
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  unsigned int count() const { return count_; }
  std::string driverVersion() const;
  // `withLoad`: and what moves with it, the sensors; that takes some 40 ms.
  std::vector<Gpu> look(const std::vector<unsigned int>& wanted, bool withLoad) const;
  const MtmlLibrary* library() const { return library_; }

 private:
  MtmlLibrary* library_ = nullptr;
  unsigned int count_ = 0;
};

// "Fri Nov 27 02:10:53 2026"
std::string timestamp();

constexpr unsigned long long mebibytes(unsigned long long bytes) { return bytes >> 20; }

}  // namespace musashim::gmi
