// What every function of the C interface does: exceptions become a code and a message of the thread,
// arguments are checked, texts and numbers are copied to the caller's arrays.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "mercer/error.hpp"
#include "mercer/mercer.h"

namespace mercer::capi {

/// Of the exception that is being handled: sets the message of this thread.
int failure() noexcept;

template <class Work>
int guarded(Work&& work) noexcept {
  try {
    work();
    return MERCER_OK;
  } catch (...) {
    return failure();
  }
}

/// The text or the array does not fit.
class BufferError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Error{invalid_argument} for NULL.
template <class T>
T& required(T* pointer, const char* name) {
  if (!pointer) throw Error(ErrorCode::invalid_argument, std::string(name) + " must not be NULL");
  return *pointer;
}
/// The same of an array, which may be NULL where it has no elements. Throws where its bytes are more than
/// there can be.
template <class T>
std::span<T> required_array(T* first, std::size_t count, const char* name) {
  if (count > PTRDIFF_MAX / sizeof(T))
    throw Error(ErrorCode::too_large,
                std::string(name) + ": " + std::to_string(count) + " are more than memory can hold");
  if (count > 0) required(first, name);
  return {first, count};
}
/// a × b; throws Error{too_large} where that overflows.
std::size_t product(std::size_t a, std::size_t b, const char* name);

/// The texts of an array, none of which may be NULL.
std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* name);

void give_bytes(std::string_view bytes, void* out, std::size_t size, std::size_t* needed);
/// With a final 0.
void give_text(const std::string& text, char* out, std::size_t size, std::size_t* needed);

}  // namespace mercer::capi
