#include "operators/explicit_map.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "mercer/error.hpp"
#include "mercer/features.hpp"

namespace mercer {

namespace {

class ExplicitMap final : public DenseMap {
 public:
  ExplicitMap(Kernel kernel, std::size_t features) : kernel_(std::move(kernel)), features_(features) {}
  std::size_t features() const noexcept override { return features_; }
  bool exact() const noexcept override { return true; }

  void apply(const Points& points, int threads, double* out) const override {
    for_row_blocks(points.rows(), threads, [&](Range rows) {
      std::vector<std::size_t> chosen(rows.size());
      std::iota(chosen.begin(), chosen.end(), rows.begin);
      const Points built = explicit_features(kernel_, points.select_rows(chosen),
                                             {.memory = std::numeric_limits<std::size_t>::max()});
      std::ranges::copy(std::get<Dense<double>>(built.storage()).values, out + rows.begin * features_);
    });
  }

 private:
  Kernel kernel_;
  std::size_t features_;
};

}  // namespace

std::unique_ptr<const DenseMap> explicit_map(const Kernel& kernel, std::size_t columns,
                                             const std::vector<std::string>& names, std::size_t memory) {
  const FeatureCount count = count_features(kernel, columns, {.memory = memory}, names);
  if (count.truncated)
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("{} has infinitely many features, so there is no explicit map of it", kernel.text()),
        {.hint = "nystrom:COUNT takes any kernel, fourier:COUNT many that are translation invariant"});
  if (8 * std::pow(10, count.log10) > double(memory))
    throw Error(
        ErrorCode::out_of_memory,
        fmt::format("{} has {} features, which for one row alone take over {:.3g} GB", kernel.text(),
                    count.exact.value_or(fmt::format("10^{:.1f}", count.log10)), double(memory) / 1e9),
        {.hint = "nystrom:COUNT or sketch:COUNT take as many as you say"});
  return std::make_unique<ExplicitMap>(kernel, std::stoull(*count.exact));
}

}  // namespace mercer
