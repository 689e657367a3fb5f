#!/usr/bin/env python3
"""Gaussian processes: scikit-learn's GaussianProcessRegressor and Mercer, the evidence maximised by both, one thread. Seconds are
of the processor, so that other programs do not matter; both evidences are of the target in its own units."""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy  # after the thread settings
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--mercer", required=True, help="the command line")
    options.add_argument("-n", type=int, nargs="*", default=[1000, 3000])
    given = options.parse_args()
    print("| rows × 5 | scikit-learn, s | log evidence | Mercer, s | log evidence | ratio | apart at the same numbers |\n|---|---|---|---|---|---|---|")
    for n in given.n:
        random = numpy.random.default_rng(1)
        x = random.uniform(-2, 2, (n, 5))
        y = numpy.sin(2 * x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + numpy.cos(x[:, 3]) + 0.2 * x[:, 4] + 0.1 * random.standard_normal(n)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "data.csv"
            numpy.savetxt(path, numpy.c_[x, y], delimiter=",", header="a,b,c,d,e,y", comments="", fmt="%.17g")

            def fit(*arguments):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                command = [given.mercer, "--threads", "1", "--json", "fit", path, "--target", "y", "--method", "gp", *arguments]
                answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
                return answer["facts"]["log marginal likelihood"], seconds

            mine, seconds = fit("--kernel", "1*rbf(gamma=auto)")
            start = time.process_time()
            peer = GaussianProcessRegressor(ConstantKernel() * RBF() + WhiteKernel(), normalize_y=True).fit(x, y)
            peer_seconds = time.process_time() - start
            theirs = peer.log_marginal_likelihood_value_ - n * numpy.log(y.std())
            scale, kernel = y.var(), peer.kernel_
            same, _ = fit("--optimize", "none", "--noise", repr(float(kernel.k2.noise_level * scale)), "--kernel",
                          f"{float(kernel.k1.k1.constant_value * scale)!r}*rbf(sigma={float(kernel.k1.k2.length_scale)!r})")
        print(f"| {n} | {peer_seconds:.2f} | {theirs:.4f} | {seconds:.2f} | {mine:.4f} | {peer_seconds / seconds:.1f} | {abs(same - theirs):.1e} |", flush=True)


if __name__ == "__main__":
    main()
