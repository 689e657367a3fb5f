"""Types of parameters: as numpydoc writes them ("{'scale', 'auto'}, float or None") and as type checkers do."""
from __future__ import annotations

import re

# What a word of the documentation is to a type checker.
WORDS = {
    "bool": "bool", "True": "bool", "False": "bool", "int": "int", "float": "float", "str": "str", "None": "None", "dict": "dict[Any, Any]", "callable": "Callable[..., Any]",
    "function": "Callable[..., Any]", "Kernel": "Kernel", "sklearn.gaussian_process.kernels.Kernel": "ProcessKernel", "Loss": "Loss", "Regularizer": "Regularizer",
    "RandomState": "np.random.RandomState", "Generator": "np.random.Generator", "array": "ArrayLike", "list": "list[str]", "mapping": "Mapping[Any, Any]", "path": "os.PathLike[str]",
}


def annotation(kind: str) -> str:
    """The type of a parameter as type checkers write it."""
    words, types = [], []
    for part in re.findall(r"\{[^}]*\}|'[^']*'|[^{},']+?(?=,| or |$)", re.sub(r"( of shape)? \([^)]*\)", "", kind).replace(" or ", ", ")):
        for own in re.split(r",\s*", part[1:-1]) if part.startswith("{") else [part.strip()]:
            if own.startswith("'"):
                words.append(own)
            elif own:
                types.append(WORDS[own.split()[0]])  # the rest tells a range
    if "str" in types:
        words = []
    parts = [f"Literal[{', '.join(words)}]"] if words else []
    parts += [one for one in dict.fromkeys(types) if one != "None"]
    return " | ".join(parts + ["None"] * ("None" in types))
