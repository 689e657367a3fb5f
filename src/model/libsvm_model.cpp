#include "model/libsvm_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/file.hpp"
#include "data/chunks.hpp"
#include "data/decimal.hpp"
#include "data/libsvm_entry.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

// `text`, a piece of the source, as a number; anything else is refused.
double finite_number(const TextSource& source, std::string_view text) {
  double value = 0;
  const char* const last = text.data() + text.size();
  if (!text.empty() && parse_decimal(text.data(), last, value) == last) return value;
  const Number number = read_number(text);
  if (number.kind != Number::Kind::number)
    source.refuse(text.data(), fmt::format("{} is not a finite number", in_quotes(text)),
                  "write a number such as 1.5");
  return number.value;
}

std::int32_t whole_number(const TextSource& source, std::string_view text, std::int32_t least) {
  std::int32_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last || value < least)
    source.refuse(text.data(), fmt::format("{} is not a whole number from {} to {}", in_quotes(text), least,
                                           std::numeric_limits<std::int32_t>::max()));
  return value;
}

constexpr std::array<std::string_view, 13> known_keys{
    "svm_type", "kernel_type",        "degree", "gamma", "coef0",
    "nr_class", "total_sv",           "rho",    "label", "probA",
    "probB",    "prob_density_marks", "nr_sv"};

class KeyReader {
 public:
  explicit KeyReader(const TextSource& source) : source_(source), p_(source.text().data()) {}

  const char* read(LibsvmModel& model) {
    scan();
    model.type = LibsvmType(one_of("svm_type", libsvm_type_names));
    model.kernel = LibsvmKernel(one_of("kernel_type", libsvm_kernel_names));
    if (model.has_degree() || has("degree")) model.degree = whole("degree", 0);
    if (model.has_gamma() || has("gamma")) model.gamma = finite_number(source_, single("gamma"));
    if (model.has_coef0() || has("coef0")) model.coef0 = finite_number(source_, single("coef0"));
    read_counts(model);
    model.rho = numbers("rho", model.pairs());
    if (has("probA")) model.prob_a = numbers("probA", model.pairs());
    if (has("probB")) model.prob_b = numbers("probB", model.pairs());
    if (model.classifies() && has("probA") != has("probB"))
      refuse(has("probA") ? "probA" : "probB",
             "stands alone; a model of classes has probA and probB, or none of them");
    if (has("prob_density_marks")) model.prob_density_marks = numbers("prob_density_marks", 10);
    return p_;
  }

