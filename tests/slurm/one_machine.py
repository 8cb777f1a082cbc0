"""The pipeline through real Slurm, on a cluster that is this one machine: `make test-slurm`.

Needs root and Debian, best in a container. Slurm and munge are installed if they are missing, and
stay. Their daemons listen on the address that this machine's name has here (the loopback's, most
often) and have their files in a temporary folder, but for /etc/slurm/slurm.conf, where jobs look
for it; where there is one already, nothing is done.

The tiny profile runs through Slurm, with config/profiles/slurm as it is, and once more without.
Jobs must get what their rules ask for; all tables must be the same, byte for byte, but for those
that hold times; a step that fails, and a machine without Slurm, must be told clearly. However this
ends, what it started is stopped and what it wrote is removed.
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
# What some jobs must look like: comment, state, CPUs, memory, time, whether they share a node.
EXPECTED = (
    "rule_train|COMPLETED|1|1000M|30:00|OK",
    "rule_denoising_table|COMPLETED|8|2000M|30:00|OK",
    "rule_speedups_table|COMPLETED|8|500M|31:00|NO",
    "rule_samples_images_patches_whitened|COMPLETED|8|2000M|2:30:00|OK",
    "rule_history_history_table|COMPLETED|8|2000M|50:00|OK",
)
SECONDS = 1500  # for everything
MUNGE = ("key-file", "socket", "pid-file", "seed-file", "log-file")


def main():
    """Run everything, within bounds of time, and clean up."""
    if os.geteuid() != 0:
        sys.exit("test-slurm: this needs root, to install Slurm and to write its configuration")
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
    say("all is well, and everything was cleaned up")


STOPPED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)


def stop(number, frame):
    """Clean up and end; not to be disturbed."""
    for other in STOPPED_BY:
        signal.signal(other, signal.SIG_IGN)
    why = f"{SECONDS} s are over" if number == signal.SIGALRM else signal.Signals(number).name
    sys.exit(f"test-slurm: ended early: {why}")


def say(text):
    print(f"test-slurm: {text}", flush=True)


def fail(text):
    sys.exit(f"test-slurm: FAILED: {text}")


def output(*arguments):
    """What a command prints."""
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout


@contextmanager
def started(folder, *arguments, **environment):
    """A process with a session of its own, which ends, with all in it, when the block does."""
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
    """Get Slurm and munge from Debian, if they are missing."""
    if all(shutil.which(name) for name in ("munged", "slurmctld", "slurmd", "sbatch")):
        return
    if not shutil.which("apt-get"):
        sys.exit("test-slurm: there is no Slurm, and no apt-get to install it with")
    say("installing slurm-wlm and munge")
    apt = ("apt-get", "-qq", "-y", "-o", "DPkg::Lock::Timeout=120")
    output(*apt, "update")
    output(*apt, "install", "--no-install-recommends", "slurm-wlm", "munge")


@contextmanager
def cluster(folder):
    """Slurm with two nodes, both of them this machine, as long as the block lasts."""
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
    """Slurm's configuration where jobs look for it, as long as the block lasts."""
    if CONFIGURATION.exists():
        sys.exit(f"test-slurm: {CONFIGURATION} is there already; nothing was done")
    host = socket.gethostname().split(".")[0]
    address = socket.gethostbyname(socket.gethostname())
    CONFIGURATION.write_text(TEMPLATE.read_text().format(folder=folder, host=host, address=address))
    try:
        yield
    finally:
        CONFIGURATION.unlink()


def wait_for(what, holds, folder, seconds=30):
    """Wait until something holds."""
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
    """End the jobs that are left, so that none outlives its daemon."""
    output("scancel", "--user=root")
    wait_for("end of all jobs", lambda: not output("squeue", "--noheader"), folder)
    wait_for("end of their processes", lambda: not job_processes(folder), folder)


def job_processes(folder):
    """Where processes work in folders beside that of the cluster."""
    places = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):
            places.append(link.readlink())
    ours = [place for place in places if folder.parent in place.parents]
    return [place for place in ours if folder not in (place, *place.parents)]


# What runs on it


def project(folder):
    """The files that a run of the pipeline needs."""
    folder.mkdir()
    shutil.copy(ROOT / "Snakefile", folder)
    shutil.copytree(ROOT / "config", folder / "config")
    return folder


def run(folder, command, *arguments, **environment):
    """Run a command beside this Python; returns its exit code and what it said."""
    with started(folder, str(SCRIPTS / command), *arguments, **environment) as (process, log):
        code = process.wait()
    said = log.read_text()
    log.unlink()
    return code, said


def run_tiny(folder, *command):
    """Run the tiny profile in a folder of its own; returns its results."""
    begin = time.monotonic()
    code, said = run(project(folder), *command)
    if code:
        print(said)
        fail(f"{' '.join(command)} ended with code {code}")
    say(f"{' '.join(command)}: {time.monotonic() - begin:.0f} s")
    return folder / "results" / "ci"


def check_jobs():
    """Show Slurm's jobs; they got what their rules and the profile say."""
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
    """A step that fails is told with its call and its reason, and a lack of Slurm is told, too."""
    (project(folder) / "photos" / "train").mkdir(parents=True)
    (folder / "photos" / "train" / "broken.png").write_text("no picture")
    options = (*PROFILE, "--configfile", "config/ci.yaml", "--config", "images=photos", "--")
    command = ("snakemake", *options, "data/ci/images/manifest.json")
    check_words(run(folder, *command), "ezdl images import", "broken.png: not an image")
    (folder / "bin").mkdir()
    for name in ("bash", "which"):
        (folder / "bin" / name).symlink_to(shutil.which(name))
    check_words(run(folder, *command, PATH=str(folder / "bin")), "There is no Slurm here")


def check_words(done, *words):
    """A run failed and said this."""
    code, said = done
    if code == 0 or not all(word in said for word in words):
        print(said)
        fail(f"code {code}, and not all of {words} in the above")
    say(f"fails as it should: {' ... '.join(words)}")


def compare(slurm, local):
    """All tables are the same, whether Slurm ran them or not."""
    names = [
        {str(path.relative_to(results)) for path in results.rglob("*.csv")} - TIMED
        for results in (slurm, local)
    ]
    if names[0] != names[1] or not names[0]:
        fail(f"tables that one run has, the other has not: {names[0] ^ names[1]}")
    different = [
        name
        for name in sorted(names[0])
        if (slurm / name).read_bytes() != (local / name).read_bytes()
    ]
    if different:
        fail(f"tables differ: {', '.join(different)}")
    say(f"{len(names[0])} tables are the same, byte for byte; {len(TIMED)} hold times")


if __name__ == "__main__":
    main()
