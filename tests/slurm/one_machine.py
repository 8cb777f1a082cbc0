"""Run the pipeline on a real Slurm cluster that consists of this machine: `make test-slurm`.

Requires root and Debian, preferably in a container. Slurm and munge are installed if they are
missing, and remain installed. Their daemons listen on the address of this machine's host name
(usually that of the loopback interface) and keep their files in a temporary folder, except
/etc/slurm/slurm.conf; if that file exists already, the test refuses to run.

The ci profile is run with config/profiles/slurm, and again without Slurm. Jobs must get the
resources of their rules; all tables must be identical, except those of times; a failing step and a
missing Slurm must be reported clearly. Finally, all processes are stopped and all files removed.
"""

import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(sys.executable).parent
CONFIGURATION = Path("/etc/slurm/slurm.conf")
TEMPLATE = Path(__file__).with_name("slurm.conf")
TIMED = {"tables/speedups.csv", "figures/fig05_speedups.csv", "tables/epochs.csv"}
PROFILE = ("--workflow-profile", "config/profiles/slurm")
# Expected jobs: comment, state, CPUs, memory, time, and whether they share a node.
EXPECTED = (
    "rule_train|COMPLETED|1|1000M|30:00|OK",
    "rule_denoising_table|COMPLETED|8|2000M|30:00|OK",
    "rule_speedups_table|COMPLETED|8|500M|31:00|NO",
    "rule_samples_images_patches_whitened|COMPLETED|8|2000M|2:30:00|OK",
    "rule_history_history_table|COMPLETED|8|2000M|50:00|OK",
)
SECONDS = 1500  # in total
MUNGE = ("key-file", "socket", "pid-file", "seed-file", "log-file")


def main():
    """Run everything within a time limit, and clean up."""
    if os.geteuid() != 0:
        sys.exit("test-slurm: root is required, to install Slurm and to write its configuration")
    for number in STOPPED_BY:
        signal.signal(number, stop)
    signal.alarm(SECONDS)
    install()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ezdl-slurm-")))
        folder.chmod(0o755)
        stack.enter_context(cluster(folder / "cluster"))
        slurm = run_tiny(folder / "slurm", "snakemake", *PROFILE, "--configfile", "config/ci.yaml")
        check_jobs()
        check_failure(folder / "failing")
        local = run_tiny(folder / "local", "ezdl", "run", "--profile", "ci")
        compare(slurm, local)
    say("passed, and everything was cleaned up")


STOPPED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)


def stop(number, frame):
    """Clean up and exit, ignoring further signals."""
    for other in STOPPED_BY:
        signal.signal(other, signal.SIG_IGN)
    why = f"timeout of {SECONDS} s" if number == signal.SIGALRM else signal.Signals(number).name
    sys.exit(f"test-slurm: aborted: {why}")


def say(text):
    print(f"test-slurm: {text}", flush=True)


def fail(text):
    sys.exit(f"test-slurm: FAILED: {text}")


def output(*arguments):
    """Return the standard output of a command."""
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


@contextmanager
def started(folder, *arguments, **environment):
    """Start a process in a new session, and end the session with the block."""
    log = folder / f"{Path(arguments[0]).name}.log"
    with log.open("a") as file:
        process = subprocess.Popen(
            arguments,
            stdout=file,
            stderr=file,
            cwd=folder,
            env=os.environ | environment,
            start_new_session=True,
        )
    try:
        yield process, log
    finally:
        with suppress(subprocess.TimeoutExpired, ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
            process.wait(20)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


# The cluster


def install():
    """Install Slurm and munge from Debian, if they are missing."""
    if all(shutil.which(name) for name in ("munged", "slurmctld", "slurmd", "sbatch")):
        return
    if not shutil.which("apt-get"):
        sys.exit("test-slurm: Slurm is not installed, and neither is apt-get to install it")
    say("installing slurm-wlm and munge")
    apt = ("apt-get", "-qq", "-y", "-o", "DPkg::Lock::Timeout=120")
    output(*apt, "update")
    output(*apt, "install", "--no-install-recommends", "slurm-wlm", "munge")


@contextmanager
def cluster(folder):
    """Run Slurm with two nodes, both of them this machine, during the block."""
    (folder / "state").mkdir(parents=True)
    key = folder / "munge.key"
    key.touch(0o600)
    key.write_bytes(secrets.token_bytes(128))
    files = [f"--{name}={folder}/munge.{name.split('-')[0]}" for name in MUNGE]
    with ExitStack() as stack:
        stack.enter_context(configuration(folder))
        stack.enter_context(started(folder, "munged", "--foreground", *files))
        wait_for("munge", (folder / "munge.socket").exists, folder)
        stack.enter_context(started(folder, "slurmctld", "-D"))
        for node in ("n1", "n2"):
            stack.enter_context(started(folder, "slurmd", "-D", "-N", node))
        wait_for("two nodes", lambda: idle_nodes() == 2, folder)
        stack.callback(cancel_jobs, folder)
        say(f"{output('sinfo', '--version').strip()} runs, with two nodes")
        yield


@contextmanager
def configuration(folder):
    """Install the configuration of Slurm during the block."""
    if CONFIGURATION.exists():
        sys.exit(f"test-slurm: {CONFIGURATION} exists already; nothing was changed")
    host = socket.gethostname().split(".")[0]
    address = socket.gethostbyname(socket.gethostname())
    CONFIGURATION.write_text(TEMPLATE.read_text().format(folder=folder, host=host, address=address))
    try:
        yield
    finally:
        CONFIGURATION.unlink()


def wait_for(what, holds, folder, seconds=30):
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            for log in sorted(folder.glob("*.log")):
                print(f"--- {log.name}", *log.read_text().splitlines()[-10:], sep="\n")
            fail(f"no {what} within {seconds} s")
        time.sleep(0.2)


def idle_nodes():
    sinfo = ("sinfo", "--noheader", "--Node", "--format=%t")
    done = subprocess.run(sinfo, check=False, capture_output=True, text=True)
    return done.stdout.split().count("idle")


def cancel_jobs(folder):
    """Cancel the remaining jobs, so that none outlives its daemon."""
    output("scancel", "--user=root")
    wait_for("end of all jobs", lambda: not output("squeue", "--noheader"), folder)
    wait_for("end of their processes", lambda: not job_processes(folder), folder)


def job_processes(folder):
    """Return the working directories of processes in the folders of the pipeline."""
    folders = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):
            folders.append(link.readlink())
    ours = [path for path in folders if folder.parent in path.parents]
    return [path for path in ours if folder not in (path, *path.parents)]


