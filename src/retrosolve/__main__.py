"""``python -m retrosolve``: the command line."""

from retrosolve.cli import main

if __name__ == "__main__":
    main()
