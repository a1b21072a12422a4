#include "device_diagnostics.h"

#include "clang/AST/Decl.h"
#include "clang/Basic/Cuda.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "messages/missing_headers.h"

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

bool isAboutKernel(const Diagnostic& info) {
  return info.getArgKind(0) == DiagnosticsEngine::ak_sint &&
         info.getArgSInt(0) == static_cast<int>(CUDAFunctionTarget::Global);
}

// A function of the host in one for both sides.
bool isAboutHostCall(const Diagnostic& info) {
  const auto target = [&](unsigned argument) {
    return static_cast<CUDAFunctionTarget>(info.getArgSInt(argument));
  };
  return info.getArgKind(2) == DiagnosticsEngine::ak_nameddecl &&
         isa<FunctionDecl>(reinterpret_cast<NamedDecl*>(info.getRawArg(2))) &&
         target(0) == CUDAFunctionTarget::Host && target(3) == CUDAFunctionTarget::HostDevice;
}

}  // namespace

DeviceDiagnostics& DeviceDiagnostics::of(DiagnosticsEngine& diagnostics) {
  // One translation unit per thread.
  static thread_local DeviceDiagnostics* installed = nullptr;
  if (installed == nullptr) {
    installed = new DeviceDiagnostics(diagnostics);
    diagnostics.setClient(installed, /*ShouldOwnClient=*/true);
  }
  return *installed;
}

DeviceDiagnostics::DeviceDiagnostics(DiagnosticsEngine& diagnostics)
    : engine_(diagnostics), owned_(diagnostics.takeClient()), next_(diagnostics.getClient()) {
  // An error that clang has counted cannot be taken back: what calls of the wrong side are
  // errors is decided below.
  diagnostics.setSeverity(diag::err_ref_bad_target, diag::Severity::Remark, SourceLocation());
}

void DeviceDiagnostics::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& info) {
  if (level == DiagnosticsEngine::Note && dropsNotes_) return;
  dropsNotes_ = quietAboutAsm_ && isAboutAsmOperands(info.getID());
  if (info.getID() == diag::err_ref_bad_target) {
    // Instances of templates refer to the kernel again.
    if (isAboutHostCall(info)) return warnOfHostCall(info);
    dropsNotes_ = isAboutKernel(info) && launches_.count(info.getLocation()) != 0;
    refusedReference_ |= !dropsNotes_;
    level = DiagnosticsEngine::Error;
  }
  if (dropsNotes_) return;
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (info.getID() == diag::err_pp_file_not_found) return forwardWithHeader(level, info);
  const bool refusesKernel = info.getID() == diag::err_ref_bad_target && isAboutKernel(info);
  if (refusesKernel || info.getID() == diag::note_ovl_candidate_bad_target) {
    forwardWithRule(level, info);
  } else {
    next_->HandleDiagnostic(level, info);
  }
}

// nvcc's warnings 20011 and 20014, once each. Not of the system's headers, as any warning.
void DeviceDiagnostics::warnOfHostCall(const Diagnostic& info) {
  dropsNotes_ = !hostCalls_.insert({info.getLocation(), info.getRawArg(2)}).second ||
                engine_.getIgnoreAllWarnings() ||
                (info.hasSourceManager() && info.getSourceManager().isInSystemHeader(info.getLocation()));
  if (dropsNotes_) return;
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  text += ", which fails where device code gets there";
  DiagnosticConsumer::HandleDiagnostic(DiagnosticsEngine::Warning, info);
  next_->HandleDiagnostic(DiagnosticsEngine::Warning, Diagnostic(&engine_, text));
}

// Says what launches in device code have to look like.
void DeviceDiagnostics::forwardWithRule(DiagnosticsEngine::Level level, const Diagnostic& info) {
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  if (text.str().contains("to __global__ function")) {
    text += "; device code can launch kernels by their names, and do nothing else with them";
  }
  next_->HandleDiagnostic(level, Diagnostic(&engine_, text));
}

// Says whose the header is.
void DeviceDiagnostics::forwardWithHeader(DiagnosticsEngine::Level level, const Diagnostic& info) {
  const bool isText = info.getArgKind(0) == DiagnosticsEngine::ak_std_string;
  const std::string advice = missingHeaderAdvice(isText ? info.getArgStdStr(0) : std::string());
  llvm::SmallString<256> text;
  info.FormatDiagnostic(text);
  if (!advice.empty()) text += ": " + advice;
  next_->HandleDiagnostic(level, Diagnostic(&engine_, text));
}

}  // namespace musashim::mcc
