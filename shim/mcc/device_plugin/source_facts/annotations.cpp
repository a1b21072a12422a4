#include "annotations.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace musashim::mcc {

std::string encodeKernel(const KernelAnnotation& kernel) {
  std::string text = kKernelAnnotation.str();
  text += std::to_string(kernel.maxThreads) + "," + std::to_string(kernel.minBlocks) + "," +
          std::to_string(kernel.cudaArch);
  for (const KernelParam& param : kernel.params) {
    text +=
        ";" + std::to_string(param.size) + "," + std::to_string(param.align) + (param.indirect ? ",i" : ",d");
  }
  return text;
}

bool decodeKernel(std::string_view text, KernelAnnotation& kernel) {
  llvm::StringRef rest(text.data(), text.size());
  if (!rest.consume_front(kKernelAnnotation)) return false;
  llvm::SmallVector<llvm::StringRef, 8> fields;
  rest.split(fields, ';');
  llvm::SmallVector<llvm::StringRef, 3> numbers;
  fields.front().split(numbers, ',');
  if (numbers.size() != 3 || numbers[0].getAsInteger(10, kernel.maxThreads) ||
      numbers[1].getAsInteger(10, kernel.minBlocks) || numbers[2].getAsInteger(10, kernel.cudaArch))
    return false;
  for (llvm::StringRef field : llvm::drop_begin(fields)) {
    llvm::SmallVector<llvm::StringRef, 3> parts;
    field.split(parts, ',');
    KernelParam param;
    if (parts.size() != 3 || parts[0].getAsInteger(10, param.size) || parts[1].getAsInteger(10, param.align))
      return false;
    param.indirect = parts[2] == "i";
    kernel.params.push_back(param);
  }
  return true;
}

}  // namespace musashim::mcc
