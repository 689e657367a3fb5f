// What an action says that is refused.
#pragma once

#include <string>

#include "mercer/error.hpp"

namespace mercer {

/// The message of the Error that `act` throws; empty where it throws none.
std::string message_of(const auto& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace mercer
