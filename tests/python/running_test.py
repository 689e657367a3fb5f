"""Long work beside Python: it is interrupted, other threads go on, forks and daemon threads do no harm. (The bar: progress_test.py.)

What may hang or end the interpreter runs in a process of its own. The bounds in seconds are far from what is usual: they tell an answer from none.
"""
from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import mercer

LONG = 60  # seconds after which something hangs

BEGIN = """
import sys, threading, time
import numpy as np
import mercer
numbers = np.random.default_rng(0)
X, y = numbers.normal(size=(8000, 40)), numbers.integers(0, 2, 8000)
never_ends = mercer.SVC(C=1e6, tol=1e-12, n_jobs=1)
"""


def script(body: str, before: str = "") -> list[str]:
    return [sys.executable, "-c", before + BEGIN + textwrap.dedent(body)]


def interrupted(body: str, after: float = 0.5) -> tuple[str, str]:
    """Output and errors of a script that gets a Ctrl-C some seconds after it has said `begun`."""
    with subprocess.Popen(script(body), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"begun\n", process.stderr.read().decode()
            try:
                process.wait(after)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=LONG)
            return output.decode(), errors.decode()
        finally:
            process.kill()


WORK = {
    "fit": ("", "never_ends.fit(X, y)"),
    "fit with a bar": ("never_ends.verbose = 1", "never_ends.fit(X, y)"),
    "fit of several classes on all threads": ("never_ends.n_jobs = 2; y = y + 2 * (X[:, 0] > 0)", "never_ends.fit(X, y)"),
    "a fit of few rows": ("seek = mercer.GaussianProcessRegressor('rbf(gamma=1)', alpha='auto', n_restarts_optimizer=1000)", "seek.fit(X[:300, :2], X[:300, 2])"),
    "predict": ("model = mercer.SVC(kernel='manhattan(lambda=0.1)', n_jobs=1).fit(X[:2000], y[:2000]); Z = np.tile(X, (50, 1))", "model.predict(Z)"),
    "k(X, Y)": ("k = mercer.Kernel('manhattan(lambda=0.1)'); X = np.tile(X[:4000], (1, 25))", "k(X, X[::-1].copy())"),
    "k(X)": ("k = mercer.Kernel('manhattan(lambda=0.1)'); X = np.tile(X[:5000], (1, 25))", "k(X)"),
    "a kernel of Python's": ("slow = lambda a, b: (time.sleep(0.2), a @ b.T)[1]", "mercer.SVC(kernel=slow).fit(np.tile(X, (3, 1)), np.tile(y, 3))"),
}


@pytest.mark.parametrize("work", WORK)
def test_control_c_stops(work: str) -> None:
    before, during = WORK[work]
    output, errors = interrupted(f"""
        {before}
        print("begun", flush=True)
        try:
            {during}
            print("ended")
        except KeyboardInterrupt:
            print("interrupted", mercer.SVC().fit(X[:50], y[:50]).predict(X[:50]).shape)  # and goes on to work
    """)
    assert output == "interrupted (50,)\n", errors


def test_an_interrupted_fit_leaves_no_model() -> None:
    output, errors = interrupted("""
        print("begun", flush=True)
        try:
            never_ends.fit(X, y)
        except KeyboardInterrupt:
            print(hasattr(never_ends, "model_"))
    """)
    assert output == "False\n", errors


def test_what_a_handler_of_signals_raises_arrives() -> None:
    output, errors = interrupted("""
        import signal
        class Enough(Exception): pass
        def handler(number, frame): raise Enough("of it")
        signal.signal(signal.SIGINT, handler)
        print("begun", flush=True)
        try:
            never_ends.fit(X, y)
        except Enough as enough:
            print(enough)
    """)
    assert output == "of it\n", errors


def test_a_listener_that_raises_stops_the_work() -> None:
    done = subprocess.run(script("""
        from mercer import progress
        def broken(self, what, fraction): raise BrokenPipeError("nobody reads")
        progress.Bar.__call__ = broken
        try:
            never_ends.set_params(verbose=1).fit(X, y)
        except BrokenPipeError as error:
            print(error)
    """), capture_output=True, text=True, timeout=LONG)
    assert done.stdout == "nobody reads\n", done.stderr


def test_other_threads_go_on_while_a_fit_runs() -> None:
    done = subprocess.run(script("""
        import os
        def count():
            time.sleep(0.3)  # the fit has begun
            for counted in range(50):
                time.sleep(0.001)
            print(counted, flush=True)
            os.kill(os.getpid(), 2)
        threading.Thread(target=count).start()
        never_ends.fit(X, y)
    """), capture_output=True, text=True, timeout=LONG)
    assert done.stdout == "49\n" and done.stderr.endswith("KeyboardInterrupt\n"), done.stderr


