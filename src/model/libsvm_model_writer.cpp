#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "base/file.hpp"
#include "data/decimal.hpp"
#include "mercer/error.hpp"
#include "model/libsvm_model.hpp"

namespace mercer {

namespace {

constexpr std::size_t block_bytes = 1 << 20;

class ModelWriter {
 public:
  ModelWriter(const std::string& path, const LibsvmModel& model) : path_(path), model_(model), file_(path) {}

  void write() {
    keys();
    text_ += "SV\n";
    for (std::size_t s = 0; s < model_.total_sv; ++s) {
      support_vector(s);
      if (text_.size() < block_bytes) continue;
      file_.write(text_);
      text_.clear();
    }
    file_.write(text_);
    file_.commit();
  }

 private:
  void keys() {
    line("svm_type", libsvm_type_names[std::size_t(model_.type)]);
    line("kernel_type", libsvm_kernel_names[std::size_t(model_.kernel)]);
    if (model_.has_degree()) line("degree", model_.degree);
    if (model_.has_gamma()) line("gamma", model_.gamma);
    if (model_.has_coef0()) line("coef0", model_.coef0);
    line("nr_class", model_.nr_class);
    line("total_sv", model_.total_sv);
    list("rho", model_.rho);
    if (!model_.label.empty()) list("label", model_.label);
    if (!model_.prob_a.empty()) list("probA", model_.prob_a);
    if (!model_.prob_b.empty()) list("probB", model_.prob_b);
    if (!model_.prob_density_marks.empty()) list("prob_density_marks", model_.prob_density_marks);
    if (!model_.nr_sv.empty()) list("nr_sv", model_.nr_sv);
  }

  void support_vector(std::size_t s) {
    for (std::size_t j = 0; j + 1 < std::size_t(model_.nr_class); ++j) {
      append("a coefficient", model_.coefs[j * model_.total_sv + s]);
      text_ += ' ';
    }
    if (model_.kernel == LibsvmKernel::precomputed)
      fmt::format_to(std::back_inserter(text_), "0:{} ", model_.serials[s]);
    else
      entries(s);
    text_ += '\n';
  }

  void entries(std::size_t s) {
    const Sparse<double>& support = model_.support;
    for (std::size_t k = support.starts[s]; k < support.starts[s + 1]; ++k) {
      fmt::format_to(std::back_inserter(text_), "{}:", std::int64_t(support.indices[k]) + model_.first_index);
      append_entry_value(support.values[k]);
      text_ += ' ';
    }
  }

  /// LIBSVM writes 8 digits here, and so changes most numbers: 8 where they say it all, else 17.
  void append_entry_value(double value) {
    char digits[32];
    char* const end = fmt::format_to_n(digits, sizeof digits, "{:.8g}", value).out;
    double back = 0;
    if (parse_decimal(digits, end, back) == end && back == value)
      text_.append(digits, end);
    else
      append("a support vector", value);
  }

  void append(std::string_view key, double value) {
    if (!std::isfinite(value))
      throw Error(ErrorCode::invalid_file, fmt::format("{} is {}", key, value),
                  {.file = path_, .hint = "LIBSVM models hold finite numbers"});
    fmt::format_to(std::back_inserter(text_), "{:.17g}", value);
  }
  void append(std::string_view, const auto& value) { fmt::format_to(std::back_inserter(text_), "{}", value); }

  void line(std::string_view key, const auto& value) {
    text_ += key;
    text_ += ' ';
    append(key, value);
    text_ += '\n';
  }
  void list(std::string_view key, const auto& values) {
    text_ += key;
    for (const auto value : values) {
      text_ += ' ';
      append(key, value);
    }
    text_ += '\n';
  }

  const std::string& path_;
  const LibsvmModel& model_;
  AtomicFile file_;
  std::string text_;
};

}  // namespace

void write_libsvm_model(const std::string& path, const LibsvmModel& model) {
  assert(model.rho.size() == model.pairs());
  assert(model.coefs.size() == std::size_t(model.nr_class - 1) * model.total_sv);
  assert(model.kernel == LibsvmKernel::precomputed ? model.serials.size() == model.total_sv
                                                   : model.support.rows == model.total_sv);
  ModelWriter(path, model).write();
}

}  // namespace mercer
