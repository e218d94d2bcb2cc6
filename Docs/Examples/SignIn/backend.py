#!/usr/bin/env python3
"""An app's own server, as small as it can be: begins and finishes sign-ins with Postern. Needs the standard library only.

    backend.py PLACE PORT       PLACE is the path of the daemon's socket, or its ADDRESS:PORT
"""
import collections
import http.server
import json
import os
import secrets
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Clients"))
from client import NoVerdict, Postern  # noqa: E402

# The raw nonces of sign-ins that have begun; the oldest go first, so that nobody fills the memory.
attempts = collections.OrderedDict()


def begin(postern, _):
    nonce = postern.nonce()
    attempt = secrets.token_urlsafe(16)
    attempts[attempt] = nonce["nonce"]
    if len(attempts) > 10000:
        attempts.popitem(last=False)
    return 200, {"attempt": attempt, "nonce_sha256": nonce["nonce_sha256"]}


def finish(postern, body):
    token = str(body["identity_token"])
    nonce = attempts.pop(body["attempt"], None)
    if nonce is None:
        return 401, {"code": "attempt_unknown"}
    verdict = postern.verify(token, nonce)
    if verdict["verdict"] != "accepted":
        return 401, {"code": verdict["code"]}
    identity = verdict["identity"]
    # The person is (issuer, subject). Find or make their account here, and begin a session of your own.
    return 200, {"subject": identity["subject"], "email": identity["email"]}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        action = {"/sign-in/begin": begin, "/sign-in/finish": finish}.get(self.path)
        try:
            body = json.loads(self.rfile.read(min(int(self.headers["Content-Length"] or 0), 65536)) or b"{}")
            status, answer = action(postern, body) if action else (404, {"code": "path_unknown"})
        except (NoVerdict, OSError):
            # Nothing is known about the token: the app may try again.
            status, answer = 503, {"code": "try_again"}
        except (KeyError, TypeError, ValueError):
            status, answer = 400, {"code": "body_malformed"}
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


postern = Postern(sys.argv[1], os.environ.get("POSTERN_API_KEY"))
http.server.HTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
