#include "operators/exact_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/copy_of.hpp"
#include "kernels/linear_form.hpp"
#include "kernels/node.hpp"
#include "kernels/object_column.hpp"
#include "mercer/error.hpp"
#include "mercer/features.hpp"
#include "mercer/user_kernel.hpp"

namespace mercer {

namespace {

using Id = FeatureAlgebra::Id;

struct NoSparseFeatures {};

/// Sparse rows over the columns that the reference has, and ‖φ(x)‖² over all.
struct Rows {
  Sparse<double> known;
  std::vector<double> norms;
};

/// Writes down sparse features; NoSparseFeatures where a part of the kernel has none.
class SparseBuilder final : public FeatureAlgebra {
 public:
  /// `known`: the reference points under each map, in the order in which they are met; empty: `points` are
  /// the reference, and they are collected there.
  SparseBuilder(const Points& points, std::vector<Points>& known, int threads)
      : points_(points), known_(known), is_reference_(known.empty()), threads_(threads) {}

  int terms() const override { return 2; }
  Id coordinates() override {
    if (points_.cols() == 0 && !points_.objects().empty())
      throw NoSparseFeatures{};  // a kernel of numbers that sees words or pixels
    const Points* reference = in_.empty() ? nullptr : in_.back();
    const std::size_t cols = reference ? reference->cols() : points_.cols();
    const Points sparse = points_.to_sparse().with_precision(Precision::float64);
    const auto& all = std::get<Sparse<double>>(sparse.storage());
    Rows rows{{all.rows, cols, Buffer<std::size_t>(all.rows + 1), Buffer<std::int32_t>(all.indices.size()),
               Buffer<double>(all.values.size())},
              std::vector<double>(all.rows)};
    std::size_t out = 0;
    rows.known.starts[0] = 0;
    for (std::size_t i = 0; i < all.rows; ++i) {
      for (std::size_t e = all.starts[i]; e < all.starts[i + 1]; ++e) {
        rows.norms[i] += all.values[e] * all.values[e];
        if (std::size_t(all.indices[e]) >= cols) continue;
        rows.known.indices[out] = all.indices[e];
        rows.known.values[out++] = all.values[e];
      }
      rows.known.starts[i + 1] = out;
    }
    return add(trimmed(std::move(rows), out));
  }
  Id series(Id inner, const Series& series) override {
    const auto& c = series.coefficients;
    if (series.gaussian != 0 || c.size() < 2 || c[0] != 0 || c[1] < 0 ||
        std::any_of(c.begin() + 2, c.end(), [](double v) { return v != 0; }))
      throw NoSparseFeatures{};
    return c[1] == 1 ? inner : weighed(inner, std::vector<double>(points_.rows(), std::sqrt(c[1])));
  }
  Id join(std::span<const Id> parts) override {
    const std::size_t n = points_.rows();
    Rows out{{n, 0, Buffer<std::size_t>(n + 1), {}, {}}, std::vector<double>(n)};
    std::size_t stored = 0;
    for (const Id part : parts) {
      out.known.cols += rows_[std::size_t(part)].known.cols;
      stored += rows_[std::size_t(part)].known.values.size();
    }
    out.known.indices = Buffer<std::int32_t>(stored);
    out.known.values = Buffer<double>(stored);
    std::size_t at = 0;
    out.known.starts[0] = 0;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t first = 0;
      for (const Id part : parts) {
        const Rows& in = rows_[std::size_t(part)];
        for (std::size_t e = in.known.starts[i]; e < in.known.starts[i + 1]; ++e) {
          out.known.indices[at] = std::int32_t(first + std::size_t(in.known.indices[e]));
          out.known.values[at++] = in.known.values[e];
        }
        first += in.known.cols;
        out.norms[i] += in.norms[i];
      }
      out.known.starts[i + 1] = at;
    }
    return add(std::move(out));
  }
  Id tensor(Id, Id) override { throw NoSparseFeatures{}; }
  Id weigh(Id inner, const PointFunction& function) override {
    return weighed(inner, function.apply(points_));
  }
  Id normalize(Id inner) override {
    std::vector<double> factors;
    for (const double norm : rows_[std::size_t(inner)].norms)
      factors.push_back(norm > 0 ? 1 / std::sqrt(norm) : 0);
    return weighed(inner, factors);
  }
  Id mapped(const PointMap& map, const std::function<Id()>& inside) override {
    if (map.looks_at_all) throw NoSparseFeatures{};  // weights of the reference points change with them
    if (!is_reference_) in_.push_back(&known_[next_++]);
    const Points outside =
        std::exchange(points_, map.apply(points_, is_reference_ ? nullptr : in_.back(), threads_));
    if (is_reference_) known_.push_back(points_);
    const Id result = inside();
    points_ = outside;
    if (!is_reference_) in_.pop_back();
    return result;
  }

