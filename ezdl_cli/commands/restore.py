"""`ezdl restore`: measure how well a dictionary restores degraded images."""

from dataclasses import dataclass

import click
import numpy as np

from .. import io
from ..experiments.restoration_labels import DEBLURRING, INPAINTING, SUPER_RESOLUTION
from ..experiments.restoration_tasks import MAX_BLUR, MAX_FACTOR, MAX_MISSING, TASKS
from ..images.greyscale import read_grey
from ..restoration.quality import to_uint8
from ..samples.patches import image_rng
from ._shared.common_options import quiet_option, seed_option, skip_bad_option
from ._shared.console import echo_skipped, silence_decoders
from ._shared.dictionary_columns import dictionary_columns
from ._shared.grouped_help import flag, new_command, option, path_argument, path_option
from ._shared.image_experiments import (
    atom_side,
    central_crop,
    check_crop,
    collected_rows,
    crop_option,
    save_examples,
    save_image,
    shown_crops,
    stem,
    usable_images,
)
from ._shared.option_errors import option_errors
from ._shared.output_paths import check_outputs
from ._shared.parameter_types import Integer, Number, NumberList
from ._shared.progress_bar import fraction_callback, progress

COLUMNS = ("image", "task", "setting", "sigma")
STAGES = ("_baseline", "", "_without_dictionary")
PICTURE_TITLES = ("Original", "Degraded", "Baseline", "Restored")
STEPS = 100  # of the progress bar, per image and setting
MAIN, IMAGES = "Main options", "Images"


@dataclass(frozen=True)
class Trial:
    """An image, and how it is degraded."""

    name: str
    path: str
    task: str
    setting: float
    sigma: float

    def degrade(self, crop, seed):
        """Return the degraded image; it depends only on the seed, the name and the setting."""
        image = central_crop(read_grey(self.path), crop).astype(np.float64)
        rng = image_rng(seed, f"{stem(self.name)} {self.task} {self.setting:.12g}.png")
        return TASKS[self.task].degrade(image, self.setting, self.sigma, rng)

    def save(self, folder, degraded, restored):
        """Save the degraded and the restored image, unless `folder` is None."""
        name = f"{stem(self.name)}-{self.task}-{self.setting:.12g}"
        save_image(folder, f"{name}-degraded", degraded.shown)
        save_image(folder, name, to_uint8(restored))


