"""Dictionary learning.

learner               the interface of a learner: start here to add one
ezdl                  EZDL: its parameters with their defaults, and the learner
ezdl_update           the kernels of EZDL
ezdl_full_update      the kernels with the gradient of the inference model
activity              which atoms are used in an epoch of EZDL, and how sparsely
odl                   ODL: parameters, learner and kernels
rls_dla               the same for RLS-DLA
training              the initial dictionary and the loop over epochs, the same for all learners
estimators            the learners as scikit-learn estimators: parameters and documentation
dictionary_estimator  the part that they share: `fit`, `transform`, `score`, …
estimator_input       samples, arrays and data frames that are passed to them
ezdl_codes            the codes of EZDL that `transform` returns
random_state          seeds for what scikit-learn users pass as `random_state`
"""

# Defaults for the size of a dictionary and the length of training; config/paper.yaml has those of
# the paper.
DEFAULT_N_ATOMS = 256
DEFAULT_N_EPOCHS = 100
DEFAULT_SAMPLES_PER_EPOCH = 30_000
