#include "mccl/sim/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace musashim::mccl::sim {
namespace {

constexpr double kWidth = 760, kHeight = 420, kLeft = 70, kRight = 70, kTop = 40, kBottom = 60;

// From values to places of the picture.
class Axis {
 public:
  Axis(double least, double most, double from, double to, bool isLogarithmic)
      : from_(from), to_(to), isLogarithmic_(isLogarithmic), least_(at(least)), most_(at(most)) {
    if (most_ <= least_) most_ = least_ + 1;
  }
  double place(double value) const { return from_ + (at(value) - least_) / (most_ - least_) * (to_ - from_); }

 private:
  double at(double value) const { return isLogarithmic_ ? std::log2(std::max(value, 1e-3)) : value; }
  double from_, to_;
  bool isLogarithmic_;
  double least_, most_;
};

std::string sizeText(double bytes) {
  const char* units[] = {"", "K", "M", "G", "T"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return fmt::format("{:.4g}{}", bytes, units[unit]);
}

// The next of 1, 2, 5, 10, ... that is no smaller.
double roundedUp(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (value <= step * power * (1 + 1e-9)) return step * power;
  }
  return 10 * power;
}

std::string label(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     text);
}
std::string line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1,
                     y1, x2, y2, colour);
}

template <class Value>
std::string curve(const std::vector<Row>& rows, const Axis& x, const Axis& y, const char* colour,
                  Value&& value) {
  std::string points, dots;
  for (const Row& row : rows) {
    const double px = x.place(static_cast<double>(row.bytes)), py = y.place(value(row));
    points += fmt::format("{:.1f},{:.1f} ", px, py);
    dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", px, py, colour);
  }
  return fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"{}\"/>\n{}", colour,
                     points, dots);
}

}  // namespace

std::string plotOf(const Options& options, const Size& size, const std::vector<Row>& rows) {
  constexpr const char *kBandwidth = "#0b62a4", *kTime = "#c2571a", *kGrid = "#dddddd", *kInk = "#333333";
  double most = 0, longest = 1, shortest = 1e18;
  for (const Row& row : rows) {
    most = std::max(most, row.busBandwidth);
    longest = std::max(longest, row.prediction.microseconds);
    shortest = std::min(shortest, row.prediction.microseconds);
  }
  most = roundedUp(most);
  shortest = std::pow(10, std::floor(std::log10(std::max(shortest, 1e-3))));
  longest = std::max(std::pow(10, std::ceil(std::log10(longest))), shortest * 10);
  const double right = kWidth - kRight, bottom = kHeight - kBottom;
  const Axis x(rows.empty() ? 1 : static_cast<double>(rows.front().bytes),
               rows.empty() ? 2 : static_cast<double>(rows.back().bytes), kLeft, right, true);
  const Axis bandwidth(0, most, bottom, kTop, false), time(shortest, longest, bottom, kTop, true);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"{2}\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kWidth, kHeight, kInk);
  text += label(kWidth / 2, 22, "middle",
                fmt::format("{}, {} ranks on {} hosts: predicted by mccl-sim", options.collective, size.ranks,
                            size.hosts));
  for (int i = 0; i <= 5; ++i) {
    const double value = most * i / 5, y = bandwidth.place(value);
    text += line(kLeft, y, right, y, kGrid) + label(kLeft - 6, y + 4, "end", fmt::format("{:g}", value));
  }
  for (double value = shortest; value <= longest * 1.001; value *= 10)
    text += label(right + 6, time.place(value) + 4, "start", fmt::format("{:g}", value));
  // As many sizes as there is room for.
  const size_t every = rows.size() / 12 + 1;
  for (size_t i = 0; i < rows.size(); i += every) {
    const double bytes = static_cast<double>(rows[i].bytes);
    text += label(x.place(bytes), bottom + 18, "middle", sizeText(bytes));
  }
  text += line(kLeft, bottom, right, bottom, kInk) + line(kLeft, kTop, kLeft, bottom, kInk) +
          line(right, kTop, right, bottom, kInk);
  text += curve(rows, x, bandwidth, kBandwidth, [](const Row& row) { return row.busBandwidth; });
  text += curve(rows, x, time, kTime, [](const Row& row) { return row.prediction.microseconds; });
  text += label(kWidth / 2, kHeight - 16, "middle", "size (B)");
  text += label(kLeft - 50, kTop - 12, "start", "bus bandwidth (GB/s)",
                fmt::format(" style=\"fill:{}\"", kBandwidth).c_str());
  text += label(kWidth - 10, kTop - 12, "end", "time (us)", fmt::format(" style=\"fill:{}\"", kTime).c_str());
  return text + "</svg>\n";
}

}  // namespace musashim::mccl::sim
