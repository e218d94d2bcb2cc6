"""Makes an authority and the certificates of the test server, good and bad, in a folder."""

import datetime
import ipaddress
import os

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)


def _name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def _key_bytes(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _certificate(subject, key, issuer, issuer_key, names, start, end, is_authority=False):
    builder = (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
    )
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


def make(folder):
    """Writes ca.pem, other-ca.pem and NAME.pem (key and certificate) for each kind; returns the kinds."""
    now = datetime.datetime.utcnow()
    here = [
        x509.DNSName("localhost"),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
        x509.IPAddress(ipaddress.ip_address("::1")),
    ]
    elsewhere = [x509.DNSName("elsewhere.example"), x509.DNSName("127.0.0.1.elsewhere.example")]
    authority = ec.generate_private_key(ec.SECP256R1())
    for name in ["ca", "other-ca"]:
        key = authority if name == "ca" else ec.generate_private_key(ec.SECP256R1())
        title = f"Postern test {name}"
        root = _certificate(title, key, title, key, None, now - DAY, now + DAY, is_authority=True)
        _write(os.path.join(folder, f"{name}.pem"), root.public_bytes(serialization.Encoding.PEM))
    kinds = {
        "good": (here, now - DAY, now + DAY, True),
        "wrong-name": (elsewhere, now - DAY, now + DAY, True),
        # The common name alone says "localhost": names count only where they belong (RFC 9525 §2).
        "no-names": (None, now - DAY, now + DAY, True),
        "self-signed": (here, now - DAY, now + DAY, False),
        "expired": (here, now - 3 * DAY, now - DAY, True),
        "not-yet-valid": (here, now + DAY, now + 3 * DAY, True),
    }
    for kind, (names, start, end, is_signed) in kinds.items():
        key = ec.generate_private_key(ec.SECP256R1())
        issuer, issuer_key = ("Postern test ca", authority) if is_signed else ("localhost", key)
        certificate = _certificate("localhost", key, issuer, issuer_key, names, start, end)
        pem = _key_bytes(key) + certificate.public_bytes(serialization.Encoding.PEM)
        _write(os.path.join(folder, f"{kind}.pem"), pem)
    return list(kinds)
