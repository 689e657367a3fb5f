"""How the tests of mercer-mpi start jobs, and what mercer says of the models."""

import csv
import os
import subprocess

MERCER, MPI, MPIRUN = os.environ["MERCER"], os.environ["MERCER_MPI"], os.environ["MPIRUN"]
LAUNCH = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]


def launch(ranks, *arguments):
    return [*LAUNCH, "-n", str(ranks), MPI, *map(str, arguments)]


def spread(ranks, *arguments, **more):
    return subprocess.run(launch(ranks, *arguments), capture_output=True, text=True, timeout=240, **more)


def mixed(*programs):
    """A job with one rank for each of the programs, given with their arguments."""
    command = list(LAUNCH)
    for program in programs:
        command += [":"] * (len(command) > len(LAUNCH)) + ["-n", "1", *map(str, program)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def mercer(*arguments):
    done = subprocess.run([MERCER, *map(str, arguments)], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout


def table(path):
    """The numbers of a CSV file with a header."""
    with open(path) as file:
        return [[float(cell) for cell in row] for row in list(csv.reader(file))[1:]]


def ranks_of(job):
    """The processes of a job that was started here, in the order of their ranks."""
    return [int(one) for one in subprocess.run(["pgrep", "-P", str(job.pid)], capture_output=True, text=True).stdout.split()]
