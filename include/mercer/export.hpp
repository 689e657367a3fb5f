// What the shared library lets other programs link to: that which is declared in mercer's public headers, and
// nothing else. The library is compiled with hidden visibility; a public header opens `namespace
// MERCER_EXPORT mercer`, as libstdc++ does with std, so that functions, classes with their type information,
// and templates made there are all exported. MERCER_HIDDEN is for classes that a public header only names.
// Static libraries are not affected.
#pragma once

#if defined(__GNUC__)
#define MERCER_EXPORT [[gnu::visibility("default")]]
#define MERCER_HIDDEN [[gnu::visibility("hidden")]]
#else
#define MERCER_EXPORT
#define MERCER_HIDDEN
#endif