def test_python_ends_after_the_work_of_daemon_threads() -> None:
    # What is registered first is called last: the thread has time to say that it was stopped.
    done = subprocess.run(script("""
        import os
        from mercer import progress
        begun = threading.Event()
        progress.Bar.__call__ = lambda self, what, fraction: begun.set()
        def work():
            try:
                never_ends.set_params(verbose=1).fit(X, y)
            except SystemExit:
                os.write(1, b"stopped")
        threading.Thread(target=work, daemon=True).start()
        begun.wait()
    """, before="import atexit, time; atexit.register(time.sleep, 1)"), capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped", "")


def test_nothing_is_begun_when_python_leaves() -> None:
    done = subprocess.run(script("""
        import atexit
        def late():
            try:
                mercer.SVC().fit(X[:50], y[:50])
            except RuntimeError as error:
                print(error)
        from mercer import _mercer
        atexit._run_exitfuncs()
        late()
    """), capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stdout) == (0, "Python is about to end: nothing new is begun\n"), done.stderr


# --- The same answers. -------------------------------------------------------------------------------------------------------


def problem(seed: int) -> tuple[np.ndarray, np.ndarray]:
    numbers = np.random.default_rng(seed)
    X = numbers.normal(size=(300, 6))
    return X, (X[:, 0] * X[:, 1] + 0.3 * numbers.normal(size=300) > 0).astype(int) + (X[:, 2] > 1)


def answers(seed: int) -> np.ndarray:
    X, y = problem(seed)
    if seed % 3 == 0:
        return mercer.KernelRidge(kernel="rbf", alpha=0.1).fit(X, X[:, 0] * X[:, 1]).predict(X)
    if seed % 3 == 1:
        return mercer.KernelPCA(n_components=3, kernel="rbf").fit(X).transform(X)
    return mercer.SVC(C=3, kernel="rbf(gamma=0.2) + 0.1*linear").fit(X, y).decision_function(X)


def test_threads_that_fit_side_by_side_get_the_same_bits() -> None:
    seeds = range(24)
    alone = [answers(seed) for seed in seeds]
    with ThreadPoolExecutor(4) as threads:
        for expected, found in zip(alone, threads.map(answers, seeds)):
            np.testing.assert_array_equal(found, expected)


def test_many_threads_ask_one_model() -> None:
    X, y = problem(1)
    model = mercer.SVC(kernel="rbf(gamma=0.2) + 0.1*linear", probability=True).fit(X, y)
    rows = [X[i::7] for i in range(7)] * 8
    alone = [model.predict_proba(part) for part in rows]
    with ThreadPoolExecutor(8) as threads:
        for expected, found in zip(alone, threads.map(model.predict_proba, rows)):
            np.testing.assert_array_equal(found, expected)


def test_a_kernel_of_pythons_in_several_threads() -> None:
    X, y = problem(2)

    def fit(C: float) -> np.ndarray:
        return mercer.SVC(kernel=lambda a, b: (a @ b.T + 1) ** 2, C=C).fit(X, y).decision_function(X)

    alone = [fit(C) for C in (0.1, 1, 10, 100)]
    with ThreadPoolExecutor(4) as threads:
        for expected, found in zip(alone, threads.map(fit, (0.1, 1, 10, 100))):
            np.testing.assert_array_equal(found, expected)


def test_threads_do_not_pile_up() -> None:
    done = subprocess.run(script("""
        import os
        from concurrent.futures import ThreadPoolExecutor
        fit = lambda _: mercer.SVC(n_jobs=2).fit(X[:600], y[:600])
        def most():
            with ThreadPoolExecutor(12) as pool:
                list(pool.map(fit, range(24)))
            return len(os.listdir("/proc/self/task"))
        print([most() for _ in range(4)])
    """), capture_output=True, text=True, timeout=LONG)
    assert done.returncode == 0, done.stderr
    first, *later = json.loads(done.stdout)
    assert min(later) <= first + 4, later  # 12 workers of 2 threads each came and went every time; on a busy machine some still go


def test_short_work_starts_no_thread() -> None:
    done = subprocess.run(script("""
        import os
        import warnings
        warnings.simplefilter("ignore")
        def threads(): return len(os.listdir("/proc/self/task"))
        X, y = X[:150], y[:150]
        from sklearn.datasets import load_iris  # which loads what scikit-learn needs
        before = threads()
        models = [mercer.SVC(), mercer.SVC(probability=True), mercer.NuSVC(nu=0.1), mercer.LinearSVC(), mercer.KernelLogisticRegression()]
        for model in models: model.fit(X, y).predict(X)
        for model in (mercer.SVR(), mercer.KernelRidge(kernel="rbf"), mercer.KernelRidge(kernel="rbf", approx="nystrom:20")): model.fit(X, X[:, 0]).predict(X)
        mercer.OneClassSVM().fit(X).predict(X)
        mercer.KernelPCA(kernel="rbf").fit(X).transform(X)
        print(threads() - before)
    """), capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr


# --- Processes. --------------------------------------------------------------------------------------------------------------


def in_pool(context: str) -> None:
    alone = [answers(seed) for seed in range(6)]
    X = np.random.default_rng(0).normal(size=(5000, 6))
    mercer.KernelRidge(kernel="rbf").fit(X, X[:, 0])  # the parent has used all threads before
    with multiprocessing.get_context(context).Pool(2) as pool:
        for expected, found in zip(alone, pool.map_async(answers, range(6)).get(LONG)):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_processes_of_multiprocessing(context: str) -> None:
    in_pool(context)


def test_a_fork_while_another_thread_fits() -> None:
    done = subprocess.run(script("""
        import os
        threading.Thread(target=lambda: never_ends.fit(X, y), daemon=True).start()
        time.sleep(0.3)
        child = os.fork()
        mercer.SVC().fit(X[:50], y[:50])
        if child == 0:
            sys.exit(5)  # as a process does that ends by itself, with all that is done at exit
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """), capture_output=True, text=True, timeout=LONG)
    assert (done.returncode, done.stdout) == (0, "5\n"), done.stderr


def test_worker_processes_of_joblib() -> None:
    import joblib

    alone = [answers(seed) for seed in range(6)]
    for expected, found in zip(alone, joblib.Parallel(n_jobs=2, backend="loky", timeout=LONG)(joblib.delayed(answers)(seed) for seed in range(6))):
        np.testing.assert_array_equal(found, expected)
