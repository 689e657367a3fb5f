// Arrays of the caller as points: their sizes and numbers are checked before anything reads them.
#pragma once

#include <cstdint>

#include "mercer/points.hpp"

namespace mercer::capi {

/// Over the caller's numbers, which are read where they are.
Points borrowed_dense(const double* values, std::size_t rows, std::size_t columns);
Points borrowed_csr(const std::int64_t* starts, const std::int32_t* indices, const double* values,
                    std::size_t stored, std::size_t rows, std::size_t columns);

/// Over a copy of them.
template <class T>
Points copied_dense(const T* values, std::size_t rows, std::size_t columns);
Points copied_csr(const std::int64_t* starts, const std::int32_t* indices, const double* values,
                  std::size_t stored, std::size_t rows, std::size_t columns);

/// A matrix over another: throws Error{invalid_argument} unless out has room for exactly rows × columns.
void check_room(std::size_t rows, std::size_t columns, const double* out, std::size_t count);

}  // namespace mercer::capi
