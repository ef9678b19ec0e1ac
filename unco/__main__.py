"""`python -m unco` is the command `unco`."""

from unco.cli import main

if __name__ == "__main__":
    main()
