// The device code of one source that was compiled with -dc: LLVM bitcode that its object
// carries to the final link, in LLVM's own container for that (llvm/Object/OffloadBinary.h,
// section .llvm.offloading), which `llvm-objdump --offloading` shows and linkers leave out.
//
// Bitcode is as clang generates it, before any pass: functions in which threads wait for
// each other are compiled together with the kernels that call them, whatever file they
// are in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "llvm/Support/MemoryBuffer.h"

namespace musashim::mcc {

// Code of a unit for some architectures.
struct UnitCode {
  std::vector<uint32_t> archs;       // __MUSA_ARCH__ values
  std::vector<std::string> options;  // of clang -cc1, for what comes after bitcode
  std::unique_ptr<llvm::MemoryBuffer> bitcode;
};

struct DeviceUnit {
  std::string id;    // clang's hash that is in the names of the unit's registration
  std::string file;  // "a.o", "libx.a(a.o)"
  std::vector<UnitCode> codes;
};

// Names of a unit's symbols in its host object; the host plugin gives them.
std::string unitMarkerName(const std::string& id);  // defined there
std::string unitFatbinName(const std::string& id);  // defined by the device link
std::string unitHandleName(const std::string& id);  // the same

// Of clang -cc1's arguments for a device pass, those that matter once there is bitcode.
std::vector<std::string> codeGenerationOptions(const std::vector<std::string>& arguments);

// Gives the bitcode that clang made the launch sizes in `launchSizes` (lines of "x y z kernel") and one name
// for each variable, and returns it in the container. Empty, with a message, when it cannot be read.
std::string packUnitCode(llvm::MemoryBufferRef bitcode, const std::string& launchSizes,
                         const std::vector<uint32_t>& archs, const std::vector<std::string>& options);

// The same with files. False, with a message, when one cannot be read or written.
struct UnitFiles {
  std::string bitcode, launchSizes, output;
};
bool packUnitCode(const UnitFiles& files, const std::vector<uint32_t>& archs,
                  const std::vector<std::string>& options);

// The unit in an object file's contents; several after `ld -r`. Empty when it has none.
std::vector<DeviceUnit> readDeviceUnits(llvm::MemoryBufferRef object, const std::string& file);

}  // namespace musashim::mcc
