"""ICC profiles: whether one describes the values of an image."""

GREY, RGB = b"GRAY", b"RGB "
MAX_PROFILE = 1 << 22  # bytes; JPEG files can hold 16 MiB


def fitting_profile(profile, space):
    """Return an ICC profile if it is for this colour space, and notes on why it is not used.

    Parameters
    ----------
    profile : bytes or None
        From a file; decoders return other types if it is damaged.
    space : bytes or None
        GREY or RGB; None if the values were converted.

    Returns
    -------
    profile : bytes or None
    notes : tuple of str
    """
    if not profile:
        return None, ()
    if not isinstance(profile, bytes) or len(profile) < 128:
        return None, ("a damaged ICC profile was left out",)
    if len(profile) > MAX_PROFILE:
        return None, (f"an ICC profile of more than {MAX_PROFILE} bytes was left out",)
    if profile[16:20] != space:
        name = profile[16:20].decode("ascii", "replace").strip()
        name = f" for {name} values" if name.isalnum() and name.isascii() else ""
        return None, (f"an ICC profile{name} was left out, which does not describe the result",)
    return profile, ()