# The runs


def project(folder):
    """Copy the files that a run of the pipeline needs into a new folder."""
    folder.mkdir()
    shutil.copy(ROOT / "Snakefile", folder)
    shutil.copytree(ROOT / "config", folder / "config")
    return folder


def run(folder, command, *arguments, **environment):
    """Run a command of this environment, and return its exit code and output."""
    with started(folder, str(SCRIPTS / command), *arguments, **environment) as (process, log):
        code = process.wait()
    text = log.read_text()
    log.unlink()
    return code, text


def run_tiny(folder, *command):
    """Run the ci profile in a new folder, and return the folder of its results."""
    begin = time.monotonic()
    code, text = run(project(folder), *command)
    if code:
        print(text)
        fail(f"{' '.join(command)} ended with code {code}")
    say(f"{' '.join(command)}: {time.monotonic() - begin:.0f} s")
    return folder / "results" / "ci"


def check_jobs():
    """Print the jobs of Slurm, and check that they got the resources of their rules."""
    listed = output("squeue", "--noheader", "--states=all", "--format=%k|%T|%C|%m|%l|%h")
    jobs = Counter(re.sub("_wildcards.*?[|]", "|", line) for line in listed.splitlines())
    say("jobs, their number, state, CPUs, memory, time and whether they share a node:")
    for job, count in sorted(jobs.items()):
        say(f"  {count:2d} {job.replace('|', ' ')}")
    for job in EXPECTED:
        if job not in jobs:
            fail(f"there is no job {job}")
    if any("|COMPLETED|" not in job for job in jobs):
        fail("not all jobs were completed")


def check_failure(folder):
    """Check that a failing step and a missing Slurm are reported."""
    (project(folder) / "photos" / "train").mkdir(parents=True)
    (folder / "photos" / "train" / "broken.png").write_text("not an image")
    options = (*PROFILE, "--configfile", "config/ci.yaml", "--config", "images=photos", "--")
    command = ("snakemake", *options, "data/ci/images/manifest.json")
    check_failed_with(run(folder, *command), "ezdl images import", "broken.png: not an image")
    (folder / "bin").mkdir()
    for name in ("bash", "which"):
        (folder / "bin" / name).symlink_to(shutil.which(name))
    check_failed_with(
        run(folder, *command, PATH=str(folder / "bin")), "Slurm is not available here"
    )


def check_failed_with(done, *words):
    """Check that a run failed with this output."""
    code, text = done
    if code == 0 or not all(word in text for word in words):
        print(text)
        fail(f"code {code}, and not all of {words} in the above")
    say(f"fails as expected: {' ... '.join(words)}")


def compare(slurm, local):
    """Check that all tables are the same with and without Slurm."""
    names = [
        {str(path.relative_to(results)) for path in results.rglob("*.csv")} - TIMED
        for results in (slurm, local)
    ]
    if names[0] != names[1] or not names[0]:
        fail(f"tables of one run only: {names[0] ^ names[1]}")
    different = [
        name
        for name in sorted(names[0])
        if (slurm / name).read_bytes() != (local / name).read_bytes()
    ]
    if different:
        fail(f"tables differ: {', '.join(different)}")
    say(f"{len(names[0])} tables are identical; {len(TIMED)} tables of times are not compared")


if __name__ == "__main__":
    main()
