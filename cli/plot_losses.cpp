// mercer plot losses [NAMES]: losses as functions of the margin, the residual or the answer.
#include <memory>

#include "cli/plot.hpp"
#include "mercer/pictures.hpp"

namespace mercer::cli {

void add_plot_losses(CLI::App& plot, Session& session) {
  struct Options {
    std::vector<std::string> names;
    PictureFile file;
  };
  auto* command = plot.add_subcommand("losses", "losses as functions of the margin or the residual");
  auto options = std::make_shared<Options>();
  command->add_option("NAMES", options->names, "losses to plot ('mercer losses' lists all); default: all")
      ->type_name("LOSS");
  options->file.add(*command);
  command->callback([&session, options] {
    options->file.check();
    std::vector<AnyLoss> chosen;
    for (const std::string& name : options->names) chosen.push_back(loss_named(name));
    if (chosen.empty()) chosen = losses();
    Json names = Json::array();
    for (const AnyLoss& loss : chosen) names.push_back(loss->name());
    options->file.write(session, loss_picture(chosen), {{"losses", names}});
  });
}

}  // namespace mercer::cli
