// The writers, one per format. Numbers are written in the shortest form that reads back bit for bit.
#pragma once

#include <functional>
#include <string>

#include "mercer/dataset.hpp"

namespace mercer {

/// A text of a head and of what `append` adds for each row, written whole or not at all, a block at a time.
void write_rows(const std::string& path, std::string head, std::size_t rows,
                const std::function<void(std::size_t row, std::string& out)>& append);

void write_libsvm(const std::string& path, const Dataset& data);
void write_table(const std::string& path, const Dataset& data, char delimiter);
void write_graphs(const std::string& path, const Dataset& data);  ///< a folder
void write_sets(const std::string& path, const Dataset& data);
void write_fasta(const std::string& path, const Dataset& data);
void write_npy(const std::string& path, const Dataset& data);
void write_npz(const std::string& path, const Dataset& data);
/// A new folder of .png files, in a folder for each class.
void write_images(const std::string& path, const Dataset& data);

}  // namespace mercer
