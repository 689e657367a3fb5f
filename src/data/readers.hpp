// The readers, one per format. Chunk sizes are parameters so that tests can cut small texts into many pieces.
#pragma once

#include <cstddef>
#include <string>

#include "base/file.hpp"
#include "data/chunks.hpp"
#include "data/text_source.hpp"
#include "mercer/dataset.hpp"

namespace mercer {

Dataset read_libsvm(const TextSource& source, const ReadOptions& options,
                    std::size_t chunk_bytes = default_chunk_bytes);
Dataset read_table(const TextSource& source, const ReadOptions& options, char delimiter,
                   std::size_t chunk_bytes = default_chunk_bytes);
Dataset read_graphs(const std::string& path, const ReadOptions& options);  ///< of a folder
Dataset read_sets(const TextSource& source, const ReadOptions& options);
Dataset read_fasta(const TextSource& source, const ReadOptions& options);
Dataset read_npy(const MappedFile& file, const ReadOptions& options);
Dataset read_npz(const MappedFile& file, const ReadOptions& options);
/// A folder of images, or one image.
Dataset read_images(const std::string& path, const ReadOptions& options);

}  // namespace mercer
