"""Dictionary learning.

learner       the interface of a learner: start here to add one
ezdl          EZDL, odl ODL, rls_dla RLS-DLA: parameters with their defaults, learner, kernels
training      the initial dictionary and the loop over epochs, the same for all learners
estimators    the learners as scikit-learn estimators
"""

# Length of a training unless given; `config/paper.yaml` has the paper's.
DEFAULT_N_ATOMS = 256
DEFAULT_N_EPOCHS = 100
DEFAULT_SAMPLES_PER_EPOCH = 30_000
