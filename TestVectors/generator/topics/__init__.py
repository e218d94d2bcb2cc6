"""The topics, each a function that returns a Book."""

import importlib

NAMES = (
    "apple_shapes",
    "headers",
    "signatures",
    "encoding",
    "json_text",
    "claims",
    "audiences",
    "times",
    "hashes",
    "nonces",
    "providers",
    "notifications",
    "keys",
    "key_sets",
    "order",
)
ALL = [importlib.import_module(f".{name}", __name__).book for name in NAMES]
