"""The settings file of LLMs: each field reaches its LLM, each fault has its place, and no key is ever shown."""

from __future__ import annotations

import re
from dataclasses import fields
from decimal import Decimal
from pathlib import Path

import pytest

from unco.llm.budget import Budget, Price
from unco.llm.endpoint import Endpoint, Patience, Structure
from unco.llm.settings import NAMES, Served, Settings, budget_of, parse_settings, read_settings
from unco.specs.diagnostics import render_text
from unco.specs.errors import SpecificationError, UsageError

SHARED = """
defaults: {base_url: http://localhost:8080/v1, max_tokens: 9000}
drafter: {model: large, temperature: 0.7, at_once: 4}
validator: {model: small, base_url: https://example.org/v1, key_variable: EXAMPLE_KEY}
"""
WHOLE = """
renderer:
  base_url: http://localhost/v1
  model: m
  key_variable: KEY
  temperature: 1.25
  max_tokens: 77
  extra: '{"cache_prompt": false}'
  connect_seconds: 3
  total_seconds: 60.5
  per_minute: 30
  structure: json_object
  limit_field: max_completion_tokens
  patience: {attempts: 2, seconds: 120, first_wait: 0.5, longest_wait: 9}
  price: {prompt: 0.10, completion: 1.4, currency: USD}
  at_once: 3
"""


PAGE = Path(__file__).parents[2] / "docs" / "llm.md"


def refusal(text: str) -> str:
    with pytest.raises(SpecificationError) as caught:
        parse_settings(text, "llm.yaml")
    return render_text(caught.value.diagnostics, caught.value.text)


def test_a_task_takes_its_own_fields_and_the_defaults_for_the_rest():
    found = parse_settings(SHARED)
    place = "http://localhost:8080/v1"
    assert found.drafter == Served(Endpoint(place, "large", temperature=Decimal("0.7"), max_tokens=9000), 4)
    assert found.validator == Served(Endpoint("https://example.org/v1", "small", "EXAMPLE_KEY", max_tokens=9000))
    assert found.renderer is None


def test_every_field_of_an_endpoint_can_be_set():
    found = parse_settings(WHOLE).renderer
    assert found == Served(
        Endpoint(
            "http://localhost/v1", "m", "KEY", Decimal("1.25"), 77, '{"cache_prompt": false}', 3, 60.5, 30,
            Structure.OBJECT, "max_completion_tokens", Patience(2, 120, 0.5, 9),
            Price(Decimal("0.10"), Decimal("1.4"), "USD"),
        ), 3,
    )  # fmt: skip
    unset = Endpoint("http://h", "n")
    assert all(getattr(found.endpoint, each.name) != getattr(unset, each.name) for each in fields(Endpoint))
    assert all(f"{name}:" in WHOLE for name in NAMES)


def test_a_file_is_read_as_its_text_is(tmp_path):
    path = tmp_path / "llm.yaml"
    path.write_text(SHARED, encoding="utf-8")
    assert read_settings(path) == parse_settings(SHARED)
    assert isinstance(read_settings(path), Settings)


@pytest.mark.parametrize(
    ("text", "told"),
    {
        "drafter: {base_url: http://h/v1}": ("UNC108", "1:1", "`model`"),
        "defaults: {model: m, base_url: http://h/v1}": ("UNC108", "1:1", "drafter, renderer, validator"),
        "drafters: {model: m}": ("UNC107", "1:1", "did you mean `drafter`"),
        "drafter:\n  modell: m": ("UNC107", "2:3", "did you mean `model`"),
        "drafter:\n  model: m\n  price: {prompts: 1}": ("UNC107", "3:11", "did you mean `prompt`"),
        "": ("UNC103", "1:1", "settings such as `drafter: {"),
        "drafter: {model: m, base_url: http://h/v1, extra: {cache_prompt: false}}":
            ("UNC109", "1:51", """JSON text in quotes, as in `extra: '{"cache_prompt": false}'`"""),
        "drafter: {model: m, base_url: http://h/v1, temperature: hot}": ("UNC109", "1:57", "expected: a decimal"),
        "drafter: {model: m, base_url: http://h/v1, total_seconds: long}": ("UNC109", "1:59", "expected: a number"),
        "drafter: {model: m, base_url: http://h/v1, at_once: 1.5}": ("UNC109", "1:53", "expected: a whole number"),
        "drafter: gpt": ("UNC109", "1:10", "`drafter`"),
        "- drafter": ("UNC109", "1:1", "settings of LLMs"),
        "drafter: {model: [m], base_url: http://h/v1}": ("UNC109", "1:18", "`model`"),
        "drafter: {model: m, base_url: http://h/v1, max_tokens: many}": ("UNC109", "1:56", "`many`"),
        "drafter: {model: m, base_url: http://h/v1, max_tokens: 0}": ("UNC109", "1:10", "max_tokens of at least 1"),
        "drafter: {model: m, base_url: http://h/v1, at_once: 0}": ("UNC109", "1:10", "1 to 1024"),
        "drafter: {model: m, base_url: http://h/v1, temperature: NaN}": ("UNC109", "1:57", "`NaN`"),
        "drafter: {model: m, base_url: http://h/v1, structure: xml}": ("UNC109", "1:55", "json_schema"),
        "drafter: {model: m, base_url: ftp://h}": ("UNC109", "1:10", "http"),
        "defaults: {price: {prompt: -1}}\ndrafter: {model: m, base_url: http://h/v1}": ("UNC109", "2:10", "negative"),
        "defaults: {max_tokens: x}\ndrafter: {model: m, base_url: http://h/v1}": ("UNC109", "1:24", "`x`"),
        "drafter: {model: m": ("UNC103", "1:", ""),
        "drafter: {}\ndrafter: {}": ("UNC104", "2:1", ""),
    }.items(),
)  # fmt: skip
def test_a_fault_is_told_with_its_place(text, told):
    code, place, words = told
    found = refusal(text)
    assert f"llm.yaml:{place}" in found
    assert f"error {code}" in found
    assert words in found


