// What LIBSVM's three commands share: command lines in its manner (flags of one letter, each followed by a
// value, then files), its way of writing numbers, and how it judges a regression.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace mercer::cli {

/// A subcommand whose arguments are all its own: also -h, which is a flag of svm-train, not a call for help.
void add_libsvm_command(CLI::App& app, const std::string& name, const std::string& summary,
                        const std::string& usage,
                        const std::function<void(const std::vector<std::string>& arguments)>& run);

class LibsvmFlags {
 public:
  /// `program` and its `usage` appear in messages.
  LibsvmFlags(std::string program, std::vector<std::string> arguments, std::string usage);

  /// Reads the flags, each by its function; `other` is tried for those that are not in the table, and says
  /// whether it knows them.
  void read(const std::map<std::string, std::function<void()>>& known,
            const std::function<bool(const std::string& flag)>& other = {});
  // The value of the flag just read.
  double number();
  double number(double least, double most);
  int whole(int least, int most);
  bool on() { return whole(0, 1) == 1; }
  std::string text();
  /// What is left, `least` to `most` of them.
  std::vector<std::string> files(std::size_t least, std::size_t most) const;
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  std::string program_, usage_, flag_;
  std::vector<std::string> arguments_;
  std::size_t at_ = 0;
};

/// %g and %.17g as C prints them, whatever the locale.
std::string g6(double value);
std::string g17(double value);

/// What -b 1 says of a regression; LIBSVM's two programs differ by a space in front of the number.
void print_noise(double scale, const char* name);

struct LibsvmFit {
  double squared_error = 0;        ///< the mean
  double squared_correlation = 0;  ///< between truth and prediction
};
LibsvmFit libsvm_fit(std::span<const double> truth, std::span<const double> predicted);

}  // namespace mercer::cli
