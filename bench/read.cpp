// How fast mercer::read reads a file, and how much memory that takes beside the data held.
//
//   read PATH [--threads N] [--precision float32|float64] [--repeat N]
//
// prints {"seconds", "rows", "bytes_held", "peak_rss_bytes"}; the seconds are the median of the repeats.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "mercer/dataset.hpp"
#include "mercer/error.hpp"

namespace {

struct Arguments {
  std::string path;
  mercer::ReadOptions options;
  int repeat = 1;
};

Arguments parse(int argc, char** argv) {
  const auto refuse = [](const std::string& message) {
    throw mercer::Error(mercer::ErrorCode::invalid_argument, message);
  };
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--")) {
      arguments.path = word;
      continue;
    }
    if (i + 1 == argc) refuse(std::string(word) + " needs a value");
    const std::string value = argv[++i];
    if (word == "--threads") {
      arguments.options.threads = std::atoi(value.c_str());
    } else if (word == "--repeat") {
      arguments.repeat = std::max(1, std::atoi(value.c_str()));
    } else if (word == "--precision" && (value == "float32" || value == "float64")) {
      arguments.options.precision =
          value == "float32" ? mercer::Precision::float32 : mercer::Precision::float64;
    } else {
      refuse("cannot use " + std::string(word) + " " + value);
    }
  }
  if (arguments.path.empty())
    refuse("usage: read PATH [--threads N] [--precision float32|float64] [--repeat N]");
  return arguments;
}

std::size_t bytes_held(const mercer::Dataset& data) {
  return data.points.bytes() + data.target.codes.size() * sizeof(std::int32_t) +
         (data.target.values.size() + data.weights.size()) * sizeof(double) +
         data.queries.size() * sizeof(std::int64_t);
}

/// The high-water mark of this program alone; getrusage would count the process that started it as well.
std::size_t peak_rss_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const Arguments arguments = parse(argc, argv);
  std::vector<double> seconds;
  std::size_t rows = 0, bytes = 0;
  for (int i = 0; i < arguments.repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const mercer::Dataset data = mercer::read(arguments.path, arguments.options);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    rows = data.rows();
    bytes = bytes_held(data);
  }
  std::ranges::sort(seconds);
  std::printf("{\"seconds\": %.6f, \"rows\": %zu, \"bytes_held\": %zu, \"peak_rss_bytes\": %zu}\n",
              seconds[seconds.size() / 2], rows, bytes, peak_rss_bytes());
  return 0;
} catch (const mercer::Error& error) {
  std::fprintf(stderr, "read: %s\n", error.what());
  return 3;
}
