#!/usr/bin/env python3
"""Checks that the tree is laid out as the design says; run by ctest.

Includes point one way, every module has a test, every kernel and loss is in its catalogue, files stay short,
instruction sets stay in folders named simd, ARCHITECTURE.md names what is there, the library neither prints nor exits nor names a flag of the command line, and
nobody looks into the text of an error (it has a code and details) or of a kernel (it has capabilities). Each fault is one line:
path:line: what is wrong; what would be right.

    check_layout.py [ROOT]        exit 1 if there are faults
    check_layout.py --self-test   breaks each rule in a temporary tree and expects it to be noticed
"""

import re
import sys
import tempfile
from pathlib import Path

CHAIN = ["base", "data", "kernels", "operators", "solvers", "methods", "model", "model_selection", "plot"]
MAY_INCLUDE = {folder: set(CHAIN[: i + 1]) for i, folder in enumerate(CHAIN)}
MAY_INCLUDE["losses"] = {"base", "losses"}
for user_of_losses in CHAIN[CHAIN.index("solvers") :]:
    MAY_INCLUDE[user_of_losses].add("losses")

STD_HEADERS = set(
    """algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat
    charconv chrono cinttypes climits clocale cmath codecvt compare complex concepts condition_variable
    coroutine csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype
    deque exception execution filesystem forward_list fstream functional future initializer_list iomanip
    ios iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new
    numbers numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore set
    shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view
    syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set
    utility valarray variant vector version""".split()
)
MOST_LINES = 500
CODE = {".cpp", ".hpp"}
SIMD = re.compile(r"src/\w+/simd/")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TARGET = re.compile(
    r"#\s*pragma\s+(GCC|clang)\s+(target|attribute)|__attribute__\s*\(\(\s*(__)?target|\[\[gnu::target"
)
LOSS = re.compile(r"\bstruct \w+Loss\b")
FLAG = re.compile(r"-m(arch|cpu|tune)=|-m(avx|sse|fma|bmi|f16c)\w*")
PRINTS = re.compile(
    r"\bstd::(cout|cerr|clog|terminate|abort|exit|quick_exit|_Exit|v?f?printf|puts|putchar|perror)\b"
    r"|(?<![\w.>:])(v?f?printf|puts|putchar|perror|abort|exit|_exit|_Exit|quick_exit)\s*\("
    r"|\bfmt::print(ln)?\b"
)


DECLARED = re.compile(r"\b(?:class|struct)\s+(?:MERCER_\w+\s+)?(\w+)")
FILE_NAMED = re.compile(r"\b[a-z_]+(?:/[a-z_]+)*/[a-z_0-9]+\.[ch]pp\b")
LITERAL = re.compile(r'//[^\n]*|/\*.*?\*/|"((?:\\.|[^"\\\n])*)"', re.S)
NAMES_FLAG = re.compile(r"(?:^|\s)(--[a-z][a-z-]+|mercer [a-z]+ lists all)")
LOOKS_INTO_KERNEL = re.compile(r"kernel\w*(\(\))?\.text\(\)\s*(==|!=|\.(find|starts_with|ends_with)\()")
LOOKS_INTO_MESSAGE = {
    ".cpp": re.compile(r"what\(\)\s*(==|!=)|what\(\)\)?\s*\.\s*(starts_with|ends_with|find|contains|substr)"),
    ".py": re.compile(r"\bin str\(\w*(error|exc)\w*\)|str\(\w*(error|exc)\w*\)\s*(==|!=|\.(startswith|endswith|find|replace|split))|re\.\w+\(.*str\(\w*(error|exc)"),
}


class Faults:
    def __init__(self):
        self.lines = []

    def add(self, path, line, what):
        self.lines.append(f"{path}:{line}: {what}")


