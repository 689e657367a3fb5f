#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "mercer/fit.hpp"

namespace mercer {

std::string value_label(const Diagnostic& diagnostic, std::size_t value) {
  if (!diagnostic.names.empty())
    return fmt::format("{}{}{}", diagnostic.label, diagnostic.label.empty() ? "" : " ",
                       diagnostic.names[value]);
  return diagnostic.values.size() == 1 && !diagnostic.list
             ? diagnostic.label
             : fmt::format("{} {}", diagnostic.label, value + 1);
}

std::string_view name_of(CertificateKind kind) noexcept {
  static constexpr std::array<std::string_view, 6> names{"",
                                                         "kkt_violation",
                                                         "relative_residual",
                                                         "normal_equations_residual",
                                                         "gradient_norm",
                                                         "objective_change"};
  return names[std::size_t(kind)];
}

std::string_view label_of(CertificateKind kind) noexcept {
  static constexpr std::array<std::string_view, 6> labels{"",
                                                          "violation",
                                                          "relative residual",
                                                          "residual of the normal equations",
                                                          "gradient norm",
                                                          "last change of the objective"};
  return labels[std::size_t(kind)];
}

const Diagnostic* FitReport::diagnostic(std::string_view id) const noexcept {
  const auto found = std::ranges::find(diagnostics, id, &Diagnostic::id);
  return found == diagnostics.end() ? nullptr : &*found;
}

}  // namespace mercer
