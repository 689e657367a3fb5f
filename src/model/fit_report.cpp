#include <fmt/format.h>

#include <algorithm>

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

namespace {

struct CertificateWords {
  std::string_view name, label;
};
constexpr CertificateWords certificates[] = {
    {"", ""},  // in the order of CertificateKind
    {"kkt_violation", "violation"},
    {"relative_residual", "relative residual"},
    {"normal_equations_residual", "residual of the normal equations"},
    {"gradient_norm", "gradient norm"},
    {"objective_change", "last change of the objective"}};

}  // namespace

std::string_view name_of(CertificateKind kind) noexcept { return certificates[std::size_t(kind)].name; }
std::string_view label_of(CertificateKind kind) noexcept { return certificates[std::size_t(kind)].label; }

const Diagnostic* FitReport::diagnostic(std::string_view id) const noexcept {
  const auto found = std::ranges::find(diagnostics, id, &Diagnostic::id);
  return found == diagnostics.end() ? nullptr : &*found;
}

}  // namespace mercer