  Rows result(Id id) { return std::move(rows_[std::size_t(id)]); }

 private:
  Id add(Rows rows) {
    rows_.push_back(std::move(rows));
    return Id(rows_.size()) - 1;
  }
  static Rows trimmed(Rows rows, std::size_t stored) {
    if (stored == rows.known.values.size()) return rows;
    Buffer<std::int32_t> indices(stored);
    Buffer<double> values(stored);
    std::copy_n(rows.known.indices.begin(), stored, indices.begin());
    std::copy_n(rows.known.values.begin(), stored, values.begin());
    rows.known.indices = std::move(indices);
    rows.known.values = std::move(values);
    return rows;
  }
  Id weighed(Id inner, const std::vector<double>& factors) {
    const Rows& in = rows_[std::size_t(inner)];
    Rows out{{in.known.rows, in.known.cols, copy_of(in.known.starts), copy_of(in.known.indices),
              Buffer<double>(in.known.values.size())},
             in.norms};
    for (std::size_t i = 0; i < in.known.rows; ++i) {
      out.norms[i] *= factors[i] * factors[i];
      for (std::size_t e = in.known.starts[i]; e < in.known.starts[i + 1]; ++e)
        out.known.values[e] = in.known.values[e] * factors[i];
    }
    return add(std::move(out));
  }

  Points points_;
  std::vector<Points>& known_;
  const bool is_reference_;
  const int threads_;
  std::size_t next_ = 0;
  std::vector<const Points*> in_;  // the reference points under the maps we are inside of
  std::vector<Rows> rows_;
};

class ColumnMap final : public RowMap {
 public:
  ColumnMap(const LinearForm& form, std::size_t features) : form_(form), features_(features) {}
  std::size_t features() const noexcept override { return features_; }
  bool exact() const noexcept override { return true; }
  Points rows_of(const Points& points, int) const override { return form_.features(points); }
  std::optional<Points> points_of(const Dense<double>& weights, const Points& like) const override {
    return form_.points_of(weights, like);
  }

 private:
  LinearForm form_;
  std::size_t features_;
};

class SparseMap final : public RowMap {
 public:
  SparseMap(const Kernel& kernel, std::vector<Points> images, std::size_t features)
      : kernel_(kernel), images_(std::move(images)), features_(features) {}
  std::size_t features() const noexcept override { return features_; }
  bool exact() const noexcept override { return true; }
  Points rows_of(const Points& points, int threads) const override {
    std::vector<Points> images = images_;
    SparseBuilder builder(points, images, threads);
    return Points(std::move(builder.result(kernel_.node().features(builder)).known));
  }

 private:
  Kernel kernel_;
  std::vector<Points> images_;  // the reference points under each map, in the order met
  std::size_t features_;
};

class ExplicitMap final : public DenseMap {
 public:
  ExplicitMap(Kernel kernel, std::size_t features) : kernel_(std::move(kernel)), features_(features) {}
  std::size_t features() const noexcept override { return features_; }
  bool exact() const noexcept override { return true; }

  Points rows_of(const Points& points, int threads) const override {
    return whole() ? built(points) : DenseMap::rows_of(points, threads);
  }
  void apply(const Points& points, int threads, double* out) const override {
    const auto build = [&](const Points& some, double* to) {
      const Points image = built(some);
      std::ranges::copy(std::get<Dense<double>>(image.storage()).values, to);
    };
    if (whole()) return build(points, out);
    for_row_blocks(points.rows(), threads,
                   [&](Range rows) { build(rows_between(points, rows), out + rows.begin * features_); });
  }

 private:
  bool whole() const {
    return !user_functions(kernel_).empty();
  }  // functions of programs see all rows at once
  Points built(const Points& points) const {
    return explicit_features(kernel_, points,
                             {.memory = std::numeric_limits<std::size_t>::max(), .names = false});
  }

  Kernel kernel_;
  std::size_t features_;
};

}  // namespace

std::shared_ptr<const RowMap> column_map(const Kernel& kernel, const Points& points) {
  const auto form = LinearForm::of(kernel);
  if (!form || (points.cols() == 0 && !points.objects().empty())) return nullptr;
  return std::make_shared<ColumnMap>(*form, form->columns(points));
}

SparseFeatures sparse_map(const Kernel& kernel, const Points& reference, int threads) {
  if (reference.objects().empty()) return {};
  try {
    std::vector<Points> images;
    SparseBuilder builder(reference, images, threads);
    Points rows(std::move(builder.result(kernel.node().features(builder)).known));
    auto map = std::make_shared<SparseMap>(kernel, std::move(images), rows.cols());
    return {std::move(map), std::move(rows)};
  } catch (const NoSparseFeatures&) {
    return {};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::usage) return {};  // no explicit features at all
    throw;
  }
}

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
