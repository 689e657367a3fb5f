#include "mercer/loss.hpp"

#include <fmt/format.h>

#include <cmath>

#include "losses/loss_of.hpp"
#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

constexpr double most_code = 2147483647;  // codes of classes are std::int32_t

struct TargetWords {
  std::string_view name, range;
} constexpr target_words[] = {{"real", "a finite number"},
                              {"counts", "a count, ≥ 0"},
                              {"signs", "-1 or 1"},
                              {"classes", "the number of a class: 0, 1, …"}};  // as LossTarget

bool takes(LossTarget target, double y, std::optional<std::size_t> classes) {
  if (target == LossTarget::signs) return y == -1 || y == 1;
  if (target == LossTarget::classes)
    return y >= 0 && y == std::floor(y) && (classes ? y < double(*classes) : y <= most_code);
  return std::isfinite(y) && (target == LossTarget::real || y >= 0);
}

}  // namespace

std::string_view target_name(LossTarget target) { return target_words[int(target)].name; }
std::string_view target_range(LossTarget target) { return target_words[int(target)].range; }

namespace {

/// Of each point the target and its k entries of f.
void each_point(std::span<const double> y, std::span<const double> f, auto&& use) {
  const std::size_t k = y.empty() ? 1 : f.size() / y.size();
  for (std::size_t i = 0; i < y.size(); ++i) use(i, i * k, k);
}

}  // namespace

void Loss::values(std::span<const double> y, std::span<const double> f, std::span<double> out) const {
  each_point(y, f,
             [&](std::size_t i, std::size_t at, std::size_t k) { out[i] = value(y[i], f.subspan(at, k)); });
}

void Loss::derivatives(std::span<const double> y, std::span<const double> f, std::span<double> g) const {
  each_point(y, f, [&](std::size_t i, std::size_t at, std::size_t k) {
    derivative(y[i], f.subspan(at, k), g.subspan(at, k));
  });
}

void Loss::curvatures(std::span<const double> y, std::span<const double> f, std::span<double> s,
                      std::span<double> u) const {
  each_point(y, f, [&](std::size_t i, std::size_t at, std::size_t k) {
    curvature(y[i], f.subspan(at, k), s.subspan(at, k), u.subspan(at, k));
  });
}

std::vector<std::string_view> loss_names() {
  std::vector<std::string_view> names;
  for (const AnyLoss& loss : losses()) names.push_back(loss->name());
  return names;
}

const AnyLoss& loss_named(std::string_view name) {
  std::vector<std::string> known;
  for (const AnyLoss& loss : losses()) {
    if (loss->name() == name) return loss;
    known.emplace_back(loss->name());
  }
  throw Error(ErrorCode::unknown_name, fmt::format("unknown loss '{}'", name),
              {.hint = suggestion(name, known)});
}

void check_targets(const Loss& loss, std::span<const double> y, std::optional<std::size_t> classes) {
  const LossTarget target = loss.target();
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (takes(target, y[i], classes)) continue;
    const bool counted = target == LossTarget::classes && classes;
    throw Error(
        ErrorCode::invalid_data, fmt::format("row {} has the target {:g}", i + 1, y[i]),
        {.owner = std::string(loss.name()),
         .hint = fmt::format("it must be {}",
                             counted ? fmt::format("the number of one of {} classes, from 0", *classes)
                                     : std::string(target_range(target)))});
  }
}

void refuse_loss_parameter(const Loss& loss, std::string_view parameter) {
  std::vector<std::string> known;
  for (const LossParameter& one : loss.parameters()) known.emplace_back(one.name);
  throw Error(ErrorCode::unknown_name, fmt::format("{} has no parameter '{}'", loss.name(), parameter),
              {.hint = known.empty() ? "it has none" : suggestion(parameter, known)});
}

void assign_loss_parameter(const Loss& loss, const LossParameter& parameter, double& value, double given) {
  if (!parameter.interval.contains(given))
    throw Error::of_parameter(loss.name(), parameter.name, fmt::format("must be {}", parameter.interval.text),
                              fmt::format("{:g}", given));
  value = given;
}

}  // namespace mercer
