// mercer: all commands, on one machine.
#include <csignal>
#include <string_view>
#include <vector>

#include "cli/program.hpp"

namespace {

using namespace mercer::cli;

// A link named svm-train, svm-predict or svm-scale runs that command, so that scripts made for LIBSVM find
// it; and "help fit" is "fit --help".
std::vector<char*> arguments(int argc, char** argv) {
  std::vector<char*> all(argv, argv + argc);
  const std::string_view path = argc > 0 ? argv[0] : "", name = path.substr(path.rfind('/') + 1);
  if (name == "svm-train" || name == "svm-predict" || name == "svm-scale")
    all.insert(all.begin() + 1, argv[0] + (path.size() - name.size()));
  else if (argc > 1 && std::string_view(argv[1]) == "help") {
    static char help[] = "--help";
    all.erase(all.begin() + 1);
    all.push_back(help);
  }
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  // A closed pipe, or a file larger than the user's limit, is then a failed write, which ends the program in
  // good order.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  handle_interrupts();
  handle_lost_pages();
  try {
    std::vector<char*> all = arguments(argc, argv);
    Session session;
    return run_program(
        {"mercer",
         "Mercer: kernel methods for classification, regression, novelty detection and clustering.\n"
         "A kernel is an expression, such as 0.5*rbf(gamma=0.1) + poly(degree=2)*linear.",
         command_groups},
        session, int(all.size()), all.data());
  } catch (...) {
    const Failure failure = current_failure("mercer");
    if (!failure.message.empty()) Session::complain(failure.message);
    return failure.exit_code;
  }
}
