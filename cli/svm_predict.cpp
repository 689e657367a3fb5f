// mercer svm-predict: LIBSVM's svm-predict, with its flags, printed lines and output files.
#include <fmt/format.h>

#include "cli/gram_rows.hpp"
#include "cli/commands.hpp"
#include "cli/libsvm_flags.hpp"
#include "cli/data_options.hpp"
#include "mercer/file.hpp"

namespace mercer::cli {

namespace {

constexpr const char* predict_usage =
    "Usage: svm-predict [options] test_file model_file output_file\n"
    "  -b 0|1  print probability estimates: of each class, of inliers and outliers, or the noise of a "
    "regression "
    "(a model trained with -b 1)\n"
    "  -q      quiet mode";

bool has_probabilities(const Model& model) {
  return !model.fitted.slopes.empty() || model.fitted.noise_scale || !model.fitted.density_marks.empty();
}

std::string lines(const Model& model, const Predictions& p, std::size_t n) {
  std::string text;
  const std::size_t width = n > 0 ? p.probabilities.size() / n : 0;
  if (width > 0) {
    text = model.labels.empty() ? "labels normal outlier" : "labels";
    for (const std::string& label : model.labels) text += " " + label;
    text += '\n';
  }
  for (std::size_t i = 0; i < n; ++i) {
    text += p.codes.empty() ? g17(p.values[i]) : model.labels[std::size_t(p.codes[i])];
    for (std::size_t c = 0; c < width; ++c) text += " " + g6(p.probabilities[i * width + c]);
    text += '\n';
  }
  return text;
}

void print_quality(const Model& model, const Dataset& data, const Predictions& p) {
  const std::size_t n = data.rows();
  if (model.fitted.rule != Rule::value) {
    std::size_t right = 0;
    if (!p.codes.empty()) {
      const auto truth = codes_in(model, data.target);
      for (std::size_t i = 0; i < n; ++i) right += p.codes[i] == truth[i];
    } else {
      const std::vector<double> truth = data.target.numbers();
      for (std::size_t i = 0; i < n; ++i) right += p.values[i] == truth[i];
    }
    fmt::print("Accuracy = {}% ({}/{}) (classification)\n", g6(100.0 * double(right) / double(n)), right, n);
    return;
  }
  const LibsvmFit fit = libsvm_fit(data.target.values, p.values);
  fmt::print("Mean squared error = {} (regression)\nSquared correlation coefficient = {} (regression)\n",
             g6(fit.squared_error), g6(fit.squared_correlation));
}

}  // namespace

void add_svm_predict(CLI::App& app, Session& session) {
  add_libsvm_command(
      app, "svm-predict", "LIBSVM's svm-predict: its flags and output", predict_usage,
      [&session](const std::vector<std::string>& arguments) {
        LibsvmFlags flags("svm-predict", arguments, predict_usage);
        bool probabilities = false, quiet = session.quiet;
        flags.read({{"b", [&] { probabilities = flags.on(); }}, {"q", [&] { quiet = true; }}});
        const auto files = flags.files(3, 3);
        Model model = Model::load(files[1]);
        if (probabilities && !has_probabilities(model))
          throw Error(ErrorCode::unsupported,
                      files[1] + ": the model has no probabilities; train it with -b 1");
        if (!quiet && !probabilities && has_probabilities(model))
          fmt::print("Model supports probability estimates, but disabled in prediction.\n");
        if (!quiet && probabilities && model.fitted.noise_scale)
          print_noise(*model.fitted.noise_scale, "sigma=");
        // Then the votes decide, not the probabilities.
        if (!probabilities) model.fitted.slopes.clear(), model.fitted.density_marks.clear();
        const bool from_zero = model.schema.first_index == 0;
        Dataset data = read(
            files[0], {.format = Format::libsvm,
                       .task = model.fitted.rule == Rule::value ? Task::regression : Task::classification,
                       .columns = libsvm_columns(model.kernel(), model.columns, from_zero),
                       .from_zero = from_zero,
                       .threads = session.threads});
        read_as_matrix(data, model.kernel(), model.columns);
        const Model wide = widened_for(model, data);
        const Predictions p = wide.predict(data.points, session.threads, session.progress());
        write_file(files[2], lines(wide, p, data.rows()));
        if (!quiet) print_quality(wide, data, p);
      });
}

}  // namespace mercer::cli
