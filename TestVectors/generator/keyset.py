"""The model of a key set: which members are usable, and why the others are not."""

import re

from . import crypto
from .encoding import b64u, unb64u
from .strictjson import Malformed, parse

RSA_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
CURVE_ALGORITHM = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512", "Ed25519": "EdDSA"}
PRIVATE = ("d", "p", "q", "dp", "dq", "qi", "oth", "k")


def _primes(limit):
    return [n for n in range(3, limit) if all(n % d for d in range(2, int(n**0.5) + 1))]


# A ROCA modulus is a power of 65537 modulo each small prime; any other one fails for some prime.
ROCA = {prime: {pow(65537, power, prime) for power in range(prime)} for prime in _primes(168)}


def is_roca(n):
    return all(n % prime in powers for prime, powers in ROCA.items())


class Skip(Exception):
    pass


class Key:
    """A usable key; `material` is what makes two keys the same."""

    def __init__(self, kid, kind, algorithm, material, issuer):
        self.kid, self.kind, self.algorithm, self.material, self.issuer = kid, kind, algorithm, material, issuer

    def fits(self, algorithm):
        if self.kind == "RSA":
            return algorithm in RSA_ALGORITHMS
        return CURVE_ALGORITHM[self.kind] == algorithm


def canonical(text, on):
    """The octets of canonical base64url, or None."""
    if type(text) is not str:
        return None
    if not on("key-padding"):
        text = text.rstrip("=")
    if not on("key-alphabet"):
        text = re.sub(r"\s", "", text.replace("+", "-").replace("/", "_"))
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        return None
    data = unb64u(text)
    if b64u(data) != text and on("key-trailing-bits"):
        return None
    return data


class KeySet:
    """Raises Malformed when the text is not a key set at all."""

    def __init__(self, data, rules):
        self.rules, self.on = rules, rules.on
        self.usable, self.skipped, self.skipped_kids = [], {}, set()
        top = parse(data, "keys", rules)
        members = top.get("keys") if isinstance(top, dict) else None
        if not isinstance(members, list):
            raise Malformed("no array of keys")
        for member in members:
            try:
                key = self.read(member)
                if self.on("key-duplicate") and any(
                    (other.kid, other.material, other.algorithm, other.issuer)
                    == (key.kid, key.material, key.algorithm, key.issuer)
                    for other in self.usable
                ):
                    raise Skip("duplicate")
                if len(self.usable) >= rules.pick("key-too-many", 64, 63, 65):
                    raise Skip("too_many")
                self.usable.append(key)
            except Skip as skip:
                reason = str(skip)
                self.skipped[reason] = self.skipped.get(reason, 0) + 1
                if isinstance(member, dict) and type(member.get("kid")) is str:
                    self.skipped_kids.add(member["kid"])

    def read(self, member):
        on = self.on
        if not isinstance(member, dict):
            raise Skip("not_an_object")
        text = {name: type(value) is str for name, value in member.items()}
        # Secrets first: one that is published must be told, whatever else is wrong.
        if member.get("kty") == "oct" and on("key-symmetric"):
            raise Skip("symmetric")
        if any(name in member for name in PRIVATE) and on("key-private"):
            if any(name in member for name in PRIVATE if self.rules.pick(f"key-private-{name}", True, False)):
                raise Skip("private")
        if not text.get("kty"):
            raise Skip("malformed")
        kty, crv = member["kty"], member.get("crv")
        if kty not in ("RSA", "EC", "OKP", "oct"):
            raise Skip("unsupported_kty")
        if kty in ("EC", "OKP") and not text.get("crv"):
            raise Skip("malformed")
        for name in ("kid", "use", "alg", "crv", "issuer"):
            if name in member and not text[name] and on(f"key-{name}-string"):
                raise Skip("malformed")
        if text.get("kid"):
            least, most = self.rules.pick("key-kid-not-empty", 1, 0), self.rules.pick("key-kid-length", 128, 127, 10**6)
            if not least <= len(member["kid"].encode()) <= most:
                raise Skip("malformed")
        operations = member.get("key_ops")
        if "key_ops" in member and not (isinstance(operations, list) and all(type(o) is str for o in operations)):
            if on("key-key_ops-form"):
                raise Skip("malformed")
            operations = None
        if (kty == "EC" and crv not in crypto.CURVES) or (kty == "OKP" and crv != "Ed25519"):
            raise Skip("unsupported_crv")
        if "use" in member and not self.rules.pick(
            "key-use", member["use"] == "sig", True, str(member["use"]).lower() == "sig"
        ):
            raise Skip("use")
        if operations is not None and "verify" not in operations and on("key-key_ops"):
            raise Skip("key_ops")
        algorithm = member.get("alg")
        kind = "RSA" if kty == "RSA" else crv
        fitting = RSA_ALGORITHMS if kind == "RSA" else (CURVE_ALGORITHM[kind],)
        if algorithm is not None and algorithm not in fitting and on("key-algorithm"):
            raise Skip("algorithm")
        if not on("key-algorithm") and algorithm not in fitting:
            algorithm = None
        issuer = member.get("issuer")
        return Key(
            member.get("kid"), kind, algorithm, self.material(kind, member), issuer if type(issuer) is str else None
        )

    def octets(self, member, name):
        data = canonical(member.get(name), self.on)
        if data is None:
            raise Skip("malformed")
        return data

    def material(self, kind, member):
        on, pick = self.on, self.rules.pick
        if kind == "RSA":
            n_octets, e_octets = self.octets(member, "n"), self.octets(member, "e")
            n, e = int.from_bytes(n_octets, "big"), int.from_bytes(e_octets, "big")
            if n.bit_length() < pick("key-rsa-minimum", 2048, 2049, 2041, 2040, 1024, 512):
                raise Skip("weak")
            if n.bit_length() > pick("key-rsa-maximum", 8192, 8191, 10**9):
                raise Skip("weak")
            if on("key-roca") and is_roca(n):
                raise Skip("weak")
            if e % 2 == 0 and on("key-exponent-odd"):
                raise Skip("invalid")
            if e < pick("key-exponent-minimum", 65537, 65539, 3, 1) or e >= pick(
                "key-exponent-maximum", 2**32, 65538, 2**999
            ):
                raise Skip("invalid")
            if n_octets[:1] == b"\x00" and on("key-modulus-leading-zero"):
                raise Skip("invalid")
            if e_octets[:1] == b"\x00" and on("key-exponent-leading-zero"):
                raise Skip("invalid")
            if n % 2 == 0 and on("key-modulus-odd"):
                raise Skip("invalid")
            return ("RSA", n, e)
        x_octets = self.octets(member, "x")
        if kind == "Ed25519":
            if len(x_octets) != 32:
                raise Skip("invalid")
            return (kind, x_octets)
        y_octets, curve = self.octets(member, "y"), crypto.CURVES[kind]
        if on("key-coordinate-width") and not len(x_octets) == len(y_octets) == curve.width:
            raise Skip("invalid")
        x, y = int.from_bytes(x_octets, "big"), int.from_bytes(y_octets, "big")
        if not on("key-coordinate-range"):
            x, y = x % curve.p, y % curve.p
        if not curve.contains(x, y) and on("key-on-curve"):
            raise Skip("invalid")
        return (kind, x, y)