 private:
  /// Finds the lines of all keys, up to the line SV.
  void scan() {
    const char* const last = source_.text().data() + source_.text().size();
    for (;;) {
      p_ = skip_spaces(p_, last);
      if (p_ == last)
        source_.refuse(p_, "the file ends before its line SV", "it is cut short, or no LIBSVM model");
      const std::string_view key(p_, std::size_t(field_end(p_, last) - p_));
      const char* const end = std::find(p_, last, '\n');
      const std::string_view values(p_ + key.size(), std::size_t(end - p_) - key.size());
      p_ = end == last ? last : end + 1;
      if (key == "SV" && values.find_first_not_of(" \t\r") == values.npos) return;
      if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end())
        source_.refuse(key.data(), fmt::format("{} is not a key of LIBSVM models", in_quotes(key)),
                       fmt::format("they are {} and, before the support vectors, SV alone",
                                   fmt::join(known_keys, ", ")));
      if (!lines_.emplace(key, Line{key.data(), split(values)}).second)
        source_.refuse(key.data(), fmt::format("{} is given a second time", key), "give it once");
    }
  }

  static std::vector<std::string_view> split(std::string_view values) {
    std::vector<std::string_view> fields;
    const char* const last = values.data() + values.size();
    for (const char* p = skip_spaces(values.data(), last); p != last; p = skip_spaces(p, last)) {
      fields.emplace_back(p, std::size_t(field_end(p, last) - p));
      p += fields.back().size();
    }
    return fields;
  }

  void read_counts(LibsvmModel& model) {
    model.nr_class = whole("nr_class", 1);
    model.total_sv = std::size_t(whole("total_sv", 0));
    if (!model.classifies() && model.nr_class != 2)
      refuse("nr_class",
             fmt::format("is {}; {} has 2", model.nr_class, libsvm_type_names[std::size_t(model.type)]));
    if (model.classifies() || has("label"))
      model.label = wholes("label", std::size_t(model.nr_class), std::numeric_limits<std::int32_t>::min());
    if (!model.classifies() && !has("nr_sv")) return;
    model.nr_sv = wholes("nr_sv", std::size_t(model.nr_class), 0);
    const std::int64_t sum = std::accumulate(model.nr_sv.begin(), model.nr_sv.end(), std::int64_t(0));
    if (sum != std::int64_t(model.total_sv))
      refuse("nr_sv",
             fmt::format("adds up to {}; total_sv is {}, and they must be the same", sum, model.total_sv));
  }

  bool has(std::string_view key) const { return lines_.contains(key); }

  [[noreturn]] void refuse(std::string_view key, const std::string& what) const {
    source_.refuse(lines_.at(key).at, fmt::format("{} {}", key, what));
  }

  /// The values of `key`, which are `count`.
  const std::vector<std::string_view>& fields(std::string_view key, std::size_t count) const {
    const auto found = lines_.find(key);
    if (found == lines_.end())
      source_.refuse(p_, fmt::format("no line {} before SV", key), "a model of this type and kernel has one");
    const auto& values = found->second.values;
    if (values.size() != count)
      refuse(key, fmt::format("has {} values; {} are needed", values.size(), count));
    return values;
  }
  std::string_view single(std::string_view key) const { return fields(key, 1)[0]; }
  std::int32_t whole(std::string_view key, std::int32_t least) const {
    return whole_number(source_, single(key), least);
  }

  auto list(std::string_view key, std::size_t count, auto read) const {
    std::vector<decltype(read(key))> result;
    for (const std::string_view field : fields(key, count)) result.push_back(read(field));
    return result;
  }
  std::vector<double> numbers(std::string_view key, std::size_t count) const {
    return list(key, count, [&](std::string_view text) { return finite_number(source_, text); });
  }
  std::vector<std::int32_t> wholes(std::string_view key, std::size_t count, std::int32_t least) const {
    return list(key, count, [&](std::string_view text) { return whole_number(source_, text, least); });
  }

  std::size_t one_of(std::string_view key, const std::array<std::string_view, 5>& names) const {
    const std::string_view name = single(key);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      source_.refuse(name.data(), fmt::format("{} {} is not known", key, in_quotes(name)),
                     fmt::format("write one of {}", fmt::join(names, ", ")));
    return std::size_t(found - names.begin());
  }

  struct Line {
    const char* at;
    std::vector<std::string_view> values;
  };

  const TextSource& source_;
  const char* p_;
  std::map<std::string_view, Line> lines_;
};

/// Reads the lines behind SV into a model whose keys are known.
class SupportReader {
 public:
  SupportReader(const TextSource& source, const char* first, LibsvmModel& model)
      : source_(source), p_(first), last_(source.text().data() + source.text().size()), model_(model) {}

  void read() {
    make_room();
    for (std::size_t s = 0; s < model_.total_sv; ++s) {
      read_coefs(s);
      if (model_.kernel == LibsvmKernel::precomputed)
        read_serial();
      else
        read_entries();
      model_.support.starts[s + 1] = entry_;
      p_ = skip_spaces(p_, last_);
      if (p_ != last_ && *p_ != '\n')
        source_.refuse(p_, fmt::format("{} follows the serial number", in_quotes(field())), "end the line");
      if (p_ != last_) ++p_;
    }
    if (p_ != last_)
      source_.refuse(p_, fmt::format("a line behind the last of {} support vectors", model_.total_sv),
                     "set total_sv to their number");
    count_from_first_index();
  }

 private:
  /// Allocates no more than the bytes that are there can fill.
  void make_room() {
    const std::string_view rest(p_, std::size_t(last_ - p_));
    const std::size_t lines = count_lines(rest).lines, rows = model_.total_sv;
    if (lines < rows)
      source_.refuse(
          last_, fmt::format("the file ends after {} support vectors, where total_sv says {}", lines, rows),
          "it is cut short, or total_sv is wrong");
    const std::size_t coefs = std::size_t(model_.nr_class - 1) * rows;  // below 2⁶²
    if (coefs > rest.size())
      source_.refuse(
          last_,
          fmt::format("the file ends before its {} coefficients, nr_class - 1 for each of {} support vectors",
                      coefs, rows),
          "it is cut short");
    const bool precomputed = model_.kernel == LibsvmKernel::precomputed;
    const std::size_t entries = precomputed ? 0 : count_entries(rest).colons;
    model_.coefs = Buffer<double>(coefs);
    model_.support = {rows, 0, Buffer<std::size_t>(rows + 1), Buffer<std::int32_t>(entries),
                      Buffer<double>(entries)};
    model_.support.starts[0] = 0;
    if (precomputed) model_.serials.reserve(rows);
  }

