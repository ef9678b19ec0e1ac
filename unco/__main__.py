"""`python -m unco` is the command `unco`."""

from unco.cli import main

main()
