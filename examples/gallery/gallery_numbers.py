"""The numbers of each experiment, from the JSON that its script left in a folder."""
import json
from pathlib import Path


def read(folder, name):
    return json.loads((Path(folder) / f"{name}.json").read_text())


def e1(folder):
    """The least squared error over λ, and the λ it has."""
    found = {}
    for kind in ("basis", "kernel"):
        tries = [(read(folder, path.stem)["rmse"] ** 2, float(path.stem.split("_")[1])) for path in Path(folder).glob(f"{kind}_*.json")]
        found[kind], found[f"{kind} lambda"] = min(tries)
    return {**found, "leave-one-out": read(folder, "path")["leave_one_out"] ** 2}


def e2(folder):
    return {name: {"test": read(folder, f"{name}_test")["accuracy"], "support vectors": read(folder, f"{name}_fit")["support_vectors"]}
            for name in ("linear", "gaussian")}


def e3(folder):
    return {gamma: {"train": read(folder, f"train_{gamma}")["accuracy"], "test": read(folder, f"test_{gamma}")["accuracy"],
                    "support vectors": read(folder, f"fit_{gamma}")["support_vectors"]} for gamma in (1, 10, 100)}


def e4(folder):
    """Margins in feature space are 1/‖w‖; the rows that lie on them are the support vectors."""
    found = {}
    for name in ("small", "middle", "large", "tenth"):
        scores = [float(line) for line in (Path(folder) / f"{name}_scores.txt").read_text().split()]
        found[name] = {"margin": read(folder, f"{name}_fit")["norm"] ** -0.5,
                       "support vectors": [row for row, score in enumerate(scores, 1) if abs(score) < 1.001]}
    return found


def e5(folder):
    return {name: {"test RMSE": read(folder, f"{name}_test")["rmse"], "R2": read(folder, f"{name}_test")["r2"],
                   "gamma": read(folder, f"{name}_fit")["diagnostics"]["width"]["values"][0]} for name in ("line", "sine", "noise")}


def e6(folder):
    return {name: {"test": read(folder, f"{name}_test")["accuracy"], "support vectors": read(folder, f"{name}_fit")["support_vectors"]}
            for name in ("linear", "append_norm", "squares")}


def e7(folder):
    """Of each degree and number of columns the features, the rows on either side of the change, and whether the program took the features
    there; then the seconds of both ways for some numbers of rows, and of columns, and what they minimised."""
    choices = []
    for path in Path(folder).glob("choice_*.json"):
        degree, columns, features, rows = map(int, path.stem.split("_")[1:])
        choices.append((degree, columns, features, rows, "explicit features" in read(folder, path.stem)["solver"]))
    times, by_columns = ([tuple(map(float, line.split(","))) for line in (Path(folder) / f"{name}.csv").read_text().split()[1:]] for name in ("times", "columns"))
    objectives = [tuple(read(folder, f"{way}_{what}{count:.0f}")["objective"] for way in ("kernel", "features"))
                  for what, table in (("", times), ("columns_", by_columns)) for count, _, _ in table]
    return {"choices": sorted(choices), "times": times, "times by columns": by_columns, "objectives": objectives}


def e8(folder):
    checked = read(folder, "check")
    return {"error": 1 - read(folder, "test")["accuracy"], "rows": read(folder, "fit")["rows"], "classes": len(read(folder, "fit")["classes"]),
            "alignment": checked["alignment"], "support vectors": read(folder, "fit")["support_vectors"]}


def e9(folder):
    """`on or inside`: the rows with y·f ≤ 1, where f > 0 speaks for class 1."""
    scores = [float(line) for line in (Path(folder) / "scores.txt").read_text().split()]
    labels = [line.split(",")[-1] for line in (Path(folder) / "train.csv").read_text().split()[1:]]
    margins = [score if label == "1" else -score for score, label in zip(scores, labels)]
    fitted = read(folder, "fit")
    return {"margin": fitted["norm"] ** -0.5, "hinge": fitted["loss"], "support vectors": fitted["support_vectors"],
            "hinge of scores": sum(max(0, 1 - margin) for margin in margins) / len(margins),
            "on or inside": sum(margin < 1.001 for margin in margins), "rows": fitted["rows"]}


