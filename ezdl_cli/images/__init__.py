"""Image files: finding them, decoding them to pixels or grey values, and collections of them.

formats        table of the supported formats; a new one is added here
decoding       from the bytes of a file to pixels
greyscale      from pixels to 8-bit grey values: `read_grey`
colours        from pixels to 8-bit colours: `read_colours`
metadata       EXIF data, resolution and number of frames; `exif` has what is kept of them
masks          which pixels of an image are missing; kernel_files has blur kernels
image_writing  from pixels to a file
finding        image files in folders and archives; also builtin, mcgill
collection     folders of 8-bit grey PNG files with a manifest
guards         limits for untrusted files
"""
