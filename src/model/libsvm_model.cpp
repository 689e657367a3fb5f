#include "model/libsvm_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <numeric>

#include "data/libsvm_entry.hpp"

namespace mercer {

namespace {

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

}  // namespace

const char* read_model_keys(const TextSource& source, LibsvmModel& model) {
  return KeyReader(source).read(model);
}

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

}  // namespace mercer
