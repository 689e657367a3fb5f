// What is used of libzip, loaded at first use: it brings a library for cryptography to every start of the
// program.
#pragma once

#include <zip.h>

namespace mercer {

#define MERCER_ZIP_FUNCTIONS(of)                                                                             \
  of(close) of(discard) of(error_fini) of(error_init) of(error_init_with_code) of(error_strerror) of(fclose) \
      of(file_add) of(file_get_error) of(fopen_index) of(fread) of(get_name) of(get_num_entries) of(open)    \
          of(open_from_source) of(set_file_compression) of(source_buffer_create) of(source_buffer_fragment)  \
              of(source_free) of(stat_index) of(stat_init) of(strerror)

/// The functions of libzip: libzip().open(…) is zip_open(…).
struct LibZip {
#define MERCER_ZIP_MEMBER(name) decltype(&zip_##name) name;
  MERCER_ZIP_FUNCTIONS(MERCER_ZIP_MEMBER)
#undef MERCER_ZIP_MEMBER
};

/// Error{budget} where the library is missing.
const LibZip& libzip();

}  // namespace mercer
