#include "device_diagnostics.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/Cuda.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticSema.h"

namespace musashim::mcc {
namespace {

using namespace clang;

bool isAboutAsmOperands(unsigned id) {
  switch (id) {
    case diag::err_asm_invalid_escape:
    case diag::err_asm_invalid_operand_number:
    case diag::err_asm_empty_symbolic_operand_name:
    case diag::err_asm_unknown_symbolic_operand_name:
    case diag::err_asm_invalid_type:
    case diag::err_asm_invalid_type_in_input:
    case diag::err_asm_invalid_input_constraint:
    case diag::err_asm_invalid_output_constraint:
    case diag::err_asm_invalid_input_size:
    case diag::err_asm_invalid_output_size:
    case diag::err_asm_tying_incompatible_types:
    case diag::err_asm_unknown_register_name:
      return true;
    default:
      return false;
  }
}

// A reference to a kernel from device code: nothing but a launch would do that.
bool isDeviceLaunch(const Diagnostic& info) {
  return info.getID() == diag::err_ref_bad_target && info.getArgKind(0) == DiagnosticsEngine::ak_sint &&
         info.getArgSInt(0) == static_cast<int>(CUDAFunctionTarget::Global);
}

}  // namespace

DeviceDiagnostics& DeviceDiagnostics::of(DiagnosticsEngine& diagnostics) {
  // One translation unit per process, as clang -cc1 has it.
  static DeviceDiagnostics* installed = nullptr;
  if (installed == nullptr) {
    installed = new DeviceDiagnostics(diagnostics);
    diagnostics.setClient(installed, /*ShouldOwnClient=*/true);
  }
  return *installed;
}

void DeviceDiagnostics::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& info) {
  if (quietAboutAsm_ && isAboutAsmOperands(info.getID())) return;
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (!isDeviceLaunch(info)) {
    next_->HandleDiagnostic(level, info);
    return;
  }
  llvm::SmallString<128> text;
  info.FormatDiagnostic(text);
  text +=
      "; kernels that start kernels (dynamic parallelism) are not supported: start it from the host, "
      "one launch per level of the recursion";
  next_->HandleDiagnostic(level, Diagnostic(&engine_, text));
}

}  // namespace musashim::mcc
