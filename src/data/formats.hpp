// The formats of files: which one a file has, by the end of its name or by what is in it, and the reader and
// the writer of each. Numbers are written in the shortest form that reads back bit for bit.
#pragma once

#include "data/chunks.hpp"

namespace mercer {

/// By extension: .csv, .tsv, .svm, .libsvm, .npy, .npz, .sets, .fa, .fasta, .fna, .ffn, .faa, and those of
/// images (.png, .ppm, .pgm, .pnm); Format::automatic for any other.
Format format_by_extension(const std::string& path);

/// By content: the signatures of .npy and .npz; FASTA where the first character is >; LIBSVM where one of the
/// first lines has a field index:value; else a table, with tabs where the first line has one and commas
/// otherwise.
Format format_by_content(std::string_view text);

/// By extension where it is known, else by content.
Format format_of(const std::string& path, std::string_view text);

/// Of a folder: graphs where it holds a file NAME_A.txt, images where it or a folder inside it holds one;
/// Format::automatic where it holds nothing known.
Format folder_format(const std::string& path);

/// The names in a folder, ascending; those read before a `fault`.
std::vector<std::string> names_in(const std::string& folder, std::error_code& fault);

/// What was read of a file.
struct Reading : Dataset {
  std::vector<std::size_t> left_out = {};  ///< rows of the file, from 0, ascending, not among the points
};

/// Chunk sizes are parameters so that tests can cut small texts into many pieces.
Reading read_libsvm(const TextSource& source, const ReadOptions& options,
                    std::size_t chunk_bytes = default_chunk_bytes);
Reading read_table(const TextSource& source, const ReadOptions& options, char delimiter,
                   std::size_t chunk_bytes = default_chunk_bytes);
Reading read_graphs(const std::string& path, const ReadOptions& options);  ///< of a folder
Reading read_sets(const TextSource& source, const ReadOptions& options);
Reading read_fasta(const TextSource& source, const ReadOptions& options);
Reading read_npy(const MappedFile& file, const ReadOptions& options);
Reading read_npz(const MappedFile& file, const ReadOptions& options);
Reading read_images(const std::string& path, const ReadOptions& options);  ///< of a folder, or one image

/// Refuses options that name a column of weights, for a `format` (say "FASTA") that has none.
void refuse_weights(const ReadOptions& options, const std::string& file, std::string_view format,
                    std::string hint = {});

void write_libsvm(const std::string& path, const Dataset& data);
void write_table(const std::string& path, const Dataset& data, char delimiter);
void write_graphs(const std::string& path, const Dataset& data);  ///< a folder
void write_sets(const std::string& path, const Dataset& data);
void write_fasta(const std::string& path, const Dataset& data);
void write_npy(const std::string& path, const Dataset& data);
void write_npz(const std::string& path, const Dataset& data);
void write_images(const std::string& path, const Dataset& data);  ///< a folder, with one for each class

/// A text of a head and of what `append` adds for each row, written whole or not at all, a block at a time.
void write_rows(const std::string& path, std::string head, std::size_t rows,
                const std::function<void(std::size_t row, std::string& out)>& append);

/// The label of row i, or the number of a target of one column; nothing where there is no target.
void append_label(std::string& out, const Target& target, std::size_t i);

}  // namespace mercer
