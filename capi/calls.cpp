#include "capi/calls.hpp"

#include <fmt/format.h>

#include <cstring>
#include <new>
#include <vector>

#include "capi/handles.hpp"
#include "mercer/version.hpp"

namespace mercer::capi {

namespace {

static_assert(int(ErrorCode::invalid_argument) + 1 == MERCER_INVALID_ARGUMENT);
static_assert(int(ErrorCode::missing_library) + 1 == MERCER_MISSING_LIBRARY);
static_assert(int(ErrorCode::file_access) + 1 == MERCER_FILE_ACCESS);
static_assert(int(ErrorCode::not_finite) + 1 == MERCER_NOT_FINITE);
static_assert(int(ErrorCode::out_of_memory) + 1 == MERCER_OUT_OF_MEMORY);
static_assert(int(ErrorCode::cancelled) + 1 == MERCER_CANCELLED);

thread_local std::string message;
// What the thread is told where there is no memory for its message.
thread_local const char* fixed_message = nullptr;

int fail(int code, const char* text) noexcept {
  fixed_message = nullptr;
  try {
    message = text;
  } catch (...) {
    fixed_message = "out of memory";
  }
  return code;
}

}  // namespace

int failure() noexcept {
  try {
    throw;
  } catch (const HandleError& error) {
    return fail(MERCER_INVALID_HANDLE, error.what());
  } catch (const BufferError& error) {
    return fail(MERCER_BUFFER_TOO_SMALL, error.what());
  } catch (const Error& error) {
    return fail(int(error.code()) + 1, error.what());
  } catch (const std::bad_alloc&) {
    return fail(MERCER_OUT_OF_MEMORY, "out of memory");
  } catch (const std::length_error&) {
    return fail(MERCER_OUT_OF_MEMORY, "out of memory: more than there can be");
  } catch (const std::exception& error) {
    return fail(MERCER_INTERNAL, error.what());
  } catch (...) {
    return fail(MERCER_INTERNAL, "an exception that is none of the library's");
  }
}

std::size_t product(std::size_t a, std::size_t b, const char* name) {
  std::size_t result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result > PTRDIFF_MAX / sizeof(double))
    throw Error(ErrorCode::too_large,
                fmt::format("{}: {} × {} numbers are more than memory can hold", name, a, b));
  return result;
}

std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* name) {
  std::vector<std::string> list;
  for (const char* const& text : required_array(texts, count, name)) {
    if (!text)
      throw Error(ErrorCode::invalid_argument, fmt::format("{}[{}] must not be NULL", name, &text - texts));
    list.emplace_back(text);
  }
  return list;
}

void give_bytes(std::string_view bytes, void* out, std::size_t size, std::size_t* needed) {
  if (needed) *needed = bytes.size();
  if (size < bytes.size())
    throw BufferError(fmt::format("the buffer has {} bytes, but {} are needed", size, bytes.size()));
  if (bytes.empty()) return;
  std::memcpy(&required(static_cast<char*>(out), "the buffer"), bytes.data(), bytes.size());
}

void give_text(const std::string& text, char* out, std::size_t size, std::size_t* needed) {
  give_bytes({text.c_str(), text.size() + 1}, out, size, needed);
}

}  // namespace mercer::capi

using namespace mercer::capi;

int mercer_abi_version(void) { return MERCER_ABI_VERSION; }
const char* mercer_version(void) { return mercer::version(); }
const char* mercer_error_message(void) { return fixed_message ? fixed_message : message.c_str(); }

const char* mercer_error_name(int code) {
  switch (code) {
    case MERCER_OK:
      return "ok";
    case MERCER_INVALID_HANDLE:
      return "invalid_handle";
    case MERCER_BUFFER_TOO_SMALL:
      return "buffer_too_small";
    case MERCER_INTERNAL:
      return "internal";
    default:
      break;
  }
  if (code < MERCER_INVALID_ARGUMENT || code > MERCER_CANCELLED) return "unknown";
  return mercer::name_of(mercer::ErrorCode(code - 1)).data();  // a literal: it ends with 0
}
