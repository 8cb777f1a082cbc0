"""The parts of the paper that claims belong to, by the first letter of their ids."""

PARTS = {
    "P": "Projection",
    "D": "Learned dictionaries",
    "R": "Reproduction of images",
    "S": "Speed of learning",
    "N": "Denoising",
    "X": "Predictions",
}


def by_part(findings):
    """Return the findings of each part that has any, by the letter of the part."""
    found = {letter: [one for one in findings if one.claim.id[0] == letter] for letter in PARTS}
    return {letter: part for letter, part in found.items() if part}
