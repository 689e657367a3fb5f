"""Frames in: how columns become numbers (expected by hand), scikit-learn's manners about names, and agreement with the command line in both directions."""
from __future__ import annotations

import copy
import json
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import DATA, mercer, needs_data, needs_mercer, scores
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC as SklearnSVC

from mercer import SVC, SVR, Kernel, KernelKMeans, KernelPCA, KernelRidge, LinearSVC, _mercer
from mercer.frames import Rows, encode, has_only_numbers, is_encoded, is_frame, learn, points_for, schema_of_numbers

pd = pytest.importorskip("pandas")
RNG = np.random.default_rng(11)
N = 60


def table() -> pd.DataFrame:
    return pd.DataFrame({
        "age": RNG.normal(40, 10, N).round(2), "colour": RNG.choice(["red", "green", "deep blue"], N), "size": pd.Categorical(RNG.choice([10, 9, 100], N)),
        "member": RNG.random(N) < 0.5,
        "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(RNG.integers(0, 1000, N), "D"), "count": RNG.integers(0, 9, N)})


TABLE = table()
ANSWER = pd.Series(np.where((TABLE.age > 40) ^ (TABLE.colour == "red"), "yes", "no"), name="answer")


# --- Estimators. ---------------------------------------------------------------------------------------------------------------


def test_frames_of_numbers_are_scikit_learns() -> None:
    X = TABLE[["age", "count"]]
    assert has_only_numbers(X) and is_frame(X) and not is_frame(X.age) and not has_only_numbers(TABLE)
    ours, theirs = SVC(tol=1e-6).fit(X, ANSWER), SklearnSVC(tol=1e-6).fit(X, ANSWER)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
    assert list(ours.feature_names_in_) == ["age", "count"] and ours.n_features_in_ == 2
    columns = ours.model_.schema.columns
    assert [c.name for c in columns] == ["age", "count"] and columns[0].mean == pytest.approx(X.age.mean()) and ours.model_.schema.target == "answer"
    assert not is_encoded(ours.model_.schema) and SVC().fit(X.to_numpy(), ANSWER).model_.schema.columns == []


def test_true_and_false_are_numbers_as_for_scikit_learn() -> None:
    X = TABLE[["age", "member"]]
    np.testing.assert_allclose(SVC(tol=1e-6).fit(X, ANSWER).decision_function(X), SklearnSVC(tol=1e-6).fit(X, ANSWER).decision_function(X), atol=1e-4)
    model = SVC().fit(X, ANSWER)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(model.predict(X.astype({"member": object})), model.predict(X))
        np.testing.assert_array_equal(model.predict(X.astype({"member": int})), model.predict(X))


def test_encoded_as_by_hand() -> None:
    by_hand = np.column_stack([TABLE.age, *(TABLE.colour == c for c in ("deep blue", "green", "red")), *(TABLE["size"].astype(int) == c for c in (9, 10, 100)), TABLE.member,
                               (TABLE.since - pd.Timestamp("1970-01-01")).dt.days, TABLE["count"]]).astype(float)
    ours, theirs = (KernelRidge(kernel="rbf", gamma=0.01).fit(X, TABLE.age) for X in (TABLE, by_hand))
    np.testing.assert_array_equal(ours.predict(TABLE), theirs.predict(by_hand))
    assert ours.n_features_in_ == 6 and list(ours.feature_names_in_) == list(TABLE.columns)
    np.testing.assert_array_equal(SVC().fit(TABLE, ANSWER).decision_function(TABLE),
                                  SVC().fit(by_hand, ANSWER).decision_function(by_hand))  # gamma='scale' is that of the encoded columns
    np.testing.assert_array_equal(Kernel("linear")(TABLE, TABLE[:4]), Kernel("linear")(by_hand, by_hand[:4]))
    np.testing.assert_array_equal(SVC(kernel=rbf_kernel).fit(TABLE, ANSWER).predict(TABLE), SVC(kernel=rbf_kernel).fit(by_hand, ANSWER).predict(by_hand))


def test_copies_pickles_searches_and_other_estimators() -> None:
    model = SVC().fit(TABLE, ANSWER)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(other.decision_function(TABLE), model.decision_function(TABLE))
    search = GridSearchCV(SVC(), {"C": [1, 100]}, cv=3).fit(TABLE, ANSWER)
    assert search.best_score_ > 0.4 and len(search.predict(TABLE)) == N
    assert len(cross_val_score(SVR(), TABLE, TABLE.age, cv=3)) == 3
    assert KernelKMeans(2).fit(TABLE).labels_.shape == (N,)
    assert KernelPCA(2).fit(TABLE).transform(TABLE).shape == (N, 2)
    assert LinearSVC().fit(TABLE, ANSWER).predict(TABLE).shape == (N,)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # clusters are told of the rows as they were encoded
        warnings.filterwarnings("ignore", message="column .size. has the dtype category")
        KernelKMeans(2).fit(TABLE)


def test_unseen_categories_are_none_of_those_known() -> None:
    model = SVR().fit(TABLE, TABLE.age)
    new = TABLE.assign(colour="violet")
    with pytest.warns(UserWarning, match="column 'colour': 'violet' not seen in training"):
        values = model.predict(new)
    rows = model.model_.schema
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not encode(new, rows).numbers[:, 1:4].any()
        np.testing.assert_array_equal(values, model.predict(new))


@pytest.mark.parametrize("change, message", [
    (lambda X: X[X.columns[::-1]], "Feature names must be in the same order"), (lambda X: X.rename(columns={"age": "years"}), "Feature names unseen at fit time:\n- years"),
    (lambda X: X.drop(columns="age"), "yet now missing:\n- age"), (lambda X: X.assign(more=1), "unseen at fit time:\n- more"),
    (lambda X: X.assign(age=np.nan), "Input X contains NaN"),
    (lambda X: X.assign(age="old"), "column 'age' holds numbers: could not convert string to float"),
    (lambda X: X.assign(since=3), "column 'since' holds dates in training, not numbers"),
    (lambda X: X.assign(since="soon"), "column 'since' holds dates"), (lambda X: X.assign(age=X.since), "column 'age' holds numbers in training, not dates"),
    (lambda X: X[:0], "0 sample"),
    (lambda X: X.to_numpy()[:, :3], "X has 3 features, but SVC is expecting 6 features"), (lambda X: X.age, "Expected 2D array, got 1D"),
    (lambda X: 3, "Expected 2D array, got 0D"),
    (lambda X: None, "Expected 2D array"), (lambda X: X.assign(colour=[["x"]] * len(X)), "column 'colour' holds values that are neither numbers nor text")])
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_other_frames_at_prediction(change: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SVC().fit(TABLE, ANSWER).predict(change(TABLE))


def test_arrays_after_frames_and_frames_without_names() -> None:
    model = SVC().fit(TABLE, ANSWER)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        np.testing.assert_array_equal(model.predict(TABLE.to_numpy()), model.predict(TABLE))
    plain = TABLE.set_axis(range(6), axis=1)
    model = SVC().fit(plain, ANSWER)
    assert not hasattr(model, "feature_names_in_") and [c.name for c in model.model_.schema.columns] == [f"column {j}" for j in range(1, 7)]
    np.testing.assert_array_equal(model.predict(plain), SVC().fit(TABLE, ANSWER).predict(TABLE))
    twice = TABLE.set_axis(["a", "b", "c", "a", "e", "f"], axis=1)
    np.testing.assert_array_equal(SVC().fit(twice, ANSWER).predict(twice), model.predict(plain))


# --- Objects among the columns. ------------------------------------------------------------------------------------------------


def test_columns_named_behind_the_kernel() -> None:
    X = TABLE[["age", "colour"]].assign(seq=["".join(RNG.choice(list("ACGT"), 15)) for _ in range(N)], words=[set("abc"[:i % 4]) for i in range(N)])
    kernel = "normalize(spectrum(k=3))@seq + 0.5*rbf(gamma=0.01)@age + bow@words"
    expected = Kernel("normalize(spectrum(k=3))")(X.seq) + 0.5 * Kernel("rbf(gamma=0.01)")(X[["age"]]) + Kernel("bow")(X.words)
    np.testing.assert_allclose(Kernel(kernel)(X), expected, rtol=1e-12)
    np.testing.assert_allclose(Kernel(kernel)(X[:7], X[5:9]), expected[:7, 5:9], rtol=1e-12)
    model = SVC(kernel=kernel, tol=1e-8).fit(X[:40], ANSWER[:40])
    matrix = SVC(kernel="precomputed", tol=1e-8).fit(expected[:40, :40], ANSWER[:40])
    np.testing.assert_allclose(model.decision_function(X), matrix.decision_function(expected[:, :40]), atol=1e-5)
    assert [(c.name, c.objects) for c in model.model_.schema.columns] == [("age", None), ("colour", None), ("seq", "sequence"), ("words", "symbols")]
    assert model.n_features_in_ == 4
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    with pytest.raises(ValueError, match=r"column 'seq': X\[3\] is None"):
        model.predict(X.assign(seq=[None if i == 3 else s for i, s in enumerate(X.seq)]))


def test_bags_beside_numbers() -> None:
    X = TABLE[["age"]].assign(bag=[RNG.normal(size=(i % 3 + 1, 2)) for i in range(N)])
    expected = Kernel("set(rbf(gamma=1))")(list(X.bag)) + np.outer(X.age, X.age)
    np.testing.assert_allclose(Kernel("set(rbf(gamma=1))@bag + linear@age")(X), expected, rtol=1e-12)
    model = SVR(kernel="set(rbf(gamma=1))@bag + linear@age", C=0.01).fit(X, X.age)
    assert model.predict(X[:5]).shape == (5,)
    with pytest.raises(ValueError), pytest.warns(UserWarning, match="valid feature names"):
        model.predict(list(X.bag))


def test_weights_and_a_series_of_texts() -> None:
    X = pd.Series(["ACA", "CAC", "AAA", "CCC"], name="seq", index=[9, 3, 7, 1])
    weighted = SVC(kernel="spectrum(k=1)").fit(X, [0, 1, 0, 1], sample_weight=[1, 1, 2, 2])
    twice = SVC(kernel="spectrum(k=1)").fit([*X, "AAA", "CCC"], [0, 1, 0, 1, 0, 1])
    np.testing.assert_allclose(weighted.decision_function(X), twice.decision_function(list(X)), atol=1e-2)
    assert weighted.model_.schema.columns[0].name == "seq" and len(cross_val_score(SVC(kernel="spectrum(k=1)"), X, [0, 1, 0, 1], cv=2)) == 2
    with pytest.raises(ValueError, match="sample_weight"):
        SVC(kernel="spectrum(k=1)").fit(X, [0, 1, 0, 1], sample_weight=[1, 2])


def test_the_one_column_of_texts() -> None:
    X = pd.DataFrame({"n": [1.0, 2.0, 4.0], "seq": ["ACA", "CAC", "AAA"]})
    np.testing.assert_array_equal(Kernel("spectrum(k=1) + linear")(X), Kernel("spectrum(k=1)")(X.seq) + np.outer(X.n, X.n))
    np.testing.assert_array_equal(Kernel("spectrum(k=1)")(X[["seq"]]), Kernel("spectrum(k=1)")(list(X.seq)))
    model = SVR(kernel="spectrum(k=1)").fit(X[["seq"]], X.n)
    with pytest.warns(UserWarning, match="valid feature names"):
        np.testing.assert_array_equal(model.predict(list(X.seq)), model.predict(X[["seq"]]))
    for frame, message in ((X.assign(t="x"), "which may be in 'seq', 't'; name the column after the kernel: kernel@seq"), (X[["n"]], "no column holds objects")):
        with pytest.raises(ValueError, match=message):
            Kernel("spectrum(k=1)")(frame)
    with pytest.raises(ValueError, match="compares column 'no', but the columns are 'n', 'seq'"):
        Kernel("spectrum@no")(X)


# --- The command line. ---------------------------------------------------------------------------------------------------------


def with_gaps() -> pd.DataFrame:
    X = TABLE.copy()
    X.loc[3, "colour"], X.loc[9, "colour"] = None, "  red"
    X["since"] = X.since + pd.to_timedelta(np.arange(N), "h")
    X["name, first"] = np.where(np.arange(N) % 3, 'says "hi", twice', "née")
    return X


@needs_mercer
def test_a_model_of_a_frame_predicts_a_table_on_the_command_line(tmp_path: Path) -> None:
    X = with_gaps()
    model = SVR(kernel="rbf(gamma=0.01)", C=10).fit(X, TABLE.age.rename("answer"))
    model.model_.save(str(tmp_path / "m.mercer"))
    X.sample(frac=1, random_state=1).to_csv(tmp_path / "other.csv", index=False)
    X.assign(answer=1).iloc[:, ::-1].to_csv(tmp_path / "table.csv", index=False)
    np.testing.assert_allclose(scores(mercer(tmp_path, "predict", "m.mercer", "table.csv")).ravel(), model.predict(X), rtol=1e-12)
    np.testing.assert_allclose(scores(mercer(tmp_path, "predict", "m.mercer", "other.csv")).ravel(), model.predict(X.sample(frac=1, random_state=1)), rtol=1e-12)
    numbers = TABLE[["age", "count"]]
    classifier = SVC().fit(numbers, ANSWER)
    classifier.model_.save(str(tmp_path / "c.mercer"))
    numbers.iloc[:, ::-1].to_csv(tmp_path / "numbers.csv", index=False)
    assert mercer(tmp_path, "predict", "c.mercer", "numbers.csv").split() == list(classifier.predict(numbers))
    numbers.assign(answer=ANSWER).to_csv(tmp_path / "judged.csv", index=False)  # the target is known by its name
    assert json.loads(mercer(tmp_path, "evaluate", "c.mercer", "judged.csv", "--json"))["accuracy"] == pytest.approx(classifier.score(numbers, ANSWER))


@needs_mercer
def test_objects_of_a_frame_on_the_command_line(tmp_path: Path) -> None:
    X = TABLE.assign(seq=["".join(RNG.choice(list("ACGT"), 15)) for _ in range(N)])
    model = SVC(kernel="spectrum(k=2)@seq + rbf(gamma=0.01)").fit(X, ANSWER)
    model.model_.save(str(tmp_path / "m.mercer"))
    X.to_csv(tmp_path / "x.csv", index=False)
    np.testing.assert_allclose(scores(mercer(tmp_path, "predict", "m.mercer", "x.csv", "--score")).ravel(), model.decision_function(X), rtol=1e-9)


@needs_mercer
@pytest.mark.parametrize("tolerant", [True, False])
def test_a_model_of_a_table_predicts_a_frame(tmp_path: Path, tolerant: bool) -> None:
    X = with_gaps() if tolerant else TABLE.drop(columns="since")
    if tolerant:
        X.loc[5, "age"] = np.nan
    X.assign(answer=ANSWER).to_csv(tmp_path / "x.csv", index=False)
    mercer(tmp_path, "fit", "x.csv", "-o", "m.mercer", "--target", "answer", "--quiet", "--method", "svm", "--kernel", "rbf(gamma=0.01)",
           *(["--scale", "standard"] if tolerant else []))
    model = _mercer.Model.load(str(tmp_path / "m.mercer"))
    rows = encode(X.iloc[:, ::-1].assign(more=1), model.schema, fill=True)
    np.testing.assert_allclose(model.predict(rows.points())["scores"], scores(mercer(tmp_path, "predict", "m.mercer", "x.csv", "--score")), rtol=1e-9, atol=1e-9)
    if tolerant:
        with pytest.raises(ValueError, match="Input X contains NaN"):
            encode(X, model.schema)
        with pytest.raises(ValueError, match="there is no column 'age'; the columns are"):
            encode(X.drop(columns="age"), model.schema)


@needs_mercer
def test_a_model_of_bags_predicts_a_list(tmp_path: Path) -> None:
    mercer(tmp_path, "generate", "sets", "-n", "40", "-o", "x.csv", "--quiet")
    mercer(tmp_path, "fit", "x.csv", "-o", "m.mercer", "--bag", "bag", "--method", "svm", "--kernel", "set(rbf(gamma=1))", "--quiet")
    X = pd.read_csv(tmp_path / "x.csv")
    model = _mercer.Model.load(str(tmp_path / "m.mercer"))
    members = [column.name for column in model.schema.columns if not column.objects]
    bags = [group[members].to_numpy() for _, group in X.groupby("bag", sort=False)]
    np.testing.assert_allclose(model.predict(encode(bags, model.schema).points())["scores"], scores(mercer(tmp_path, "predict", "m.mercer", "x.csv", "--score")), rtol=1e-9)


@needs_data
@needs_mercer
def test_molecules_of_a_real_table(tmp_path: Path) -> None:
    """Which molecules pass into the brain (Martins et al. 2012): the model of a frame says the same of the file."""
    path = DATA / "mol_bbbp" / "bbbp.csv"
    if not path.exists():
        pytest.skip("bbbp is not among the data sets")
    X = pd.read_csv(path)[:200].assign(weight=lambda table: table.smiles.str.len())
    try:
        model = SVC(kernel="tanimoto@smiles + 0.1*rbf(gamma=0.001)@weight").fit(X[["weight", "smiles"]], X.p_np)
    except ValueError as error:
        if "RDKit" not in str(error):
            raise
        pytest.skip(str(error))
    model.model_.save(str(tmp_path / "m.mercer"))
    X.to_csv(tmp_path / "x.csv", index=False)
    np.testing.assert_allclose(scores(mercer(tmp_path, "predict", "m.mercer", "x.csv", "--score")).ravel(), model.decision_function(X[["weight", "smiles"]]), rtol=1e-9, atol=1e-9)


# --- Pieces. -------------------------------------------------------------------------------------------------------------------


def test_schemas_of_numbers() -> None:
    assert schema_of_numbers(np.eye(2), []).columns == []
    K = pd.DataFrame(np.eye(4), columns=list("abcd"))
    assert SVC(kernel="precomputed").fit(K, [0, 1, 0, 1]).model_.schema.columns == []
    assert SVC(kernel=rbf_kernel).fit(K, [0, 1, 0, 1]).model_.schema.columns == []
    assert [c.mean for c in schema_of_numbers(np.array([[1, 2], [3, 6]], np.float32), ["a", "b"]).columns] == [2, 4]


def test_points_for_a_kernel() -> None:
    first, second = points_for(_mercer.Kernel("rbf"), TABLE[["age"]], TABLE[["age"]][:3])
    assert first.names == ["age"] and second is not None and second.rows == 3
    with pytest.raises(ValueError, match="X and Y must have the same columns in the same order, not age, count and count, age"):
        Kernel("rbf")(TABLE[["age", "count"]], TABLE[["count", "age"]])
    assert isinstance(learn(TABLE, []), Rows) and points_for(_mercer.Kernel("rbf"), np.eye(2))[1] is None
