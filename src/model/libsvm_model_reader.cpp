#include <fmt/format.h>

#include <algorithm>

#include "data/chunks.hpp"
#include "data/libsvm_entry.hpp"
#include "model/libsvm_model.hpp"

namespace mercer {

namespace {

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

}  // namespace

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

}  // namespace mercer
