// Which format a file has: by the end of its name, or by what is in it.
#pragma once

#include <string>
#include <string_view>

#include "mercer/dataset.hpp"

namespace mercer {

/// By extension: .csv, .tsv, .svm, .libsvm, .npy, .npz, .sets, .fa, .fasta, .fna, .ffn, .faa, and those of
/// images; Format::automatic for any other.
Format format_by_extension(const std::string& path);

/// Of a folder: graphs where it holds a file NAME_A.txt; Format::automatic where it holds nothing known.
Format folder_format(const std::string& path);

/// By content: the signatures of .npy and .npz; FASTA where the first character is >; LIBSVM where one of the
/// first lines has a field index:value; else a table, with tabs where the first line has one and commas
/// otherwise.
Format format_by_content(std::string_view text);

/// Whether a file's name ends as an image's does: .png, .ppm, .pgm, .pnm.
bool is_image_name(const std::string& name);

/// Of a folder, by the files in it and in the folders inside it; Format::automatic where it is none that can
/// be read.
Format folder_format(const std::string& path);

/// By extension where it is known, else by content.
Format format_of(const std::string& path, std::string_view text);

}  // namespace mercer
