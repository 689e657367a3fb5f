#include "mercer/features.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "operators/feature_count.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

using Id = FeatureAlgebra::Id;

/// Counts features; the points are known by their columns alone. A row is made only for maps.
class Counter final : public FeatureAlgebra {
 public:
  Counter(std::size_t d, const std::vector<std::string>& names, const FeatureOptions& options)
      : columns_(d), names_(names), options_(options) {}
  int terms() const override { return options_.terms; }
  Id coordinates() override { return add(BigCount(probe_ ? probe_->cols() : columns_)); }
  Id series(Id inner, const Series& series) override {
    BigCount total(0);
    for (std::size_t t = 0; t < series.coefficients.size(); ++t) {
      if (series.coefficients[t] == 0) continue;
      const BigCount D = counts_[std::size_t(inner)];
      total = total + (options_.ordered ? power(D, int(t)) : monomials(D, int(t)));
    }
    truncated |= !series.exact;
    return add(total);
  }
  Id join(std::span<const Id> parts) override {
    BigCount total(0);
    for (const Id part : parts) total = total + counts_[std::size_t(part)];
    return add(total);
  }
  Id tensor(Id a, Id b) override { return add(counts_[std::size_t(a)] * counts_[std::size_t(b)]); }
  Id weigh(Id inner, const PointFunction&) override { return inner; }
  Id normalize(Id inner) override { return inner; }
  Id mapped(const PointMap& map, const std::function<Id()>& inside) override {
    const std::optional<Points> outside =
        std::exchange(probe_, map.apply(probe_ ? *probe_ : row(), nullptr, 1));
    const Id result = inside();
    probe_ = outside;
    return result;
  }
  const BigCount& operator[](Id id) const { return counts_[std::size_t(id)]; }

  bool truncated = false;

 private:
  Id add(BigCount count) {
    counts_.push_back(std::move(count));
    return Id(counts_.size()) - 1;
  }
  Points row() const {
    if (double(columns_) * sizeof(double) > double(options_.memory))
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("a row of {} columns takes {:.3g} GB but {:.3g} GB are allowed", columns_,
                              double(columns_) * sizeof(double) / 1e9, double(options_.memory) / 1e9));
    return Points(Dense<double>{1, columns_, Buffer<double>(columns_, 0.0)}, names_);
  }

  std::size_t columns_;
  const std::vector<std::string>& names_;
  FeatureOptions options_;
  std::optional<Points> probe_;  // a row under the maps we are inside of
  std::vector<BigCount> counts_;
};

struct Table {
  std::size_t cols = 0;
  std::vector<double> values = {};      // n × cols; none: they are those of `points`
  std::vector<std::string> names = {};  // one per column: monomials of the columns, without their weights
  std::optional<Points> points = {};    // dense, float64
  std::span<const double> row(std::size_t i) const {
    if (points) return {std::get<Dense<double>>(points->storage()).row(i), cols};
    return std::span(values).subspan(i * cols, cols);
  }
};

double squared_norm(std::span<const double> u) {
  return std::inner_product(u.begin(), u.end(), u.begin(), 0.0);
}

/// "x1*x2", with brackets around what is more than a name, and without factors 1.
std::string product_name(const std::string& a, const std::string& b) {
  if (a == "1" || b == "1") return a == "1" ? b : a;
  const auto factor = [](const std::string& name) {
    return name.find_first_of("+-/ ") == std::string::npos ? name : "(" + name + ")";
  };
  return factor(a) + "*" + factor(b);
}

std::string power_name(const std::string& name, int exponent) {
  if (exponent == 0 || name == "1") return "1";
  if (exponent == 1) return name;
  const bool simple = name.find_first_of("+-*/^ ") == std::string::npos;
  return fmt::format("{}^{}", simple ? name : "(" + name + ")", exponent);
}

/// Builds the features of all points.
class Builder final : public FeatureAlgebra {
 public:
  Builder(Points points, const FeatureOptions& options) : points_(std::move(points)), options_(options) {}
  int terms() const override { return options_.terms; }