@new_command("ezdl restore dictionary.npz photos/denoise table.csv")
@path_argument("source", metavar="DICT.npz")
@path_argument("images", metavar="IMAGES")
@path_argument("target", metavar="TABLE.csv")
@option(
    "--task tasks",
    click.Choice(tuple(TASKS)),
    tuple(TASKS),
    "What to measure; repeat it for several tasks.",
    group=MAIN,
    multiple=True,
    show_default="all",
)
@option(
    "--factors",
    NumberList(Integer(2, MAX_FACTOR)),
    "2,3,4",
    "Factors of super-resolution, by which images are reduced first.",
    group=MAIN,
)
@option(
    "--blurs",
    NumberList(Number(0.3, MAX_BLUR)),
    "1,1.6,2.5",
    "Standard deviations of Gaussian blur for deblurring, in pixels.",
    group=MAIN,
)
@option(
    "--noise",
    Number(0.0, 255.0),
    2.0,
    "Standard deviation of the noise in blurred images, on the scale from 0 to 255.",
    group=MAIN,
)
@option(
    "--missing",
    NumberList(Number(1.0, MAX_MISSING)),
    "50,80",
    "Percentages of the pixels that are missing for inpainting, at random positions.",
    group=MAIN,
)
@flag(
    "--without-dictionary",
    "Also restore images without a dictionary, by the mean and covariance of similar patches.",
    group=MAIN,
)
@crop_option(IMAGES)
@path_option(
    "--save-images", "DIR", "Save degraded and restored images as PNG in this folder.", group=IMAGES
)
@path_option(
    "--picture",
    "OUT.png",
    "Save crops of the first image, degraded and restored, for one setting of each task.",
    group=IMAGES,
)
@path_option(
    "--examples",
    "OUT.png",
    "Save the same crops pixel by pixel, for the comparisons in the report.",
    group=IMAGES,
)
@seed_option
@skip_bad_option
@quiet_option
def command(
    source,
    images,
    target,
    crop,
    save_images,
    picture,
    examples,
    seed,
    skip_bad,
    quiet,
    without_dictionary,
    **settings,
):
    """Reduce, blur or remove pixels of the images in the folder IMAGES, and measure how well the
    dictionary restores them.

    TABLE.csv has one row per image, task and setting: PSNR and SSIM of the restored image and of a
    baseline. The baseline of super-resolution is bicubic interpolation, that of inpainting is
    biharmonic inpainting, and that of deblurring is the best of several Wiener filters, chosen with
    the help of the original. Grey values are measured; in super-resolution, without a border of 6
    pixels. Noise and missing pixels depend only on the seed, the name of the image and the setting.
    """
    outputs = [target, picture, examples]
    check_outputs(outputs, [source])
    dictionary = io.load_dictionary(source)
    degradations = list(_degradations(**settings))
    side = atom_side(source, dictionary)
    min_side = max(TASKS[task].min_side(setting, side) for task, setting, _ in degradations)
    check_crop(crop, min_side)
    folder = None if save_images is None else io.check_folder(save_images)
    usable, unusable = usable_images(images, outputs, folder, min_side, skip_bad, stem)
    trials = [Trial(*image, *degradation) for image in usable for degradation in degradations]
    columns, shown = dictionary_columns(source, dictionary), []
    atoms = (dictionary.W, None) if without_dictionary else (dictionary.W,)
    with (
        collected_rows(target) as rows,
        silence_decoders(),
        progress(STEPS * len(atoms) * len(trials), "Restoring images", quiet) as advance,
    ):
        for trial in trials:
            degraded = trial.degrade(crop, seed)
            with option_errors(trial.path, W=source):
                restored = [degraded.restore(W, fraction_callback(advance, STEPS)) for W in atoms]
            rows.append(columns | _row(trial, degraded, restored))
            trial.save(folder, degraded, restored[0])
            if trial.name == usable[0][0]:
                shown.append((trial, degraded, restored[0]))
    save_examples(_examples(shown), PICTURE_TITLES, picture, examples)
    echo_skipped(unusable)


def _degradations(tasks, factors, blurs, missing, noise):
    """Yield the settings of all tasks that are measured, and their noise."""
    settings = {SUPER_RESOLUTION: factors, DEBLURRING: blurs, INPAINTING: missing}
    for task in TASKS:
        if task in tasks:
            sigma = noise if TASKS[task].is_noisy else 0.0
            yield from ((task, setting, sigma) for setting in settings[task])


def _row(trial, degraded, restored):
    """Return the columns of a row that describe a degradation and its results."""
    row = dict(zip(COLUMNS, (trial.name, trial.task, trial.setting, trial.sigma), strict=True))
    results = (degraded.baseline, *restored)
    stages = STAGES[: len(results)]  # the last one only if it was requested
    quality = dict(zip(stages, map(degraded.quality, results), strict=True))
    psnr = {f"psnr{stage}": one[0] for stage, one in quality.items()}
    return row | psnr | {f"ssim{stage}": one[1] for stage, one in quality.items()}


def _examples(shown):
    """Return one example of each task, for the setting in the middle, with crops of one size."""
    by_task = {}
    for trial, degraded, restored in shown:
        by_task.setdefault(trial.task, []).append((trial, degraded, restored))
    chosen = [found[len(found) // 2] for found in by_task.values()]
    side = min(side for _, degraded, _ in chosen for side in degraded.original.shape)
    return [
        io.RestorationExample(
            float(trial.setting),
            shown_crops(degraded.original, *images, side=side),
            tuple(degraded.quality(image)[0] for image in images),
            trial.task,
        )
        for trial, degraded, restored in chosen
        for images in ((degraded.shown, degraded.baseline, restored),)
    ]
