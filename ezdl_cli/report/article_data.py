"""What the article shows, as JSON content for its templates in `report/article`."""

from dataclasses import asdict, dataclass
from pathlib import Path

from .. import io
from ..claims.claim import VERDICTS, Missing
from ..claims.claim_formats import SYMBOLS
from ..claims.evidence import Evidence
from ..claims.parts import PARTS
from ..durations import format_duration
from ..figures import FIGURES, stem
from ..platforms import available_cores
from ..provenance import OTHER_PACKAGES, surroundings, versions
from ..provenance import commit as current_commit
from .article_claims import claim_content, typeset
from .setup_differences import setup_differences

N_STEPS = 12  # steps whose times are listed, the longest ones
MAX_NAMED = 5  # more photographs are not listed by name


@dataclass(frozen=True)
class Section:
    """A part of the paper with its claims and figures."""

    key: str
    letter: str
    """Initial letter of the ids of its claims."""
    figures: tuple[tuple[str, ...], ...] = ()
    """Rows of figures that stand side by side."""


SECTIONS = (
    Section(
        "projection",
        "P",
        (("sparseness", "auxiliary"), ("flowchart", "evaluations"), ("speedups",)),
    ),
    Section(
        "dictionaries",
        "D",
        (
            ("gabor", "phases"),
            ("whitened-topographic", "whitened-rank"),
            ("rank1-ordinary", "rank1-topographic"),
        ),
    ),
    Section(
        "reproduction",
        "R",
        (("iterations", "ezdl"), ("odl", "rls-dla"), ("envelopes",)),
    ),
    Section("speed", "S", (("history",),)),
    Section("denoising", "N", (("denoising",),)),
    Section("predictions", "X", (("super-resolution", "deblurring"), ("inpainting",))),
)
PHOTOGRAPHS = (("reproduction", "reproduction", 98), ("denoising", "denoising", 81))
N_LEARNING = 314  # photographs that the paper's dictionaries were learned from


def article_data(folder, results):
    """Return what the templates of the article show.

    Parameters
    ----------
    folder : path
        Results of the pipeline.
    results : PipelineResults
        The same, as read by `load_results`.

    Returns
    -------
    dict
        Content for a JSON file.
    """
    trained, configuration = _first_dictionary(folder), results.configuration
    claims = {one.claim.id: claim_content(one) for one in results.findings}
    return {
        "name": results.name,
        "version": versions()["ezdl"],
        "verdicts": _by_verdict(claims.values()),
        "symbols": SYMBOLS,
        "sections": [_section(one, claims) for one in SECTIONS],
        "claims": claims,
        "figures": {one.name: _figure(one) for one in results.figures},
        "configured": bool(configuration),
        "differences": [_difference(one) for one in setup_differences(configuration)],
        "photographs": _photographs(folder, trained),
        **_provenance(results.name, configuration, trained),
        **_times(results.step_times),
    }


def _figure(figure):
    about = FIGURES[figure.name]
    return {
        "number": about.number,
        "title": about.title,
        "caption": typeset(about.caption),
        "file": f"{stem(figure.name)}.{figure.shown_format}",
    }


def _section(section, claims):
    chosen = [name for name in claims if name.startswith(section.letter)]
    return {
        **asdict(section),
        "title": PARTS[section.letter],
        "claims": chosen,
        "verdicts": _by_verdict([claims[name] for name in chosen]),
    }


def _by_verdict(claims):
    """Return the ids of the claims with each verdict."""
    return {
        verdict: [one["id"] for one in claims if one["verdict"] == verdict] for verdict in VERDICTS
    }


def _difference(one):
    return {
        "label": one.label,
        "here": typeset(one.here),
        "paper": typeset(one.paper),
        "parts": ", ".join(one.parts),
    }


def _first_dictionary(folder):
    """Return the metadata of the first of the dictionaries; None if there are none."""
    for path in sorted((Path(folder) / "dictionaries").glob("*.npz")):
        return io.load_dictionary(path).metadata
    return None


def _photographs(folder, trained):
    """Return how many photographs were used for what, as far as the results show it."""
    found = []
    samples = trained and trained.samples
    if samples and samples.n_samples and samples.per_image:
        number = -(-samples.n_samples // samples.per_image)
        found.append({"use": "learning", "number": number, "paper": N_LEARNING, "names": ""})
    evidence = Evidence([folder])
    for kind, use, paper in PHOTOGRAPHS:
        try:
            names = sorted({str(name) for name in evidence.table(kind)["image"]})
        except (KeyError, Missing):
            continue
        stems = [Path(name).stem for name in names]
        shown = f"{', '.join(stems)}; " if len(stems) <= MAX_NAMED else ""
        found.append({"use": use, "number": len(names), "paper": paper, "names": shown})
    return found


def _provenance(name, configuration, trained):
    """Return the commands, the commit and the versions of a run."""
    commit = (trained and trained.commit) or ""
    profile = configuration.get("profile")
    profile = profile if isinstance(profile, str) else name
    images = configuration.get("images", "builtin")
    images = "" if images == "builtin" else " --images FOLDER"
    return {
        "commit": commit,
        "commands": [
            "make setup",
            "source .venv/bin/activate",
            f"ezdl run --profile {profile}{images}",
            f"ezdl report results/{profile} article.pdf",
        ],
        "versions": _versions(configuration, trained),
    }


def _versions(configuration, trained):
    """Return rows of a table: what, its version in the run, and here."""
    run, here = dict(trained.versions if trained else {}), surroundings()
    others = [f"{name} {here.pop(name)}" for name in OTHER_PACKAGES if name in here]
    run |= {"commit": trained and trained.commit, "cores": configuration.get("cores")}
    here |= {
        "other packages": ", ".join(others),
        "commit": current_commit(),
        "cores": available_cores(),
    }
    return [[name, *(str(found.get(name) or "") for found in (run, here))] for name in here]


def _times(steps):
    """Return the times of the longest steps, and of all of them together."""
    return {
        "steps": [
            {
                "title": one.title,
                "runs": str(one.n_runs),
                "seconds": f"{one.seconds:.1f}",
                "cpu": f"{one.cpu_seconds:.1f}",
                "memory": "" if one.peak_mib is None else f"{one.peak_mib:.0f}",
            }
            for one in steps[:N_STEPS]
        ],
        "total": {
            "wall": format_duration(sum(one.seconds for one in steps)),
            "cpu": format_duration(sum(one.cpu_seconds for one in steps)),
        },
    }