def without_comments(text):
    """The code with comments and the contents of string literals blanked, line for line."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"'
        r"|'(?:\\.|[^'\\\n])'",
        re.S,
    )
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def files(root, folder, suffixes=CODE):
    return sorted(p for p in (root / folder).rglob("*") if p.suffix in suffixes and p.is_file())


def includes(text):
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1) == '"', found.group(2)


def check_source_includes(root, faults):
    for path in files(root, "src"):
        name = path.relative_to(root).as_posix()
        folder = path.relative_to(root / "src").parts[0]
        allowed = MAY_INCLUDE.get(folder)
        if allowed is None:
            known = ", ".join(sorted(MAY_INCLUDE))
            faults.add(name, 1, f"src/{folder} is not in the layout; use one of {known}")
            continue
        for line, quoted, target in includes(path.read_text(encoding="utf-8")):
            if not quoted or target.startswith("mercer/"):
                continue
            owner = target.split("/")[0] if "/" in target else None
            if owner not in MAY_INCLUDE:
                faults.add(name, line, f'includes "{target}"; write it from src/, as in "{folder}/{target}"')
            elif owner not in allowed:
                order = " ← ".join(f for f in [*CHAIN, "losses"] if f in allowed)
                faults.add(name, line, f'{folder} includes "{target}"; it may include only {order}')


def check_public_includes(root, faults):
    for path in files(root, "include"):
        name = path.relative_to(root).as_posix()
        for line, quoted, target in includes(path.read_text(encoding="utf-8")):
            if quoted and not target.startswith("mercer/"):
                what = f'a public header includes "{target}"; only <std> and "mercer/..." headers may be'
                faults.add(name, line, what)
            if not quoted and target not in STD_HEADERS:
                faults.add(name, line, f"a public header includes <{target}>; keep third parties behind src/")
    for path in files(root, "include", {".h"}):
        for line, quoted, target in includes(path.read_text(encoding="utf-8")):
            if quoted or target not in ("stddef.h", "stdint.h"):
                faults.add(path.relative_to(root).as_posix(), line, f"the C header includes {target}; only <stddef.h> and <stdint.h> may be")


def check_face_includes(root, faults):
    for path in files(root, "cli"):
        for line, quoted, target in includes(path.read_text(encoding="utf-8")):
            if quoted and not target.startswith(("mercer/", "cli/")):
                what = f'the command line includes "{target}"; only "mercer/..." and "cli/..." are its own'
                faults.add(path.relative_to(root).as_posix(), line, what)
    for path in files(root, "capi"):
        for line, quoted, target in includes(path.read_text(encoding="utf-8")):
            if quoted and not target.startswith(("mercer/", "capi/")):
                what = f'the C interface includes "{target}"; only "mercer/..." and "capi/..." are its own'
                faults.add(path.relative_to(root).as_posix(), line, what)
    for path in files(root, "python"):
        for line, quoted, target in includes(path.read_text(encoding="utf-8")):
            if quoted and not target.startswith("mercer/") and not (path.parent / target).is_file():
                what = f'the Python module includes "{target}"; only "mercer/..." and its own folder are there for it'
                faults.add(path.relative_to(root).as_posix(), line, what)


def module_names(stem):
    """What a test may call the module that a source belongs to: table_rows is of table_rows or of table."""
    words = stem.split("_")
    return ["_".join(words[:count]) for count in range(len(words), 0, -1)]


def check_tests(root, faults):
    """Every source belongs to a module with a test: itself, or the first words of its name, which several files share."""
    tested = {path.relative_to(root / "tests").as_posix() for path in files(root, "tests", {".cpp"})}
    named = {}  # folder → the modules that its tests may name
    for folder in ("src", "include/mercer", "cli", "cluster"):
        for path in files(root, folder):
            place, *between, _ = path.relative_to(root / (folder if folder not in ("cli", "cluster") else ".")).parts if folder != "include/mercer" else ("", path.name)
            for stem in (path.stem, "_".join([*between, path.stem])):
                named.setdefault(place, set()).update(module_names(stem))
    for path in files(root, "src", {".cpp"}):
        folder, *between, _ = path.relative_to(root / "src").parts
        names = [name for stem in {path.stem, "_".join([*between, path.stem])} for name in module_names(stem)]
        if not any(f"{folder}/{name}_test.cpp" in tested for name in names):
            what = f"has no test; add tests/{folder}/{path.stem}_test.cpp, or one named after the first words of its name"
            faults.add(path.relative_to(root).as_posix(), 1, what)
    for name in sorted(tested):
        folder, stem = name.split("/")[0], Path(name).stem
        if "/" in name and stem.endswith("_test") and stem.removesuffix("_test") not in named.get(folder, set()) | named.get("", set()):
            faults.add(f"tests/{name}", 1, f"tests nothing; name it after a source of src/{folder} or the first words of several")


def check_catalogue(root, faults):
    check_listed(root, sorted((root / "include/mercer/kernels").glob("*.hpp")), "", "src/kernels/catalogue.cpp", faults)
    structs = [p for p in sorted((root / "src/losses").glob("*.hpp")) if LOSS.search(p.read_text(encoding="utf-8"))]
    check_listed(root, structs, "_loss", "src/losses/catalogue.cpp", faults)


def check_listed(root, headers, ending, catalogue, faults):
    """The struct of src/losses/squared_hinge.hpp with the ending _loss is SquaredHingeLoss."""
    path = root / catalogue
    code = without_comments(path.read_text(encoding="utf-8")) if path.exists() else ""
    words = {word.replace("_", "").lower() for word in re.findall(r"\w+", code)}
    for header in headers:
        word = header.stem + ending
        if word.replace("_", "").lower() not in words:
            faults.add(header.relative_to(root).as_posix(), 1, f"is not in the catalogue; name {word} in {catalogue}")


WRITTEN_BY_A_SCRIPT = re.compile(r'\A"""[^"]*^Written by scripts/', re.M)  # nobody edits it


def check_lengths(root, faults):
    for folder in ("src", "include", "cli", "capi", "cluster", "python", "tests"):
        for path in files(root, folder, CODE | {".py"} if folder == "python" else CODE):
            text = path.read_text(encoding="utf-8")
            count = len(text.splitlines())
            if count > MOST_LINES and not WRITTEN_BY_A_SCRIPT.search(text):
                what = f"has {count} lines; split it so that each part has at most {MOST_LINES}"
                faults.add(path.relative_to(root).as_posix(), MOST_LINES + 1, what)


def matches(text, pattern):
    for number, line in enumerate(text.splitlines(), 1):
        found = pattern.search(line)
        if found:
            yield number, found.group().strip()


def check_instruction_sets(root, faults):
    for folder in ("src", "include", "cli", "python", "tests"):
        for path in files(root, folder):
            name = path.relative_to(root).as_posix()
            if SIMD.match(name):
                continue
            for line, found in matches(without_comments(path.read_text(encoding="utf-8")), TARGET):
                faults.add(name, line, f"{found} chooses an instruction set; that belongs in a folder simd")
    builds = [p for p in root.glob("*") if p.name in ("CMakeLists.txt", "CMakePresets.json")]
    for folder in ("src", "cli", "tests", "cmake", "bench", "capi", "examples", "python", "studio", "cluster"):
        found_here = files(root, folder, {".txt", ".cmake"})
        builds += [p for p in found_here if p.suffix == ".cmake" or p.name == "CMakeLists.txt"]
    for path in builds:
        name = path.relative_to(root).as_posix()
        text = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
        for line, found in matches(text, FLAG):
            if not SIMD.match(name):
                faults.add(name, line, f"{found} ties the build to a machine; dispatch at run time in a folder simd")


def check_silence(root, faults):
    for folder in ("src", "include", "capi"):
        for path in files(root, folder):
            for line, found in matches(without_comments(path.read_text(encoding="utf-8")), PRINTS):
                found = found.rstrip(" (")
                what = f"the library uses {found}; return a value or throw mercer::Error, and let a face print"
                faults.add(path.relative_to(root).as_posix(), line, what)


def check_words(root, faults):
    """Flags belong to the command line (cli/wording.cpp), and what an error is about is in its code and details."""
    for folder in ("src", "include", "capi"):
        for path in files(root, folder):
            text = path.read_text(encoding="utf-8")
            for literal in LITERAL.finditer(text):
                found = literal.group(1) and NAMES_FLAG.search(literal.group(1))
                if found:
                    what = f"the library names {found.group(1)}; give the error or note a Remedy, and each interface its words"
                    faults.add(path.relative_to(root).as_posix(), text.count("\n", 0, literal.start()) + 1, what)
    for folder in ("src", "include", "cli", "python"):
        for path in files(root, folder, CODE | {".py"}):
            pattern = LOOKS_INTO_MESSAGE[".py" if path.suffix == ".py" else ".cpp"]
            for line, found in matches(path.read_text(encoding="utf-8"), pattern):
                faults.add(path.relative_to(root).as_posix(), line, f"'{found}' looks into a message; ask for the error's code or details")
            for line, found in matches(path.read_text(encoding="utf-8"), LOOKS_INTO_KERNEL):
                faults.add(path.relative_to(root).as_posix(), line, f"'{found}' looks into a kernel's text; ask for what it can do (LinearForm, precomputed())")


def check_architecture(root, faults):
    """ARCHITECTURE.md: its first picture has folders (data/) and classes alone, and the files that it names are there."""
    page = root / "ARCHITECTURE.md"
    if not page.is_file():
        return
    text = page.read_text(encoding="utf-8")
    declared = set()
    for folder in ("src", "include"):
        for path in files(root, folder):
            declared.update(DECLARED.findall(path.read_text(encoding="utf-8")))
    picture = False
    for number, line in enumerate(text.splitlines(), 1):
        for name in FILE_NAMED.findall(line):
            if not any((root / start / name).is_file() for start in ("src", "include", "")):
                faults.add("ARCHITECTURE.md", number, f"names {name}, which is not there")
        if picture and not line.startswith("    "):
            picture = None
        if line.startswith("    ") and picture is not None:
            picture = True
            for name in re.findall(r"[\w/]+", line):
                if not ((root / "src" / name).is_dir() if name.endswith("/") else name in declared):
                    faults.add("ARCHITECTURE.md", number, f"the picture has '{name}', which is neither a folder of src nor a class")


RULES = [
    check_source_includes,
    check_public_includes,
    check_face_includes,
    check_tests,
    check_catalogue,
    check_lengths,
    check_instruction_sets,
    check_silence,
    check_words,
    check_architecture,
]


def faults_of(root):
    faults = Faults()
    for rule in RULES:
        rule(root, faults)
    return faults.lines


# A tree without faults, and then what breaks each rule: the file, its text, and the fault expected.
GOOD = {
    "src/base/a.hpp": "#include <vector>\n",
    "src/base/a.cpp": '#include "base/a.hpp"\n// std::cout and --flags are for faces\nconst char* text = "printf(var(--ink)";\nfail(error.what());\n',
    "src/base/a_part.cpp": "",
    "src/operators/simd/tile.cpp": '#include "data/b.hpp"\n#pragma GCC target("avx2")\n',
    "src/losses/loss_of.hpp": "// struct and Loss\n",
    "src/losses/squared_hinge.hpp": '#include "base/a.hpp"\nstruct SquaredHingeLoss {};\n',
    "src/losses/catalogue.cpp": "losses(SquaredHingeLoss{});\n",
    "src/solvers/smo.hpp": '#include "losses/squared_hinge.hpp"\n#include "mercer/x.hpp"\n',
    "src/kernels/catalogue.cpp": "leaves(rbf, rational_quadratic);\n",
    "include/mercer/x.hpp": '#include <span>\n#include "mercer/kernels/rbf.hpp"\n',
    "include/mercer/kernels/rbf.hpp": "",
    "include/mercer/kernels/rational_quadratic.hpp": "",
    "cli/main.cpp": '#include <CLI/CLI.hpp>\n#include "mercer/x.hpp"\n#include "cli/print.hpp"\nstd::cout;\n',
    "python/src/arrays.hpp": "",
    "python/src/module.cpp": '#include <pybind11/pybind11.h>\n#include "arrays.hpp"\n#include "mercer/x.hpp"\n',
    "tests/base/a_test.cpp": "",
    "tests/operators/simd_tile_test.cpp": "",
    "tests/kernels/catalogue_test.cpp": "",
    "tests/losses/catalogue_test.cpp": "",
    "tests/solvers/x_test.cpp": "",
    "CMakeLists.txt": "# no -march=native here\n",
    "ARCHITECTURE.md": "Text\n\n    base/ ──▶ SquaredHingeLoss\n\n    from a file: base/a.hpp\n",
}
BAD = [
    ("src/data/up.hpp", '#include <span>\n#include "operators/k.hpp"\n', 'src/data/up.hpp:2: data includes "operators/'),
    ("src/losses/l.hpp", '#include "data/b.hpp"\n', 'src/losses/l.hpp:1: losses includes "data/b.hpp"'),
    ("src/operators/g.hpp", '#include "losses/hinge.hpp"\n', 'src/operators/g.hpp:1: operators includes "losses/hinge.hpp"'),
    ("src/data/near.hpp", '#include "b.hpp"\n', 'src/data/near.hpp:1: includes "b.hpp"'),
    ("src/misc/m.hpp", "", "src/misc/m.hpp:1: src/misc is not in the layout"),
    ("include/mercer/y.hpp", '#include "base/a.hpp"\n', "include/mercer/y.hpp:1: a public header includes"),
    ("include/mercer/z.hpp", "#include <fmt/format.h>\n", "include/mercer/z.hpp:1: a public header includes <"),
    ("cli/fit.cpp", '#include "base/a.hpp"\n', 'cli/fit.cpp:1: the command line includes "base/a.hpp"'),
    ("capi/fit.cpp", '#include "cli/session.hpp"\n', 'capi/fit.cpp:1: the C interface includes "cli/session.hpp"'),
    ("capi/say.cpp", "puts(text);\n", "capi/say.cpp:1: the library uses puts"),
    ("include/mercer/mercer.h", "#include <stdio.h>\n", "include/mercer/mercer.h:1: the C header includes stdio.h"),
    ("python/src/fit.cpp", '#include "base/a.hpp"\n', 'python/src/fit.cpp:1: the Python module includes "base/a.hpp"'),
    ("python/mercer/long.py", "\n" * 501, "python/mercer/long.py:501: has 501 lines"),
    ("src/base/lonely.cpp", "", "src/base/lonely.cpp:1: has no test; add tests/base/lonely_test.cpp"),
    ("src/operators/simd/row.cpp", "", "src/operators/simd/row.cpp:1: has no test; add tests/operators/row_test.cpp"),
    ("tests/base/ghost_test.cpp", "", "tests/base/ghost_test.cpp:1: tests nothing"),
    ("include/mercer/kernels/rare.hpp", "", "include/mercer/kernels/rare.hpp:1: is not in the catalogue"),
    ("src/losses/rare.hpp", "struct RareLoss {};\n", "src/losses/rare.hpp:1: is not in the catalogue; name rare_loss"),
    ("tests/base/long.hpp", "\n" * 501, "tests/base/long.hpp:501: has 501 lines"),
    ("src/operators/t.hpp", '\n#pragma GCC target("avx2")\n', "src/operators/t.hpp:2: #pragma GCC target"),
    ("src/CMakeLists.txt", "add_compile_options(-march=native)\n", "src/CMakeLists.txt:1: -march="),
    ("CMakePresets.json", '{"f": "-mavx2"}\n', "CMakePresets.json:1: -mavx2"),
    ("src/base/p.hpp", "/* a\n*/ std::cout << 1;\n", "src/base/p.hpp:2: the library uses std::cout"),
    ("src/base/q.hpp", "  printf(text);\n", "src/base/q.hpp:1: the library uses printf"),
    ("src/base/r.hpp", "std::exit(1);\n", "src/base/r.hpp:1: the library uses std::exit"),
    ("src/base/u.hpp", '\nthrow Error("too large; raise --memory");\n', "src/base/u.hpp:2: the library names --memory"),
    ("src/base/v.hpp", 'if (std::string_view(e.what()).starts_with("x")) {}\n', "src/base/v.hpp:1: 'what()).starts_with' looks into"),
    ("src/base/x.hpp", 'if (kernel().text() == "linear") {}\n', "src/base/x.hpp:1: 'kernel().text() ==' looks into a kernel"),
    ("python/mercer/w.py", 'if "time" in str(error):\n    pass\n', "python/mercer/w.py:1: 'in str(error)' looks into"),
    ("ARCHITECTURE.md", "\n    base/ ──▶ Ghost\n", "ARCHITECTURE.md:2: the picture has 'Ghost'"),
    ("ARCHITECTURE.md", "\n    ghosts/\n", "ARCHITECTURE.md:2: the picture has 'ghosts/'"),
    ("ARCHITECTURE.md", "see base/ghost.hpp\n", "ARCHITECTURE.md:1: names base/ghost.hpp"),
    ("include/mercer/s.hpp", "abort();\n", "include/mercer/s.hpp:1: the library uses abort"),
]


def write(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def self_test():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, text in GOOD.items():
            write(root, path, text)
        failures += [f"a good tree is faulted: {fault}" for fault in faults_of(root)]
        for path, text, expected in BAD:
            write(root, path, text)
            found = faults_of(root)
            if len(found) != 1 or not found[0].startswith(expected):
                failures.append(f"expected one fault '{expected}', found {found}")
            (root / path).unlink()
            if path in GOOD:
                write(root, path, GOOD[path])
            if path.startswith("src/misc"):
                (root / path).parent.rmdir()
    for failure in failures:
        print(failure)
    if not failures:
        print(f"check_layout: OK, a good tree passes and {len(BAD)} bad ones fail")
    return 1 if failures else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    if not (root / "src").is_dir():
        print(f"{root}: has no src folder; name the root of the repository", file=sys.stderr)
        return 2
    faults = faults_of(root)
    for fault in faults:
        print(fault)
    if not faults:
        print("check_layout: OK")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
