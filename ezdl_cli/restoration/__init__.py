"""Restoration of images from sparse codes of their patches.

reproduction            images rebuilt from codes of their blocks (`ez.reproduce`)
quality                 SSIM, PSNR, rounding to 8 bits
denoising               `ez.denoise`: noise levels and dictionaries of the channels, tile by tile
denoising_parameters    the parameters of denoising, and the two rules for them
scaled_image            an image on the scale from 0 to 255, channel by channel
noise_estimate          `ez.estimate_noise`
noise_level             the level of white noise, from smooth patches
noise_colour            levels of luminance and colour differences, also of noise that is not white
clipped_noise           the bias of noise that was clipped at black and white
tile_denoising          the two passes over a tile
group_estimate          a pass: patches in groups of similar ones, which block_matching finds
kept_estimates          estimates of the first pass that the second one uses again
dictionary_adaptation   training of the dictionary on the noisy image
regions                 which pixels and patches depend on which
"""
