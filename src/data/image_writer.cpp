// A column of images as a folder of PNG files, in a folder for each class. The whole folder is written under
// another name and then renamed, so that it is there with all images or not at all.
#include <fmt/format.h>

#include <filesystem>

#include "base/file.hpp"
#include "base/folder.hpp"
#include "data/image.hpp"
#include "data/writers.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_images(ErrorCode code, const std::string& name, const std::string& what) {
  throw Error(code, what, {.file = name});
}

const Images& checked_images(const std::string& path, const Dataset& data) {
  if (path == "-")
    refuse_images(ErrorCode::invalid_argument, "standard output", "images are written as a folder; name one");
  if (data.points.cols() > 0 || data.points.objects().size() != 1 ||
      data.points.objects().front().domain() != Domain::image)
    refuse_images(
        ErrorCode::invalid_argument, path,
        "a folder of images holds one column of images and nothing else; name a .csv file or another format");
  if (data.target.task == Task::regression || !data.weights.empty() || !data.queries.empty())
    refuse_images(ErrorCode::invalid_argument, path,
                  "a folder of images has classes alone, no numbers to learn, weights or queries");
  for (const std::string& label : data.target.labels)
    if (label.empty() || label.starts_with('.') || label.find('/') != label.npos ||
        label.find('\0') != label.npos)
      refuse_images(ErrorCode::invalid_argument, path,
                    fmt::format("class '{}' cannot be the name of a folder", label));
  return data.points.objects().front().images();
}

}  // namespace

void write_images(const std::string& path, const Dataset& data) {
  const Images& images = checked_images(path, data);
  const bool classified = data.target.task == Task::classification;
  AtomicFolder folder(path);
  if (classified)
    for (const std::string& label : data.target.labels) fs::create_directory(folder.place() / label);
  const std::size_t digits = std::max<std::size_t>(4, fmt::formatted_size("{}", images.rows()));
  for (std::size_t i = 0; i < images.rows(); ++i) {
    if (images.heights[i] == 0 || images.widths[i] == 0)
      refuse_images(ErrorCode::file_access, path, fmt::format("image {} has no pixels", i + 1));
    const fs::path place =
        classified ? folder.place() / data.target.labels[std::size_t(data.target.codes[i])] : folder.place();
    AtomicFile file((place / fmt::format("{:0{}}.png", i + 1, digits)).string());
    const std::span<const std::uint8_t> pixels(images.pixels.data() + images.starts[i],
                                               images.starts[i + 1] - images.starts[i]);
    file.write(encode_png(pixels, images.heights[i], images.widths[i], images.channels));
    file.commit();
  }
  folder.commit();
}

}  // namespace mercer
