// A folder of images, with a folder inside it for each class: the files in the order of their names, decoded
// by many tasks at once. All images get as many channels as the richest of them has, so that grey ones can be
// compared with coloured ones.
// Written are PNG files, all of them or none.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "data/formats.hpp"
#include "data/image.hpp"
#include "data/label_column.hpp"
#include "mercer/file.hpp"

namespace mercer {

namespace {

namespace fs = std::filesystem;

struct Listing {
  std::vector<std::string> files;    // images, each by the path to open
  std::vector<std::int32_t> codes;   // the class of each, where there are classes
  std::vector<std::string> classes;  // the folders, in the order of labels
  std::vector<std::string> others;   // neither images nor folders of them
};

/// Those that begin with a dot are not shown, as everywhere.
std::vector<std::string> names_shown(const fs::path& folder) {
  std::error_code fault;
  std::vector<std::string> names = names_in(folder, fault);
  if (fault) refuse_file(folder.string(), fmt::format("cannot be read: {}", fault.message()));
  std::erase_if(names, [](const std::string& name) { return name.starts_with('.'); });
  return names;
}

bool is_image_name(const std::string& name) { return format_by_extension(name) == Format::images; }

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

void list_class(const fs::path& folder, std::int32_t code, Listing& listing) {
  const std::size_t before = listing.files.size();
  for (const std::string& name : names_shown(folder)) {
    const fs::path path = folder / name;
    if (is_folder(path) || !is_image_name(name)) {
      listing.others.push_back(path.string());
    } else {
      listing.files.push_back(path.string());
      listing.codes.push_back(code);
    }
  }
  if (listing.files.size() == before)
    refuse_file(folder.string(), "holds no images (.png, .ppm, .pgm), but each folder is a class",
                "remove it or put images there");
}

Listing list_images(const std::string& path) {
  if (!is_folder(path)) return {{path}, {}, {}, {}};
  Listing listing;
  for (const std::string& name : names_shown(path)) {
    const fs::path inside = fs::path(path) / name;
    if (is_folder(inside))
      listing.classes.push_back(name);
    else
      (is_image_name(name) ? listing.files : listing.others).push_back(inside.string());
  }
  if (!listing.files.empty() && !listing.classes.empty())
    refuse_file(listing.files.front(),
                fmt::format("an image beside the folder '{}'", listing.classes.front()),
                "either all images are in folders, one for each class, or none is");
  std::ranges::sort(listing.classes, label_less);
  for (std::size_t c = 0; c < listing.classes.size(); ++c)
    list_class(fs::path(path) / listing.classes[c], std::int32_t(c), listing);
  if (listing.files.empty()) refuse_file(path, "holds no images (.png, .ppm, .pgm)");
  return listing;
}

/// The images that can be read. Others are left out, or refused in the order of the files.
std::vector<Image> decode_all(Listing& listing, const ReadOptions& options, Reading& data) {
  const std::size_t n = listing.files.size();
  std::vector<Image> images(n);
  std::vector<std::optional<std::string>> faults(n);
  parallel_for(n, options.threads, [&](std::size_t i) {
    try {
      images[i] = decode_image(MappedFile(listing.files[i]).text(), listing.files[i]);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      faults[i] = error.what();
    }
  });
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < n; ++i) (faults[i] ? data.left_out : kept).push_back(i);
  if (kept.size() == n) return images;
  const std::string& first = *faults[data.left_out.front()];
  if (!options.skip_bad) throw Error(ErrorCode::invalid_file, first);
  if (kept.empty())
    throw Error(ErrorCode::invalid_file,
                fmt::format("{} (and none of the other {} images can be read)", first, n - 1));
  data.notes.push_back(fmt::format("{} of {} images cannot be read and are dropped; the first: {}",
                                   n - kept.size(), n, first));
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k] != k) images[k] = std::move(images[kept[k]]);
    if (!listing.codes.empty()) listing.codes[k] = listing.codes[kept[k]];
  }
  images.resize(kept.size());
  if (!listing.codes.empty()) listing.codes.resize(kept.size());
  return images;
}

Images joined(const std::vector<Image>& all) {
  const bool coloured = std::ranges::any_of(all, [](const Image& image) { return image.channels == 3; });
  Images images{Buffer<std::size_t>(all.size() + 1),
                Buffer<std::uint32_t>(all.size()),
                Buffer<std::uint32_t>(all.size()),
                coloured ? std::size_t(3) : std::size_t(1),
                {}};
  images.starts[0] = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    images.heights[i] = all[i].height;
    images.widths[i] = all[i].width;
    images.starts[i + 1] = images.starts[i] + all[i].pixels.size() / all[i].channels * images.channels;
  }
  images.pixels = Buffer<std::uint8_t>(images.starts[all.size()]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t repeat = images.channels / all[i].channels;
    std::uint8_t* out = images.pixels.data() + images.starts[i];
    for (const std::uint8_t value : all[i].pixels) out = std::fill_n(out, repeat, value);
  }
  return images;
}

