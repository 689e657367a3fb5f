"""The reference of the Python package: a page for each public name, which Sphinx fills from its docstring, and an index of them by kind.

The index has the links; the pages are not in the table of contents beside every page, which would be too long to read (and to build)."""
import inspect
import warnings


def kind(value):
    from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin, OutlierMixin, RegressorMixin, TransformerMixin
    import mercer
    if not inspect.isclass(value):
        return "Functions" if not returns_kernel(value) else "Kernels"
    if issubclass(value, ClassifierMixin) and issubclass(value, RegressorMixin):
        return "Classes or numbers"
    for mixin, title in (ClassifierMixin, "Classifiers"), (RegressorMixin, "Regressors"), (ClusterMixin, "Clustering"), (OutlierMixin, "Novelty"), (TransformerMixin, "Feature maps and components"):
        if issubclass(value, mixin):
            return title
    if issubclass(value, BaseEstimator):
        return "Tests and others"
    return "Kernels" if issubclass(value, mercer.Kernel) else "Objects and others"


def returns_kernel(value):
    return getattr(value, "__module__", "").endswith(("kernel_functions", "kernel_factories"))


ORDER = ["Classifiers", "Regressors", "Classes or numbers", "Clustering", "Novelty", "Feature maps and components", "Tests and others", "Kernels", "Objects and others", "Functions"]


def pages(root):
    import mercer
    groups = {}
    for name in sorted(mercer.__all__, key=str.lower):
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            try:
                value = getattr(mercer, name)
            except FutureWarning:  # a name that goes with the next version
                continue
        groups.setdefault(kind(value), []).append((name, value))
    index = "# Python reference\n\nEvery public name of the package `mercer`. [The Python package](../../python.md) begins with examples.\n"
    for title in ORDER:
        if title not in groups:
            continue
        index += f"\n## {title}\n\n"
        for name, value in groups[title]:
            first = (inspect.getdoc(value) or "").strip().split("\n")[0]
            index += f"- [`{name}`]({name}.rst): {first}\n"
            yield f"python/{name}.rst", page(name, value)
    yield "python/index.md", index


def page(name, value):
    """Methods are listed that the class has of its own or by inheritance from Mercer's and scikit-learn's, with a docstring."""
    line = "=" * len(name)
    if not inspect.isclass(value):
        return f":orphan:\n\n{name}\n{line}\n\n.. currentmodule:: mercer\n.. autofunction:: {name}\n"
    members = [member for member, thing in inspect.getmembers(value)
               if not member.startswith("_") and (inspect.isfunction(thing) or inspect.ismethod(thing) or isinstance(thing, property)) and inspect.getdoc(thing)]
    text = f":orphan:\n\n{name}\n{line}\n\n.. currentmodule:: mercer\n.. autoclass:: {name}\n"
    if members:
        text += f"   :members: {', '.join(members)}\n   :inherited-members:\n"
    return text