def e10(folder):
    return {name: {"train": read(folder, f"{name}_train")["rmse"], "test": read(folder, f"{name}_test")["rmse"],
                   "norm": read(folder, f"{name}_fit")["norm"], "converged": read(folder, f"{name}_fit")["converged"]}
            for name in ("stiff", "right", "free", "smooth")}


def m13(folder):
    return {name: {"test": read(folder, f"{name}_test")["accuracy"], "rows": read(folder, f"{name}_model")["points"]} for name in ("nearest", "neighbours", "svm")}


def errors(folder, kernels, sizes):
    """The part of the test rows that is wrong, by the number of training rows."""
    return {rows: {kernel: 1 - read(folder, f"{kernel}_{rows}")["accuracy"] for kernel in kernels} for rows in sizes}


def d4(folder):
    return errors(folder, ("equal", "similar"), (10, 20, 40, 80, 160))


def d6(folder):
    return errors(folder, ("pixels", "orbit"), (50, 100, 200))


def i1(folder):
    return errors(folder, ("pixels", "hog", "patches"), (50, 100, 200))


def x2(folder):
    """How fast the spectral density falls, and what ‖f‖² penalizes, by kernel."""
    return {name: read(folder, name)["spectrum"] for name in ("rbf", "matern", "laplace", "mixture")}


def x12(folder):
    """The root of the mean squared error in the rows without b, through both outputs and from b alone; and what was learned of how they go together."""
    predicted = [float(line.split()[1]) for line in (Path(folder) / "both.txt").read_text().splitlines()]
    true = [float(line.split(",")[1]) for line in (Path(folder) / "b_test.csv").read_text().splitlines()[1:]]
    found = read(folder, "both")["diagnostics"]["coregionalization"]["values"]
    return {"both": (sum((p - t) ** 2 for p, t in zip(predicted, true)) / len(true)) ** 0.5, "alone": read(folder, "alone_test")["rmse"], "rows": len(true), "B": found}


def x5(folder):
    """How often each kernel notices, from little noise to much; the p-values of single columns and of both; and the canonical correlations."""
    rejected = [tuple(map(float, line.split(","))) for line in (Path(folder) / "rejected.csv").read_text().splitlines()[1:]]
    return {"rejected": rejected, "p": {columns: read(folder, f"without_{left_out}")["p_value"] for columns, left_out in (("x1", "x2"), ("x2", "x1"), ("both", "none"))},
            "correlations": {kernel: read(folder, f"cca_{kernel}")["correlations"][0] for kernel in ("linear", "rbf")}}


def x7(folder):
    return {name: {"test": read(folder, f"{name}_test")["accuracy"], "log loss": read(folder, f"{name}_test")["log_loss"]} for name in ("process", "svm")}


def x8(folder):
    return {"evidence": read(folder, "gp")["diagnostics"]["log_marginal_likelihood"]["value"],
            "bounds": {count: read(folder, f"sparse_{count}")["diagnostics"]["evidence_lower_bound"]["value"] for count in (3, 6, 20)}}


def x9(folder):
    return {"test": {budget: read(folder, f"test_{budget}")["accuracy"] for budget in (10, 40, 200)}, "svm": read(folder, "test_svm")["accuracy"],
            "points": {budget: read(folder, f"model_{budget}")["points"] for budget in (10, 40, 200)}, "support vectors": read(folder, "svm")["support_vectors"],
            "curve": [tuple(map(float, line.split(","))) for line in (Path(folder) / "accuracy.csv").read_text().splitlines()[1:]]}
