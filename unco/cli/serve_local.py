"""unco serve-local: an LLM from a file, behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from unco.cli.app import Json, command
from unco.cli.exits import Exit
from unco.cli.output import flush, say


@command(
    "serve-local",
    "unco serve-local --weights small.gguf",
    "unco serve-local --weights small.gguf --port 0 --context 4096 --json",
)
def serve_local(
    weights: Annotated[Path, typer.Option("--weights", metavar="FILE", help="The weights: a GGUF file.")],
    host: Annotated[str, typer.Option("--host", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 for any that is free.")] = 8080,
    context: Annotated[
        int, typer.Option("--context", min=512, max=1 << 20, help="Tokens of prompt and reply together.")
    ] = 8192,
    alias: Annotated[str, typer.Option("--alias", help="The name of the LLM, in place of the file's.")] = "",
    threads: Annotated[
        int, typer.Option("--threads", min=0, max=1024, help="Threads that compute; 0: the engine chooses.")
    ] = 0,
    as_json: Json = False,
) -> Exit:
    """Serve an LLM from a file on this machine until Ctrl-C (needs the extra `local`)."""
    from unco.llm.local import Local, serve

    local = Local(weights, host, port, context, alias, threads)

    def tell(base_url: str) -> None:
        settings = local.settings(base_url)
        if as_json:
            say(json.dumps({"base_url": base_url, "model": local.model, "settings": settings}))
        else:
            say(f"{local.model} is served at {base_url}; Ctrl-C ends it.\n\nA settings file for --llm:\n\n{settings}")
            say("`cache_prompt` false is needed: without it llama.cpp does not repeat itself at temperature 0.")
        flush()

    serve(local, tell)
