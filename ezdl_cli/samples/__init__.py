"""Training samples: random patches of images, the store that learners draw from, whitening."""
