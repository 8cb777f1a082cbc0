"""Restoration of images from sparse codes of their patches.

reproduction            images rebuilt from codes of their blocks (`ez.reproduce`)
quality                 SSIM, PSNR, rounding to 8 bits
denoising               `ez.denoise`: noise levels and dictionaries of the channels, tile by tile
denoising_parameters    the parameters of denoising, and the two rules for them
scaled_image            an image on the scale from 0 to 255, channel by channel
noise_level             its estimate from smooth patches
tile_denoising          the two passes over a tile
pilot_estimate          the first pass: each patch separately
group_estimate          the second pass: groups of similar patches, which block_matching finds
dictionary_adaptation   training of the dictionary on the noisy image
regions                 which pixels and patches depend on which
"""