@pytest.mark.parametrize(
    "field",
    ["api_key", "key", "key_variable", "authorization", "Bearer", "secret"],
)
def test_a_key_that_stands_in_the_file_is_refused_and_not_shown(field):
    found = refusal(f"drafter:\n  base_url: http://h/v1\n  model: m\n  {field}: sk-4f1d77c09be2")
    assert "environment" in found
    assert "4f1d77c09be2" not in found


SECRETS = [
    '{"api_key": "4f1d77c09be2"}',
    '{"apiKey": "4f1d77c09be2"}',
    '{"x-api-key": "4f1d77c09be2"}',
    '{"Authorization": "4f1d77c09be2"}',
    '{"extra_headers": {"OpenAI-Organization": "o", "authorization": "4f1d77c09be2"}}',
    '{"tools": [{"server": {"AUTH_TOKEN": "4f1d77c09be2"}}]}',
    '{"key": "4f1d77c09be2"}',
    '{"token": "4f1d77c09be2"}',
    '{"accessToken": "4f1d77c09be2"}',
    '{"client_secret": ["4f1d77c09be2"]}',
    '{"password": 1}',
    '{"user": "Bearer 4f1d77c09be2"}',
    '{"user": "sk-4f1d77c09be2"}',
    '{"a": ' + "[" * 400 + '{"secret": "4f1d77c09be2"}' + "]" * 400 + "}",
]


@pytest.mark.parametrize("extra", SECRETS)
def test_extra_fields_that_hold_a_credential_are_refused_at_their_place_and_not_shown(extra):
    found = refusal(f"drafter:\n  base_url: http://h/v1\n  model: m\n  extra: '{extra}'")
    assert "llm.yaml:4:10: error UNC109: `extra` holds what looks like a credential" in found
    assert "environment variable" in found
    assert "key_variable" in found
    assert "4f1d77c09be2" not in found
    with pytest.raises(UsageError, match="key_variable") as caught:
        Endpoint("http://h/v1", "m", extra=extra)
    assert "4f1d77c09be2" not in str(caught.value)


def test_a_credential_in_the_defaults_is_refused_there():
    found = refusal(f"defaults: {{extra: '{SECRETS[0]}'}}\ndrafter: {{base_url: http://h/v1, model: m}}")
    assert "llm.yaml:1:19: error UNC109" in found


@pytest.mark.parametrize(
    "extra",
    [
        '{"cache_prompt": false, "max_tokens": 5, "stop_token_ids": [1], "skip_special_tokens": true}',
        '{"prompt_cache_key": "unco", "safety_identifier": "sk-1", "metadata": {"keyword": "basic", "monkey": "x"}}',
        '{"chat_template_kwargs": {"enable_thinking": false, "eos_token": "</s>"}, "logit_bias": {"50256": -100}}',
        '{"stop": ["Bearer of bad news", "secret"], "user": "basic access", "author": "tokenizer"}',
    ],
)
def test_extra_fields_that_servers_know_are_no_credentials(extra):
    assert Endpoint("http://h/v1", "m", extra=extra).extra == extra


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("2000000", Budget(tokens=2_000_000)),
        ("2_000_000", Budget(tokens=2_000_000)),
        ("0", Budget(tokens=0)),
        ("5 USD", Budget(money=Decimal(5), currency="USD")),
        ("0.50EUR", Budget(money=Decimal("0.50"), currency="EUR")),
    ],
)
def test_a_budget_is_of_tokens_or_of_money(text, budget):
    assert budget_of(text) == budget


@pytest.mark.parametrize("text", ["", "-1", "1.5", "5 usd", "5 USD a day", "1e6", "NaN USD", "٣", "9" * 50])
def test_another_budget_is_refused(text):
    with pytest.raises(UsageError, match="expected tokens"):
        budget_of(text)


def test_the_page_on_llms_shows_settings_that_are_read_and_tells_of_every_field():
    page = PAGE.read_text(encoding="utf-8")
    examples = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert examples
    assert all(parse_settings(each).drafter for each in examples)
    assert [name for name in NAMES if f"`{name}`" not in page] == []
