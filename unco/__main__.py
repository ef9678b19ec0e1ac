"""`python -m unco` is the command `unco`."""

if __name__ == "__main__":
    try:
        from unco.cli import main

        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