/// Folders that lost all their images are no classes any more.
Target target_of(const Listing& listing, const ReadOptions& options) {
  Target target{.task = Task::classification, .name = "class"};
  std::vector<std::int32_t> code_of(listing.classes.size(), -1);
  for (const std::int32_t code : listing.codes) code_of[std::size_t(code)] = 0;
  for (std::size_t c = 0; c < code_of.size(); ++c) {
    if (code_of[c] < 0) continue;
    code_of[c] = std::int32_t(target.labels.size());
    target.labels.push_back(listing.classes[c]);
  }
  for (const std::int32_t code : listing.codes) target.codes.push_back(code_of[std::size_t(code)]);
  if (options.task != Task::regression) return target;
  std::vector<double> values = target.numbers();
  return {.task = Task::regression, .name = "class", .values = std::move(values)};
}

void check_image_options(const std::string& path, const ReadOptions& options) {
  const auto refuse_option = [&](const std::string& what) {
    refuse_file(path, what, {}, ErrorCode::invalid_argument);
  };
  if (!options.weights.empty()) refuse_option("images have no weights; leave them out");
  if (!options.bag.empty() || !options.objects.empty())
    refuse_option("images have no columns; leave out what is said of them");
  if (!options.target.empty() && options.target != "none" && options.target != "class")
    refuse_option(fmt::format(
        "the target is '{}', but the class of an image is the folder it is in; leave it out, or say none",
        options.target));
}

/// What the column is called: "image", or as in the data that these images are to be read like.
std::string column_name(const std::string& path, const ReadOptions& options) {
  if (!options.schema) return "image";
  for (const Schema::Column& column : options.schema->columns)
    if (column.objects == Domain::image) return column.name;
  refuse_file(path, "holds images, but none were learned from", "other data are needed");
}

const Images& checked_images(const std::string& path, const Dataset& data) {
  const auto refuse = [&](const std::string& what) {
    refuse_file(path == "-" ? "standard output" : path, what, {}, ErrorCode::invalid_argument);
  };
  if (path == "-") refuse("images are written as a folder; name one");
  if (data.points.cols() > 0 || data.points.objects().size() != 1 ||
      data.points.objects().front().domain() != Domain::image)
    refuse(
        "a folder of images holds one column of images and nothing else; name a .csv file or another format");
  if (data.target.task == Task::regression || !data.weights.empty() || !data.queries.empty())
    refuse("a folder of images has classes alone, no numbers to learn, weights or queries");
  for (const std::string& label : data.target.labels)
    if (label.empty() || label.starts_with('.') || label.find('/') != label.npos ||
        label.find('\0') != label.npos)
      refuse(fmt::format("class '{}' cannot be the name of a folder", label));
  return data.points.objects().front().images();
}

}  // namespace

Reading read_images(const std::string& path, const ReadOptions& options) {
  check_image_options(path, options);
  const std::string name = column_name(path, options);
  Listing listing = list_images(path);
  Reading data;
  if (!listing.others.empty())
    data.notes.push_back(listing.others.size() == 1
                             ? fmt::format("{} is not an image and is dropped", listing.others.front())
                             : fmt::format("{} and {} more are not images and are dropped",
                                           listing.others.front(), listing.others.size() - 1));
  data.points =
      Points(Objects(name, Domain::image, Objects::Storage(joined(decode_all(listing, options, data)))));
  data.schema.columns.push_back({.name = name, .categories = {}, .objects = Domain::image});
  if (listing.classes.empty() || options.target == "none") return data;
  data.target = target_of(listing, options);
  data.schema.target = "class";
  return data;
}

void write_images(const std::string& path, const Dataset& data) {
  const Images& images = checked_images(path, data);
  const bool classified = data.target.task == Task::classification;
  AtomicFolder folder(path);
  if (classified)
    for (const std::string& label : data.target.labels) fs::create_directory(folder.place() / label);
  const std::size_t digits = std::max<std::size_t>(4, fmt::formatted_size("{}", images.rows()));
  for (std::size_t i = 0; i < images.rows(); ++i) {
    if (images.heights[i] == 0 || images.widths[i] == 0)
      refuse_file(path, fmt::format("image {} has no pixels", i + 1), {}, ErrorCode::file_access);
    const fs::path place =
        classified ? folder.place() / data.target.labels[std::size_t(data.target.codes[i])] : folder.place();
    const std::span<const std::uint8_t> pixels(images.pixels.data() + images.starts[i],
                                               images.starts[i + 1] - images.starts[i]);
    write_file((place / fmt::format("{:0{}}.png", i + 1, digits)).string(),
               encode_png(pixels, images.heights[i], images.widths[i], images.channels));
  }
  folder.commit();
}

}  // namespace mercer
