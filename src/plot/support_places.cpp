#include "plot/support_places.hpp"

#include <algorithm>
#include <numeric>

namespace mercer {

namespace {

// The points of the expansion with a coefficient that is not 0; some kernels make a model keep the others as
// well.
std::vector<std::size_t> supporting(const Expansion& e) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < e.points.rows(); ++i) {
    const auto coefficients = std::span(e.coefficients).subspan(i * e.width, e.width);
    if (std::ranges::any_of(coefficients, [](double c) { return c != 0; })) rows.push_back(i);
  }
  return rows;
}

bool keeps_them(const Model& model) {
  const Expansion& e = model.fitted.expansion;
  return has_support_vectors(model) && !model.map && e.points.cols() == model.columns &&
         e.points.rows() >= model.fitted.report.support_vectors;
}

}  // namespace

bool has_support_vectors(const Model& model) {
  return model.fitted.report.certificate == CertificateKind::kkt_violation;
}

std::optional<std::vector<double>> support_places(const Model& model, std::span<const std::size_t> columns) {
  const std::optional<Points> rows = support_rows(model);
  if (!rows) return std::nullopt;
  std::vector<double> places, row(rows->cols());
  for (std::size_t i = 0; i < rows->rows(); ++i) {
    rows->copy_row(i, row);
    for (const std::size_t column : columns) places.push_back(row[column]);
  }
  return places;
}

// The scaling is undone: x ↦ x / scale + shift.
std::optional<Points> support_rows(const Model& model) {
  if (!keeps_them(model)) return std::nullopt;
  const Points scaled = model.fitted.expansion.points.select_rows(supporting(model.fitted.expansion));
  const std::vector<double>&shift = model.scaling.shift(), &scale = model.scaling.scale();
  if (scale.empty()) return scaled;
  Dense<double> rows{scaled.rows(), scaled.cols(), Buffer<double>(scaled.rows() * scaled.cols())};
  for (std::size_t i = 0; i < rows.rows; ++i) {
    double* row = rows.values.data() + i * rows.cols;
    scaled.copy_row(i, {row, rows.cols});
    for (std::size_t j = 0; j < rows.cols; ++j) row[j] = row[j] / scale[j] + (shift.empty() ? 0 : shift[j]);
  }
  return Points(std::move(rows), scaled.names());
}

}  // namespace mercer
