// mercer plot KIND …: one picture alone.
#include "cli/plot.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"
#include "mercer/error.hpp"
#include "mercer/file.hpp"

namespace mercer::cli {

void PictureFile::add(CLI::App& command) {
  kind_ = command.get_name();
  path_ = kind_ + ".svg";
  command.add_option("-o,--output", path_, "SVG file")->capture_default_str()->type_name("FILE");
}

void PictureFile::check() const {
  if (!path_.ends_with(".svg") || path_ == ".svg") throw Error(ErrorKind::usage, fmt::format("-o {}: pictures are SVG; the name must end in .svg", path_));
}

void PictureFile::write(const Session& session, const std::string& svg, Json facts) const {
  write_file(path_, svg);
  session.say(fmt::format("{}: {:.0f} kB", path_, std::ceil(double(svg.size()) / 1000)));
  Json json{{"kind", kind_}, {"file", path_}, {"bytes", svg.size()}};
  json.update(facts);
  session.answer(json);
}

void add_plot(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("plot", "draw a picture of data, of a search or of a model");
  command->require_subcommand(1);
  command->footer("mercer plot KIND --help explains a kind.");
  for (const auto add : plots) add(*command, session);
}

}  // namespace mercer::cli
