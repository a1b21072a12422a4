#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "metrics/advice.h"
#include "metrics/derived.h"
#include "metrics/reports.h"
#include "metrics/roofs.h"

namespace musashim::metrics {
namespace {

constexpr const char* kStyle = R"(
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 76em; padding: 0 1em; color: #1b1f24; }
h1 { font-size: 1.5em; } h2 { font-size: 1.1em; margin-top: 2.2em; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: .8em 0; } td, th { padding: .15em .7em; text-align: right; }
th { border-bottom: 1px solid #aaa; font-weight: 600; } td:first-child, th:first-child { text-align: left; }
.source { width: 100%; font: 13px/1.4 ui-monospace, monospace; } .source td { white-space: pre; }
.source td.code { text-align: left; width: 99%; } .advice { border-left: 4px solid #d97706; padding: .2em .8em; margin: .5em 0; }
.advice b { display: block; } .quiet { color: #57606a; } svg { background: #f6f8fa; margin: .6em 0; }
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::vector<std::string> linesOf(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// The roofs of memory and of 32-bit floats, and the kernels that ran on `product` under them, or all where it
// is empty: what their operations could reach at most.
std::string rooflineOf(const Metrics& metrics, const Roof& roof, const std::string& product) {
  constexpr double kWidth = 640, kHeight = 260, kLeft = 60, kBottom = 40;
  const double bandwidth = roof.bytes * 1e-9;
  // Intensities from 1/16 to 256 operations a byte, in powers of two.
  const auto x = [&](double intensity) {
    return kLeft + (std::log2(intensity) + 4) / 12 * (kWidth - kLeft - 20);
  };
  const double most = bandwidth * 256, least = bandwidth / 16;
  const double peak = roof.operations > 0 ? std::min(most, roof.operations * 1e-9) : most;
  const auto y = [&](double gigaflops) {
    return 15 + (1 - std::log2(gigaflops / least) / std::log2(most / least)) * (kHeight - kBottom - 15);
  };
  std::string out = fmt::format(
      R"(<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="Roofline of {2}">)",
      kWidth, kHeight, escaped(roof.product));
  out +=
      fmt::format(R"(<polyline points="{},{} {},{} {},{}" fill="none" stroke="#57606a" stroke-width="2"/>)",
                  x(1. / 16), y(least), x(peak / bandwidth), y(peak), x(256), y(peak));
  for (int power = -4; power <= 8; power += 2) {
    out += fmt::format(R"(<text x="{}" y="{}" font-size="11" text-anchor="middle">{}</text>)",
                       x(std::exp2(power)), kHeight - 22,
                       power < 0 ? fmt::format("1/{}", 1 << -power) : fmt::format("{}", 1 << power));
  }
  out += fmt::format(
      R"(<text x="{}" y="{}" font-size="11" text-anchor="middle">operations for a byte of device memory; )"
      R"(lines: {:.0f} GB/s of {}, {}</text>)",
      kWidth / 2, kHeight - 6, bandwidth, escaped(roof.product),
      roof.operations > 0 ? fmt::format("{:.1f} TFLOP/s (fp32)", roof.operations * 1e-12)
                          : "no public figure of fp32");
  for (size_t i = 0; i < metrics.kernels.size(); ++i) {
    const Kernel& kernel = metrics.kernels[i];
    const double intensity = figuresOf(kernel).intensity;
    if ((!product.empty() && metrics.deviceOf(kernel).product != product) || intensity <= 0) continue;
    const double shown = std::clamp(intensity, 1. / 16, 256.);
    const double reached =
        std::min(intensity * bandwidth, roof.operations > 0 ? peak : intensity * bandwidth);
    const double height = y(std::min(shown * bandwidth, peak));
    out += fmt::format(
        R"(<circle cx="{0}" cy="{1}" r="4" fill="#d97706"><title>{2}: at most {3:.0f} GFLOP/s</title></circle>)"
        R"(<text x="{0}" y="{4}" font-size="11" text-anchor="middle">{5}</text>)",
        x(shown), height, escaped(kernel.name), reached, height - 7, i + 1);
  }
  return out + "</svg>\n";
}

// Of the products that the run had, and folded, of the others.
std::string rooflinesOf(const Metrics& metrics) {
  std::string own, others;
  for (const auto& [product, device] : metrics.devices) {
    const auto known =
        std::find_if(kRoofs.begin(), kRoofs.end(), [&](const Roof& roof) { return product == roof.product; });
    const Roof roof{product.c_str(), known == kRoofs.end() ? 0 : known->operations,
                    static_cast<double>(device.bytesPerSecond)};
    if (roof.bytes > 0) own += rooflineOf(metrics, roof, product);
  }
  for (const Roof& roof : kRoofs)
    if (!metrics.devices.contains(roof.product)) others += rooflineOf(metrics, roof, "");
  return own + "<details><summary>Rooflines of other products</summary>\n" + others + "</details>\n";
}

std::string sourceOf(const Kernel& kernel) {
  std::string out;
  const double all = static_cast<double>(std::max<uint64_t>(1, kernel.all().warps));
  for (size_t i = 0; i < kernel.lines.size();) {
    const std::string& file = kernel.lines[i].file;
    size_t end = i;
    while (end < kernel.lines.size() && kernel.lines[end].file == file) ++end;
    const std::vector<std::string> text = linesOf(file);
    out += fmt::format(
        "<p class=\"quiet\">{}</p>\n<table class=\"source\"><tr><th>line</th><th>instr %</th><th>lanes</th>"
        "<th>sectors</th><th>turns</th><th></th></tr>\n",
        escaped(file));
    constexpr uint64_t kAround = 2;
    const uint64_t first = kernel.lines[i].number > kAround ? kernel.lines[i].number - kAround : 1;
    const uint64_t last = kernel.lines[end - 1].number + kAround;
    for (uint64_t number = first; number <= last; ++number) {
      while (i < end && kernel.lines[i].number < number) ++i;
      const bool counted = i < end && kernel.lines[i].number == number;
      if (!counted && (text.empty() || number > text.size())) continue;
      const std::string code = number <= text.size() ? escaped(text[number - 1]) : std::string();
      if (!counted) {
        out += fmt::format(
            "<tr><td>{}</td><td></td><td></td><td></td><td></td><td class=\"code\">{}</td></tr>\n", number,
            code);
        continue;
      }
      const Line& line = kernel.lines[i];
      const LineFigures figures = figuresOf(line);
      const double share = static_cast<double>(line.all().warps) / all;
      const auto cell = [](double value) {
        return value == 0 ? std::string() : fmt::format("{:.1f}", value);
      };
      out += fmt::format(
          "<tr style=\"background: rgba(217,119,6,{:.2f})\"><td>{}</td><td>{:.1f}</td><td>{:.1f}</td>"
          "<td>{}</td><td>{}</td><td class=\"code\">{}</td></tr>\n",
          std::min(0.6, share * 1.5), number, 100 * share, figures.lanes, cell(figures.sectors),
          cell(figures.wavefronts), code);
    }
    out += "</table>\n";
    i = end;
  }
  return out;
}

std::string kernelOf(const Kernel& kernel, const Device& device, size_t number) {
  const KernelFigures figures = figuresOf(kernel);
  std::string out = fmt::format("<h2 id=\"k{0}\">{0}. {1}</h2>\n", number, escaped(kernel.name));
  if (kernel.counted != kernel.blocks)
    out += fmt::format("<p class=\"quiet\">{}</p>\n", escaped(sampleText(kernel)));
  for (const Advice& advice : adviceFor(kernel, device)) {
    const std::string place = advice.file.empty() ? "launch" : fmt::format("line {}", advice.line);
    out += fmt::format("<div class=\"advice\"><b>{}: {}</b>{}.</div>\n", place, escaped(advice.text),
                       escaped(advice.remedy));
  }
  out +=
      "<table><tr><th>active lanes</th><th>sectors a request</th><th>sectors needed</th><th>turns too "
      "many</th>"
      "<th>operations a byte</th></tr>\n";
  out += fmt::format(
      "<tr><td>{:.1f} of {}</td><td>{:.2f}</td><td>{:.0f} "
      "%</td><td>{:.2f}</td><td>{:.2f}</td></tr></table>\n",
      figures.activeLanes, device.warpSize, figures.sectorsPerRequest, 100 * figures.neededSectors,
      figures.bankConflicts, figures.intensity);
  return out + sourceOf(kernel);
}

}  // namespace

std::string htmlOf(const Metrics& metrics) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Metrics of kernels</title>"
      "<style>{}</style></head><body>\n<h1>Metrics of kernels</h1>\n",
      kStyle);
  out += rooflinesOf(metrics);
  out +=
      "<table><tr><th>kernel</th><th>instructions of warps</th><th>active lanes</th><th>sectors a "
      "request</th>"
      "<th>sectors needed</th></tr>\n";
  for (size_t i = 0; i < metrics.kernels.size(); ++i) {
    const Kernel& kernel = metrics.kernels[i];
    const KernelFigures figures = figuresOf(kernel);
    out += fmt::format(
        "<tr><td><a href=\"#k{0}\">{0}. {1}</a></td><td>{2}</td><td>{3:.1f}</td><td>{4:.2f}</td>"
        "<td>{5:.0f} %</td></tr>\n",
        i + 1, escaped(kernel.name), kernel.all().warps, figures.activeLanes, figures.sectorsPerRequest,
        100 * figures.neededSectors);
  }
  out +=
      "</table>\n<p class=\"quiet\">Instructions are those of the emulator's optimised code, by source line; "
      "registers are not known, so occupancy is by threads, blocks and shared memory.</p>\n";
  for (size_t i = 0; i < metrics.kernels.size(); ++i)
    out += kernelOf(metrics.kernels[i], metrics.deviceOf(metrics.kernels[i]), i + 1);
  return out + "</body></html>\n";
}

}  // namespace musashim::metrics
