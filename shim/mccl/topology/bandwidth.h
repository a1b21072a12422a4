// How fast links are, in GB/s: NCCL's figures, as its log and graph files have them.
#pragma once

#include <string>

namespace musashim::mccl::topology {

constexpr double kSelfBandwidth = 5000;

enum class Arch { kX86, kArm, kPower, kOther };
enum class Vendor { kIntel, kAmd, kZhaoxin, kOther };

struct Processor {
  Arch arch = Arch::kX86;
  Vendor vendor = Vendor::kOther;
  int family = 0, model = 0;
};

// Between two sockets.
double socketBandwidth(const Processor& processor);

// One NVLink of a GPU with that compute capability, or one MTLink of a device with MUSA's.
double nvlinkBandwidth(int capability);
// One Infinity Fabric link.
double xgmiBandwidth();

// "16.0 GT/s PCIe" and the number of lanes; unknown speeds count as 8 GT/s, 0 lanes as 16.
double pciBandwidth(const std::string& speed, int lanes);
// GT/s of such a text; 0 where it is none.
double transfersOf(const std::string& speed);

}  // namespace musashim::mccl::topology
