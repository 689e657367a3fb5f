// LIBSVM's way of reading its own format, timed as the peer of bench/read.cpp, and the files that both read.
// svm-train reads a file twice: once to count the elements, once to parse them with strtok, strtol and strtod
// into one array of nodes in which an index of −1 ends a row. This is that algorithm written anew.
//
//   read_peers PATH [--repeat N]                 {"seconds", "mb_per_second", "rows", "bytes_held",
//   "peak_rss_bytes"} read_peers --generate libsvm|csv PATH MB     writes about MB million bytes, the same
//   every time
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, FileCloser>;

File open(const char* path, const char* mode) {
  File file(std::fopen(path, mode));
  if (!file) throw std::runtime_error(std::string(path) + ": " + std::strerror(errno));
  return file;
}

/// One line at a time through fgets into a buffer that doubles until the line fits.
class LineReader {
 public:
  explicit LineReader(std::FILE* file) : file_(file), line_(1024) {}

  char* next() {
    if (!std::fgets(line_.data(), int(line_.size()), file_)) return nullptr;
    while (!std::strrchr(line_.data(), '\n')) {
      line_.resize(2 * line_.size());
      const std::size_t used = std::strlen(line_.data());
      if (!std::fgets(line_.data() + used, int(line_.size() - used), file_)) break;
    }
    return line_.data();
  }

 private:
  std::FILE* file_;
  std::vector<char> line_;
};

struct Node {
  int index;
  double value;
};

struct Problem {
  std::vector<double> y;
  std::vector<Node*> x;
  std::unique_ptr<Node[]> nodes;
  std::size_t node_count = 0;

  std::size_t bytes() const {
    return node_count * sizeof(Node) + y.size() * (sizeof(double) + sizeof(Node*));
  }
};

void count(std::FILE* file, std::size_t& rows, std::size_t& nodes) {
  LineReader lines(file);
  while (char* line = lines.next()) {
    std::strtok(line, " \t");
    for (;;) {
      const char* field = std::strtok(nullptr, " \t");
      if (!field || *field == '\n') break;
      ++nodes;
    }
    ++nodes;  // the end of the row
    ++rows;
  }
}

/// Writes the nodes of the line that strtok is in the middle of; returns the place after the last.
Node* parse_nodes(Node* out, std::size_t row) {
  const auto refuse = [row] {
    throw std::runtime_error("line " + std::to_string(row + 1) + ": wrong input");
  };
  for (int previous = 0;;) {
    char* index = std::strtok(nullptr, ":");
    char* value = std::strtok(nullptr, " \t");
    if (!value) break;
    char* end = nullptr;
    errno = 0;
    out->index = int(std::strtol(index, &end, 10));
    if (end == index || errno != 0 || *end != '\0' || out->index <= previous) refuse();
    previous = out->index;
    errno = 0;
    out->value = std::strtod(value, &end);
    if (end == value || errno != 0 || (*end != '\0' && !std::strchr(" \t\n", *end))) refuse();
    ++out;
  }
  out->index = -1;
  return out + 1;
}

Problem read_problem(const char* path) {
  const File file = open(path, "r");
  Problem problem;
  std::size_t rows = 0;
  count(file.get(), rows, problem.node_count);
  std::rewind(file.get());

  problem.y.resize(rows);
  problem.x.resize(rows);
  problem.nodes.reset(new Node[problem.node_count]);
  LineReader lines(file.get());
  Node* out = problem.nodes.get();
  for (std::size_t i = 0; i < rows; ++i) {
    problem.x[i] = out;
    char* label = std::strtok(lines.next(), " \t\n");
    char* end = nullptr;
    if (label) problem.y[i] = std::strtod(label, &end);
    if (!label || end == label || *end != '\0')
      throw std::runtime_error("line " + std::to_string(i + 1) + ": wrong label");
    out = parse_nodes(out, i);
  }
  return problem;
}

/// The high-water mark of this program alone; getrusage would count the process that started it as well.
std::size_t peak_rss_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}

int time_reading(const char* path, int repeat) {
  const File file = open(path, "r");
  std::fseek(file.get(), 0, SEEK_END);
  const double megabytes = double(std::ftell(file.get())) / 1e6;
  std::vector<double> seconds;
  std::size_t rows = 0, bytes = 0;
  for (int i = 0; i < repeat; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const Problem problem = read_problem(path);
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    rows = problem.y.size();
    bytes = problem.bytes();
  }
  std::ranges::sort(seconds);
  const double median = seconds[seconds.size() / 2];
  std::printf(
      "{\"seconds\": %.6f, \"mb_per_second\": %.1f, \"rows\": %zu, \"bytes_held\": %zu, \"peak_rss_bytes\": "
      "%zu}\n",
      median, megabytes / median, rows, bytes, peak_rss_bytes());
  return 0;
}

/// splitmix64: the files must not differ between standard libraries.
class Bits {
 public:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int bound) { return int(next() % std::uint64_t(bound)); }
  double uniform() { return double(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_ = 1;
};

void append(std::string& line, double value, int digits) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
  line.append(text, end);
}

/// ±1 and 40 to 60 values of 6 digits at ascending indices up to about 1,000.
void libsvm_row(Bits& bits, std::string& line) {
  line += bits.below(2) == 0 ? "-1" : "+1";
  int index = 0;
  for (int left = 40 + bits.below(21); left > 0; --left) {
    index += 1 + bits.below(39);
    line += ' ';
    line += std::to_string(index);
    line += ':';
    append(line, 2 * bits.uniform() - 1, 6);
  }
  line += '\n';
}

/// 20 numbers of 6 to 8 digits, in columns of different magnitude, and one of 10 classes.
void csv_row(Bits& bits, std::string& line) {
  for (int column = 0; column < 20; ++column) {
    append(line, (2 * bits.uniform() - 1) * std::pow(10, column % 6 - 1), 6 + column % 3);
    line += ',';
  }
  line += char('0' + bits.below(10));
  line += '\n';
}

int generate(std::string_view format, const char* path, double megabytes) {
  if (format != "libsvm" && format != "csv") throw std::runtime_error("the format is libsvm or csv");
  const File file = open(path, "w");
  Bits bits;
  std::string block;
  if (format == "csv") {
    for (int column = 1; column <= 20; ++column) block += "x" + std::to_string(column) + ",";
    block += "y\n";
  }
  for (double written = 0; written < megabytes * 1e6;) {
    while (block.size() < (1u << 20)) format == "csv" ? csv_row(bits, block) : libsvm_row(bits, block);
    if (std::fwrite(block.data(), 1, block.size(), file.get()) != block.size())
      throw std::runtime_error(std::string(path) + ": " + std::strerror(errno));
    written += double(block.size());
    block.clear();
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  if (arguments.size() == 4 && arguments[0] == "--generate")
    return generate(arguments[1], argv[3], std::atof(argv[4]));
  if (arguments.size() == 1) return time_reading(argv[1], 1);
  if (arguments.size() == 3 && arguments[1] == "--repeat")
    return time_reading(argv[1], std::max(1, std::atoi(argv[3])));
  std::fputs("usage: read_peers PATH [--repeat N] | read_peers --generate libsvm|csv PATH MB\n", stderr);
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "read_peers: %s\n", error.what());
  return 3;
}