  Id coordinates() override {
    Table table{.cols = points_.cols(), .points = points_.to_dense().with_precision(Precision::float64)};
    for (std::size_t j = 0; options_.names && j < table.cols; ++j)
      table.names.push_back(points_.names().empty() ? fmt::format("x{}", j + 1) : points_.names()[j]);
    return add(std::move(table));
  }

  Id series(Id inner, const Series& series) override {
    for (const double c : series.coefficients)
      if (c < 0)
        throw Error(ErrorCode::unsupported, "a kernel with a negative coefficient has no real feature map");
    const bool first_alone = series.gaussian == 0 && series.coefficients.size() == 2 &&
                             series.coefficients[0] == 0 && series.coefficients[1] == 1;
    if (first_alone) return inner;
    const Table& in = tables_[std::size_t(inner)];
    Table out;
    std::vector<double> room(in.cols * series.coefficients.size());
    for (std::size_t i = 0; i < n(); ++i) {
      if (i == 1) out.values.reserve(n() * out.values.size());
      const std::span<const double> u = in.row(i);
      double weight = 1;
      if (series.gaussian > 0) weight = std::exp(-series.gaussian * squared_norm(u));
      for (std::size_t t = 0; t < series.coefficients.size(); ++t)
        if (series.coefficients[t] > 0)
          monomials_of(u, 0, int(t), weight * std::sqrt(series.coefficients[t]), room.data(), out.values);
    }
    out.cols = n() ? out.values.size() / n() : 0;
    for (std::size_t t = 0; options_.names && n() > 0 && t < series.coefficients.size(); ++t)
      if (series.coefficients[t] > 0) monomial_names(in.names, 0, int(t), "1", out.names);
    return add(std::move(out));
  }

  Id join(std::span<const Id> parts) override {
    Table out;
    for (std::size_t i = 0; i < n(); ++i)
      for (const Id part : parts) {
        const std::span<const double> row = tables_[std::size_t(part)].row(i);
        out.values.insert(out.values.end(), row.begin(), row.end());
      }
    for (const Id part : parts) {
      const Table& one = tables_[std::size_t(part)];
      out.cols += one.cols;
      out.names.insert(out.names.end(), one.names.begin(), one.names.end());
    }
    return add(std::move(out));
  }

  Id tensor(Id a, Id b) override {
    const Table &left = tables_[std::size_t(a)], &right = tables_[std::size_t(b)];
    Table out{.cols = left.cols * right.cols};
    out.values.reserve(n() * out.cols);
    for (std::size_t i = 0; i < n(); ++i)
      for (const double p : left.row(i))
        for (const double q : right.row(i)) out.values.push_back(p * q);
    for (const std::string& p : left.names)
      for (const std::string& q : right.names) out.names.push_back(product_name(p, q));
    return add(std::move(out));
  }

  Id weigh(Id inner, const PointFunction& function) override {
    return scale_rows(inner, function.apply(points_));
  }

  Id normalize(Id inner) override {
    const Table& in = tables_[std::size_t(inner)];
    std::vector<double> factors;
    for (std::size_t i = 0; i < n(); ++i) {
      const double norm = squared_norm(in.row(i));
      factors.push_back(norm > 0 ? 1 / std::sqrt(norm) : 0);
    }
    return scale_rows(inner, factors);
  }

  Id mapped(const PointMap& map, const std::function<Id()>& inside) override {
    const Points outside = std::exchange(points_, map.apply(points_, nullptr, 1));
    const Id result = inside();
    points_ = outside;
    return result;
  }

  Points result(Id id) const {
    const Table& table = tables_[std::size_t(id)];
    if (table.points && (table.names.empty() || table.points->names() == table.names)) return *table.points;
    Dense<double> dense{n(), table.cols, Buffer<double>(n() * table.cols)};
    for (std::size_t i = 0; i < n(); ++i)
      std::ranges::copy(table.row(i), dense.values.data() + i * table.cols);
    return Points(std::move(dense), table.names);
  }

