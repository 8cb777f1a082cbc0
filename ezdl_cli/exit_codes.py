"""Exit codes of the command line; 0 is success."""

FAILED = 1  # an error that is not the user's: full disk, too little memory
USAGE_ERROR = 2  # wrong use or unusable input
REGRESSION, TOO_FEW_RUNS, LOCKED = 3, 4, 5  # of `ezdl bench`
INTERRUPTED, TERMINATED = 130, 143  # 128 plus the number of the signal, as shells do
