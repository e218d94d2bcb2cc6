"""Base64url and a JSON writer that can also write what a correct writer never would."""

import base64
import json

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def b64u(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def unb64u(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def uint(number, width=None):
    """A JOSE integer: big endian, shortest form unless a width is given."""
    return b64u(number.to_bytes(width or max(1, (number.bit_length() + 7) // 8), "big"))


def loosen(segment):
    """The same octets with the unused trailing bits set: what a lenient decoder takes for equal."""
    unused = {2: 4, 3: 2}[len(segment) % 4]
    value = ALPHABET.index(segment[-1])
    assert value % (1 << unused) == 0
    return segment[:-1] + ALPHABET[value + 1]


class Raw(str):
    """Text put into JSON as it stands, for numbers and values that no writer would produce."""


class Pairs(list):
    """An object given as (name, value) pairs, so that a name can come twice."""


def dump(value):
    """Compact JSON text with the members in the given order."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{dump(name)}:{dump(item)}" for name, item in value) + "}"
    if isinstance(value, dict):
        return dump(Pairs(value.items()))
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(dump(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def octets(value):
    """A header or payload as octets: octets and text stand as they are, all else becomes JSON."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, str) and not isinstance(value, Raw):
        return value.encode("utf-8")
    return dump(value).encode("utf-8")
