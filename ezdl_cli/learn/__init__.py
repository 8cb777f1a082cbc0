"""Dictionary learning.

learner       the interface of a learner: start here to add one
ezdl          EZDL, odl ODL, rls_dla RLS-DLA: parameters with their defaults, learner, kernels
training      the initial dictionary and the loop over epochs, the same for all learners
estimators    the learners as scikit-learn estimators
"""