  std::string_view field() const noexcept { return {p_, std::size_t(field_end(p_, last_) - p_)}; }

  void read_coefs(std::size_t s) {
    const auto needed = std::size_t(model_.nr_class - 1);
    for (std::size_t j = 0; j < needed; ++j) {
      p_ = skip_spaces(p_, last_);
      const std::string_view text = field();
      if (text.empty() || text.find(':') != text.npos)
        source_.refuse(p_, fmt::format("the line has {} coefficients", j),
                       fmt::format("{} classes need {}", model_.nr_class, needed));
      model_.coefs[j * model_.total_sv + s] = finite_number(source_, text);
      p_ += text.size();
    }
  }

  void read_serial() {
    p_ = skip_spaces(p_, last_);
    const std::string_view text = field();
    if (!text.starts_with("0:"))
      source_.refuse(p_, fmt::format("{} is not 0:serial", in_quotes(text)),
                     "a precomputed kernel has the row number of each support vector, for example 0:12");
    model_.serials.push_back(whole_number(source_, text.substr(2), 1));
    p_ += text.size();
  }

  void read_entries() {
    std::int64_t previous = -1;
    for (p_ = skip_spaces(p_, last_); p_ != last_ && *p_ != '\n'; p_ = skip_spaces(p_, last_)) {
      std::int64_t index = 0;
      const char* const value = parse_index(p_, last_, index);
      if (!value) refuse_entry(source_, field());
      if (index <= previous || index > largest_index) refuse_index(source_, p_, index, previous);
      previous = index;
      p_ = value;
      const std::string_view text = field();
      model_.support.values[entry_] = finite_number(source_, text);
      model_.support.indices[entry_++] = std::int32_t(index);
      if (index == 0) model_.first_index = 0;
      p_ += text.size();
    }
    last_index_ = std::max(last_index_, previous);
  }

  void count_from_first_index() noexcept {
    for (std::int32_t& index : model_.support.indices) index -= model_.first_index;
    model_.support.cols = std::size_t(last_index_ + 1 - (last_index_ < 0 ? 0 : model_.first_index));
  }

  const TextSource& source_;
  const char* p_;
  const char* const last_;
  LibsvmModel& model_;
  std::size_t entry_ = 0;
  std::int64_t last_index_ = -1;
};

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
    list_if_any("label", model_.label);
    list_if_any("probA", model_.prob_a);
    list_if_any("probB", model_.prob_b);
    list_if_any("prob_density_marks", model_.prob_density_marks);
    list_if_any("nr_sv", model_.nr_sv);
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

  void line(std::string_view key, const auto& value) { list(key, std::span(&value, 1)); }
  void list_if_any(std::string_view key, const auto& values) {
    if (!values.empty()) list(key, values);
  }
  void list(std::string_view key, const auto& values) {
    text_ += key;
    for (const auto& value : values) {
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

const char* read_model_keys(const TextSource& source, LibsvmModel& model) {
  return KeyReader(source).read(model);
}

LibsvmModel parse_libsvm_model(const std::string& name, std::string_view text) {
  const TextSource source(name, text);
  // Without this a file that was cut within its last number would be read as another model.
  if (!text.ends_with('\n'))
    source.refuse(source.text().data() + source.text().size(), "the last line has no line end",
                  "the file is cut short, or add one if it is whole");
  LibsvmModel model;
  const char* const support = read_model_keys(source, model);
  SupportReader(source, support, model).read();
  return model;
}

LibsvmModel read_libsvm_model(const std::string& path) {
  const MappedFile file(path);
  return parse_libsvm_model(file.name(), file.text());
}

void write_libsvm_model(const std::string& path, const LibsvmModel& model) {
  assert(model.rho.size() == model.pairs());
  assert(model.coefs.size() == std::size_t(model.nr_class - 1) * model.total_sv);
  assert(model.kernel == LibsvmKernel::precomputed ? model.serials.size() == model.total_sv
                                                   : model.support.rows == model.total_sv);
  ModelWriter(path, model).write();
}

}  // namespace mercer
