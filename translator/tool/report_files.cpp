#include "translator/tool/report_files.h"

#include "translator/lib/report/formats.h"
#include "translator/lib/tree/transaction.h"
#include "translator/tool/console.h"

namespace musashim::translator {
namespace {

std::string textOf(const Report& report, ReportFormat format) {
  switch (format) {
    case ReportFormat::Json:
      return report.json();
    case ReportFormat::Sarif:
      return sarifOf(report, MUSASHIM_VERSION);
    case ReportFormat::Csv:
      return csvOf(report);
    case ReportFormat::Html:
      return htmlOf(report, MUSASHIM_VERSION);
  }
  return {};
}

}  // namespace

void writeReports(const Arguments& arguments, const Report& report) {
  Transaction files;
  for (const ReportFile& file : arguments.reports) {
    const std::string text = textOf(report, file.format);
    files.write(std::filesystem::absolute(file.path), {0644},
                [&](const Transaction::Sink& sink) { sink(text); });
  }
  files.commit();
}

}  // namespace musashim::translator
