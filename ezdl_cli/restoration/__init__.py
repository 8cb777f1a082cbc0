"""Denoising with block matching and simultaneous sparse coding (Mairal et al. 2009).

denoise     the public function: channels, noise level, tiles
passes      the two passes over a tile: the pilot, then groups of similar patches
pilot       kernel of the first, matching and groups kernels of the second
regions     which pixels and patches depend on which
adaptation  learning the dictionary anew on the noisy picture
"""
