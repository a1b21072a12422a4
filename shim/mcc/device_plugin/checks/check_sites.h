// Sites: the places of the source that checked code names in its reports (abi/musa_check_abi.h), as constants
// of the module.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace musashim::mcc {

// What a site says besides where it is; the fields are MusaCheckSite's.
struct SiteFacts {
  std::string variable;  // empty: not known
  uint64_t variableBytes = 0;
  uint64_t bytes = 0;
  uint64_t align = 1;
  uint8_t kind = 0;
  uint8_t space = 0;
  uint8_t order = 0;
};

class SiteTable {
 public:
  // `sdk`: the SDK's headers. Mistakes are reported at the line that uses them.
  SiteTable(llvm::Module& module, uint8_t checks, std::string sdk)
      : module_(module), checks_(checks), sdk_(std::move(sdk)) {}

  // A MusaCheckSite for what `instruction` does.
  llvm::Constant* site(const llvm::Instruction& instruction, const SiteFacts& facts);

  llvm::Constant* text(const std::string& value);  // null pointer when empty

  // Constants made here: no memory of the program's.
  const std::vector<llvm::GlobalVariable*>& constants() const { return constants_; }

 private:
  struct Place {
    std::string function, file;
    unsigned line = 0;
  };
  Place placeOf(const llvm::Instruction& instruction) const;
  llvm::GlobalVariable* constant(llvm::Constant* value);

  llvm::Module& module_;
  const uint8_t checks_;
  const std::string sdk_;
  std::map<std::string, llvm::Constant*> texts_;
  std::vector<llvm::GlobalVariable*> constants_;
};

}  // namespace musashim::mcc
