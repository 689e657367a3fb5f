// mercer check DATA --kernel EXPR: is it a valid, useful kernel here?
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/gram_rows.hpp"
#include "mercer/validity.hpp"

namespace mercer::cli {

namespace {

constexpr const char* verdicts[] = {"valid", "not_proved", "invalid", "useless",
                                    "conditional"};  // of Validity::Verdict

Json to_json(const Validity& v, std::size_t total) {
  Json json{{"kernel", v.kernel.text()},
            {"proved_psd", v.proof.psd},
            {"proof", v.proof.because},
            {"conditional_order", v.kernel.properties().conditional_order},
            {"conditional_minimum", number(v.conditional_minimum)},
            {"symmetric", v.symmetric},
            {"rows", v.rows.size()},
            {"rows_in_data", total},
            {"min_eigenvalue", number(v.eigenvalues.front())},
            {"max_eigenvalue", number(v.eigenvalues.back())},
            {"tolerance", number(v.tolerance)},
            {"factor_error", number(v.factor_error)},
            {"effective_rank", number(v.effective_rank)},
            {"alignment", number(v.alignment)},
            {"verdict", verdicts[int(v.verdict)]},
            {"reason", v.reason},
            {"warnings", v.warnings}};
  if (v.witness)
    json["witness"] = {{"value", number(v.witness->value)},
                       {"rows", values_of(v.witness->rows, [](std::size_t row) { return row + 1; })},
                       {"coefficients", v.witness->coefficients}};
  if (v.culprit) json["culprit"] = *v.culprit;
  return json;
}

std::string witness_text(const Validity::Witness& witness) {
  constexpr std::size_t most = 6;
  std::string v;
  for (std::size_t i = 0; i < std::min(most, witness.rows.size()); ++i)
    v += fmt::format("{}{:.3g} at row {}", i ? ", " : "", witness.coefficients[i], witness.rows[i] + 1);
  if (witness.rows.size() > most) v += fmt::format(", … ({} rows)", witness.rows.size());
  return fmt::format("vᵀKv = {:.6g} for v = {}", witness.value, v);
}

void print(const Session& session, const Validity& v, const std::string& data, std::size_t total) {
  session.say(v.kernel.text());
  session.say_line("data",
                   data + (v.rows.size() < total ? fmt::format("; {} of them sampled", v.rows.size()) : ""));
  session.say_line("symmetric", v.symmetric ? "yes" : fmt::format("no: differs by {:.3g}", v.asymmetry));
  const int order = v.kernel.properties().conditional_order;
  session.say_line("proof", v.proof.psd ? "PSD: " + v.proof.because
                            : order > 0 ? "conditionally PSD: " + v.proof.because
                                        : "none: " + v.proof.because);
  session.say_line(
      "eigenvalues",
      fmt::format(
          "{:.6g} … {:.6g}{}", v.eigenvalues.front(), v.eigenvalues.back(),
          std::abs(v.eigenvalues.front()) <= v.tolerance ? " (the smallest is 0 up to rounding)" : ""));
  session.say_line("K = PᵀP", fmt::format("relative error {:.2g}", v.factor_error));
  if (v.conditional_minimum)
    session.say_line("condition",
                     fmt::format("least cᵀKc/‖c‖² with {}: {:.6g}",
                                 order == 1 ? "Σ c = 0" : "c orthogonal to 1 and to every column",
                                 *v.conditional_minimum));
  if (v.witness) session.say_line("witness", witness_text(*v.witness));
  if (v.culprit) session.say_line("culprit", *v.culprit);
  session.say_line("rank", fmt::format("{:.1f} effective, of {}", v.effective_rank, v.rows.size()));
  if (v.alignment) session.say_line("alignment", fmt::format("{:.4f} with the target", *v.alignment));
  for (const std::string& warning : v.warnings) session.say_line("warning", warning);
  session.say_line("verdict", fmt::format("{}: {}", verdicts[int(v.verdict)], v.reason));
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  struct Options {
    DataOptions data;
    std::string kernel;
    std::size_t sample = ValidityOptions{}.sample;
  };
  auto* command =
      app.add_subcommand("check", "check that a kernel is valid (positive semidefinite) and useful on data");
  auto options = std::make_shared<Options>();
  options->data.add(*command);
  add_kernel(*command, options->kernel, "kernel expression, e.g. \"rbf(gamma=scale) + linear\"");
  add_value(*command, "--sample", options->sample, "N",
            "number of rows to check; larger data are sampled with --seed")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  command->footer("Exit code 1 if the kernel is invalid or useless.");
  command->callback([&session, options] {
    const Kernel kernel = Kernel::parse(options->kernel);
    Dataset data = options->data.for_kernel(kernel).load(session);
    read_as_matrix(data, kernel);
    const double thousands = double(std::min(options->sample, data.rows())) / 1000;
    session.announce("computing all eigenvalues", 0.5 * thousands * thousands * thousands);
    const Validity v = check_kernel(kernel, data.points, data.target,
                                    {.sample = options->sample,
                                     .seed = session.seed,
                                     .threads = session.threads,
                                     .progress = session.progress()});
    print(session, v, describe(data), data.rows());
    session.answer(to_json(v, data.rows()));
    if (v.verdict == Validity::Verdict::invalid || v.verdict == Validity::Verdict::useless)
      session.exit_code = bar_not_met;
  });
}

}  // namespace mercer::cli
