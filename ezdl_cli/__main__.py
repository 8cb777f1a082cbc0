"""`python -m ezdl_cli`, which is the same as `ezdl`."""

from .cli import main

if __name__ == "__main__":
    main()
