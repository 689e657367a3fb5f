"""The reference of the public C++ headers: a page for each, with its declarations and the comments above them.

The headers are laid out by clang-format, so a declaration begins at a line of its own and its comment (///) stands above it. What is shown is the code
itself without the bodies of functions: types, members and defaults read as they are written.
"""
import re

# Headers that a program has no use for by itself, in the order of docs/cpp.md: the others come after in alphabetical order.
GROUPS = [
    ("Data", "dataset points objects scaling generate read_rows target_reading task disk_arrays file"),
    ("Kernels", "kernel kernel_objects catalogue kernel_parameters user_kernel set_kernels word_vectors leaf formula default_kernel kernel_search row_algebra spectral_density"),
    ("Operators and feature maps", "kernel_operator gram geometry features feature_map preimage validity hsic cca"),
    ("Methods and models", "method fit loss model lambda_path linear_functions libsvm onnx explain plan budget"),
    ("Model selection", "automatic tune cross_validation folds metrics learning_curve"),
    ("Pictures and reports", "picture pictures model_pictures line_picture prior_picture report json"),
    ("The rest", ""),
]


def without_bodies(text):
    """Declarations of a header: the bodies of functions become a semicolon, what is internal goes."""
    text = re.sub(r"^namespace detail \{\n.*?^\}  // namespace detail\n", "", text, flags=re.S | re.M)
    lines, kept, index = text.split("\n"), [], 0
    while index < len(lines):
        line = lines[index]
        opens = re.match(r"^(\s*)(?!.*\b(struct|class|enum|union|namespace|concept)\b)(.*\)[^{;=]*?)\s*\{(.*)$", line)
        if opens and not line.lstrip().startswith("//") and "= {" not in line:
            kept.append(f"{opens[1]}{opens[3]};")
            depth = 1 + opens[4].count("{") - opens[4].count("}")
            while depth > 0:
                index += 1
                depth += lines[index].count("{") - lines[index].count("}")
        else:
            kept.append(line)
        index += 1
    text = re.sub(r"\n* private:\n.*?(?=^\};)", "\n", "\n".join(kept), flags=re.S | re.M)
    return re.sub(r"^(class|struct) (MERCER_\w+ )?\w+;.*\n", "", text, flags=re.M)


def sections(text):
    """Of a header without its frame: (name, prose, code) of each documented declaration at the top level."""
    blocks, comment, code = [], [], []

    def end():
        nonlocal comment, code
        body = "\n".join(code).strip("\n").rstrip()
        if body:
            blocks.append((name_of(body), "\n".join(comment), body))
            comment, code = [], []

    depth = 0
    for line in text.split("\n"):
        whole = depth == 0 and bool(code) and code[-1].rstrip().endswith((";", "}"))  # a declaration has ended; the next may still belong to its comment
        if line.startswith("///") or (whole and (not line.strip() or re.match(r"(template|struct|class|enum|union)\b", line))):
            end()
        if line.startswith("///"):
            comment.append(line[3:].strip())
        elif not line.startswith(("//", "extern template")) and (line.strip() or code):
            code.append(line)
            depth += line.count("{") - line.count("}")
    end()
    return blocks


def name_of(code):
    first = re.sub(r"^(template <.*?>\s*\n?|requires .*\n|\[\[\w+\]\]\s*)+", "", code.strip())
    kind = re.match(r"(?:enum class|enum|struct|class|using|concept)\s+(?:MERCER_\w+\s+)?([\w:]+)", first)
    if kind:
        return kind[1]
    function = re.match(r"[^(={]*?([\w:~]+|operator\S+)\s*\(", first)
    if function:
        return function[1]
    value = re.search(r"(\w+)(?:\[\])?\s*(=|;|\{)", first)
    return value[1] if value else first.split("\n")[0]


def page(title, path):
    text = path.read_text(encoding="utf-8")
    opening = re.match(r"(?:// ?.*\n)+", text)
    prose = " ".join(line[2:].strip() for line in opening[0].splitlines()) if opening else ""
    inside = re.search(r"^namespace MERCER_EXPORT mercer \{\n(.*?)^\}  // namespace mercer$", text, re.S | re.M)
    out = f"---\norphan: true\n---\n# {title}\n\n" + (f"{escape(prose)}\n\n" if prose else "") + f"```cpp\n#include \"mercer/{title}\"\n```\n"
    seen = {}
    for name, comment, code in sections(without_bodies(inside[1])) if inside else []:
        if name not in seen:
            out += f"\n## {name}\n"
            seen[name] = True
        if comment:
            out += f"\n{escape(comment)}\n"
        out += f"\n```cpp\n{code}\n```\n"
    return out


def escape(text):
    """Comments are plain text: what Markdown would take for markup is shown as it is; `code` stays code."""
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_\[\]<>#|~$])", r"\\\1", part) for part in parts)


def pages(root):
    include = root / "include" / "mercer"
    headers = {path.relative_to(include).as_posix(): path for path in sorted(include.rglob("*.hpp"))}
    index = "# C++ reference\n\nThe public headers, declaration by declaration. [The C++ library](../../cpp.md) begins with examples.\n"
    groups = [(title, [f"{name}.hpp" for name in names.split() if f"{name}.hpp" in headers]) for title, names in GROUPS]
    known = {name for _, names in groups for name in names}
    groups[-1] = (groups[-1][0], [name for name in headers if "/" not in name and name not in known])
    groups.insert(4, ("Methods, one by one", [name for name in headers if name.startswith("methods/")]))
    groups.insert(2, ("Kernels, one by one", [name for name in headers if name.startswith("kernels/")]))
    for title, names in groups:
        index += f"\n## {title}\n\n"
        for name in names:
            text = page(name, headers[name])
            place = name.removesuffix(".hpp") + ".md"
            first = re.match(r"---\norphan: true\n---\n# .*\n\n(?!```)(.*?)(?:[.:;]|\n)", text)
            index += f"- [`mercer/{name}`]({place})" + (f": {first[1][0].lower() + first[1][1:]}" if first else "") + "\n"
            yield f"cpp/{place}", text
    yield "cpp/index.md", index