 private:
  std::size_t n() const { return points_.rows(); }
  Id add(Table table) {
    tables_.push_back(std::move(table));
    return Id(tables_.size()) - 1;
  }
  Id scale_rows(Id inner, const std::vector<double>& factors) {
    const Table& in = tables_[std::size_t(inner)];
    Table out{.cols = in.cols, .names = in.names};
    out.values.reserve(n() * in.cols);
    for (std::size_t i = 0; i < n(); ++i)
      for (const double value : in.row(i)) out.values.push_back(factors[i] * value);
    return add(std::move(out));
  }

  // Appends √(multinomial) · Π uₖ^eₖ for all exponents e of total `left` over coordinates from `first` on.
  // Where coordinate k takes e of the `left` remaining factors the multinomial gains C(left, e).
  // Ordered: every sequence of coordinates by itself, with weight 1. `room`: left + 1 numbers for each
  // coordinate.
  void monomials_of(std::span<const double> u, std::size_t first, int left, double product, double* room,
                    std::vector<double>& out) const {
    if (left == 0) {
      out.push_back(product);
      return;
    }
    if (options_.ordered) {
      for (const double value : u) monomials_of(u, 0, left - 1, product * value, room, out);
      return;
    }
    if (first == u.size()) return;
    const bool last = first + 1 == u.size();
    double factor = 1, binomial = 1;
    for (int e = 0; e <= left; ++e) {
      room[e] = std::sqrt(binomial) * factor;
      binomial *= double(left - e) / (e + 1);
      factor *= u[first];
    }
    for (int e = left; e >= (last ? left : 0); --e)  // x₁², √2 x₁x₂, x₂²
      monomials_of(u, first + 1, left - e, product * room[e], room + left + 1, out);
  }

  // The names in the order of monomials_of.
  void monomial_names(const std::vector<std::string>& u, std::size_t first, int left,
                      const std::string& product, std::vector<std::string>& out) const {
    if (left == 0) {
      out.push_back(product);
      return;
    }
    if (options_.ordered) {
      for (const std::string& name : u) monomial_names(u, 0, left - 1, product_name(product, name), out);
      return;
    }
    if (first == u.size()) return;
    for (int e = left; e >= (first + 1 == u.size() ? left : 0); --e)
      monomial_names(u, first + 1, left - e, product_name(product, power_name(u[first], e)), out);
  }

  Points points_;
  FeatureOptions options_;
  std::vector<Table> tables_;
};

void check(const FeatureOptions& options) {
  if (options.terms < 1 || options.terms > 1000)
    throw Error::of_parameter("", "terms", "must be from 1 to 1000", fmt::format("{}", options.terms));
}

}  // namespace

FeatureCount count_features(const Kernel& kernel, std::size_t d, const FeatureOptions& options,
                            const std::vector<std::string>& names) {
  check(options);
  Counter counter(d, names, options);
  const BigCount& count = counter[kernel.node().features(counter)];
  return {.exact = count.digits(), .log10 = count.log10(), .truncated = counter.truncated};
}

Points explicit_features(const Kernel& kernel, const Points& points, const FeatureOptions& options) {
  check(options);
  const Kernel resolved = kernel.resolve(points);
  const FeatureCount count = count_features(resolved, points.cols(), options, points.names());
  const double bytes = std::pow(10, count.log10) * double(points.rows()) * 8 * 2;  // built once, copied once
  if (bytes > double(options.memory))
    throw Error(ErrorCode::out_of_memory,
                fmt::format("{} features of {} rows would take {:.3g} GB but {:.3g} GB are allowed",
                            count.exact.value_or(fmt::format("10^{:.1f}", count.log10)), points.rows(),
                            bytes / 1e9, double(options.memory) / 1e9),
                {.hint = "use the kernel instead of its features"});
  Builder builder(points, options);
  Points built = builder.result(resolved.node().features(builder));
  if (!built.borrowed()) return built;
  std::vector<std::size_t> all(built.rows());  // the caller's memory may change
  std::iota(all.begin(), all.end(), std::size_t(0));
  return built.select_rows(all);
}

}  // namespace mercer
