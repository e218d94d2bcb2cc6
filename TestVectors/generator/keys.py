"""The test keys: made once, kept in TestVectors/keys, read on every run."""

import pathlib
import random
import secrets

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from . import crypto
from .encoding import b64u, uint

DIRECTORY = pathlib.Path(__file__).resolve().parent.parent / "keys"


def _roca_prime():
    """A prime of the form k*M + (65537^a mod M): the shape that gives flawed card keys away (ROCA)."""
    primes, candidate = [], 2
    while len(primes) < 126:
        if all(candidate % prime for prime in primes):
            primes.append(candidate)
        candidate += 1
    modulus = 1
    for prime in primes:
        modulus *= prime
    low, high = 3 * 2**1022 // modulus + 1, 2**1024 // modulus
    while True:
        number = (low + secrets.randbelow(high - low)) * modulus + pow(65537, secrets.randbits(200), modulus)
        if all(pow(random.randrange(2, number - 1), number - 1, number) == 1 for _ in range(40)):
            return number


def _roca():
    p, q = _roca_prime(), _roca_prime()
    d = pow(65537, -1, (p - 1) * (q - 1))
    numbers = rsa.RSAPrivateNumbers(
        p,
        q,
        d,
        rsa.rsa_crt_dmp1(d, p),
        rsa.rsa_crt_dmq1(d, q),
        rsa.rsa_crt_iqmp(p, q),
        rsa.RSAPublicNumbers(65537, p * q),
    )
    return numbers.private_key()


MAKERS = {
    "rsa2048-a": lambda: rsa.generate_private_key(65537, 2048),
    "rsa2048-b": lambda: rsa.generate_private_key(65537, 2048),
    "rsa2048-c": lambda: rsa.generate_private_key(65537, 2048),
    "rsa3072": lambda: rsa.generate_private_key(65537, 3072),
    "rsa4096": lambda: rsa.generate_private_key(65537, 4096),
    "p256-a": lambda: ec.generate_private_key(ec.SECP256R1()),
    "p256-b": lambda: ec.generate_private_key(ec.SECP256R1()),
    "p384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "p521": lambda: ec.generate_private_key(ec.SECP521R1()),
    "ed25519-a": ed25519.Ed25519PrivateKey.generate,
    "ed25519-b": ed25519.Ed25519PrivateKey.generate,
    "weak-rsa512": lambda: rsa.generate_private_key(65537, 512),
    "weak-rsa1024": lambda: rsa.generate_private_key(65537, 1024),
    "weak-rsa2040": lambda: rsa.generate_private_key(65537, 2040),
    "weak-exponent3": lambda: rsa.generate_private_key(3, 2048),
    "weak-roca": _roca,
}


def new_keys():
    """Makes all keys; a key that is there already stops it, because every vector hangs on the keys."""
    DIRECTORY.mkdir(exist_ok=True)
    there = [name for name in MAKERS if (DIRECTORY / f"{name}.pem").exists()]
    if there:
        raise SystemExit(f"refused: {DIRECTORY} already holds {', '.join(there)}")
    for name, make in MAKERS.items():
        text = make().private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        (DIRECTORY / f"{name}.pem").write_bytes(text)


_loaded = {}


def key(name):
    if name not in _loaded:
        _loaded[name] = serialization.load_pem_private_key((DIRECTORY / f"{name}.pem").read_bytes(), None)
    return _loaded[name]


def numbers(name):
    return key(name).public_key().public_numbers()


def ed_public(name):
    return key(name).public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def jwk(name, kid=None, **members):
    """The public JWK; a member given as None is left out."""
    public = {}
    if "rsa" in name or name.startswith("weak"):
        public = {"kty": "RSA", "n": uint(numbers(name).n), "e": uint(numbers(name).e)}
    elif name.startswith("p"):
        curve = crypto.curve_of(key(name))
        point = numbers(name)
        public = {"kty": "EC", "crv": curve.name, "x": uint(point.x, curve.width), "y": uint(point.y, curve.width)}
    else:
        public = {"kty": "OKP", "crv": "Ed25519", "x": b64u(ed_public(name))}
    public.update({"kid": kid, "use": "sig"} | members)
    return {member: value for member, value in public.items() if value is not None}


def spki(name, encoding="PEM"):
    return (
        key(name)
        .public_key()
        .public_bytes(getattr(serialization.Encoding, encoding), serialization.PublicFormat.SubjectPublicKeyInfo)
    )


def pkcs1(name, encoding="PEM"):
    return (
        key(name).public_key().public_bytes(getattr(serialization.Encoding, encoding), serialization.PublicFormat.PKCS1)
    )
