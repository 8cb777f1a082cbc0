"""Restoration of images from their patches.

reproduction            images rebuilt from codes of their blocks (`ez.reproduce`)
quality                 SSIM, PSNR, rounding to 8 bits
denoising               `ez.denoise`: noise levels and dictionaries of the channels, tile by tile
denoising_prior         `ez.DenoisingPrior`, which is called many times
denoising_parameters    the parameters of denoising, and two sets of rules for them
scaled_image            an image on the scale from 0 to 255, channel by channel
noise_estimate          `ez.estimate_noise`
noise_level             the level of white noise, from smooth patches
noise_colour            levels of luminance and colour differences, also of noise that is not white
clipped_noise           the bias of noise that was clipped at black and white
dictionary_passes       the first two passes over a tile of a channel, by sparse codes
group_estimate          one of them: patches in groups of similar ones, which block_matching finds
kept_estimates          estimates of the first pass that the second one uses again
refinement              the third pass over a tile, over all channels together
wiener_estimate         its estimates, by the mean and covariance of groups
dictionary_adaptation   training of the dictionary on the noisy image
plug_and_play           the loop of the following tasks, and their denoiser by a dictionary
similar_patches         their denoiser without a dictionary
degraded_image          their input, as channels
large_images            images in overlapping tiles
inpainting              `ez.inpaint`
smooth_filling          its first estimate of missing pixels
conditional_estimate    its rounds: patches estimated from their known pixels
conditional_mean        the kernel of these estimates
upscaling               `ez.upscale`
bicubic                 bicubic reduction and enlargement
deblurring              `ez.deblur`
blurred_noise           its estimate of the noise
blurring                blur by a kernel
blur_kernels            kernels of motion, defocus and averages
regions                 which pixels and patches depend on which
workspace_pool          memory of the kernels that is used again
"""
