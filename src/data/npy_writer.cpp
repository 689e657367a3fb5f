// A .npy file holds one array: the points, and nothing beside them.
#include <fmt/format.h>

#include "base/file.hpp"
#include "data/array_bytes.hpp"
#include "data/writers.hpp"
#include "mercer/error.hpp"

namespace mercer {

void write_npy(const std::string& path, const Dataset& data) {
  const auto refuse = [&](const char* what) {
    throw Error(ErrorCode::invalid_file, fmt::format("a .npy file cannot hold {}", what),
                {.file = path, .hint = "a .npz file can"});
  };
  if (data.target.task != Task::none) refuse("a target beside the points");
  if (!data.weights.empty()) refuse("weights beside the points");
  if (!data.queries.empty())
    throw Error(ErrorCode::invalid_file, "a .npy file cannot hold LIBSVM's qid",
                {.file = path, .hint = "write .svm"});
  if (data.points.sparse()) refuse("sparse points");
  AtomicFile file(path);
  for (const ArrayBytes& array : arrays_of_points(data.points)) {
    file.write(array.header);
    if (!array.elements().empty()) file.write(array.elements());
  }
  file.commit();
}

}  // namespace mercer
