#!/usr/bin/env python3
"""An app's own server, as small as it can be: begins and finishes sign-ins with Postern. Needs the standard library only.

    backend.py PLACE PORT CLIENT_ID     PLACE is the path of the daemon's socket, or its ADDRESS:PORT
"""
import collections
import hashlib
import http.client
import http.server
import json
import os
import secrets
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Clients"))
from client import NoVerdict, Postern  # noqa: E402

# The raw nonces of sign-ins that have begun; the oldest go first, so that nobody fills the memory.
attempts = collections.OrderedDict()
# Accounts and sessions: tables of your database, in truth.
people, sessions = {}, {}


class Malformed(Exception):
    """What the app sent is not what it should be."""


def text(body, name):
    if not isinstance(body.get(name), str):
        raise Malformed
    return body[name]


def begin(postern, _):
    nonce = postern.nonce(client_id)
    attempt = secrets.token_urlsafe(16)
    attempts[attempt] = nonce["nonce"]
    if len(attempts) > 10000:
        attempts.popitem(last=False)
    return 200, {"attempt": attempt, "nonce_sha256": nonce["nonce_sha256"]}


def finish(postern, body):
    token = text(body, "identity_token")
    nonce = attempts.pop(text(body, "attempt"), None)
    if nonce is None:
        return 401, {"code": "attempt_unknown"}
    verdict = postern.verify(token, nonce)
    if verdict["verdict"] != "accepted":
        return 401, {"code": verdict["code"]}
    identity = verdict["identity"]
    # The person is (issuer, subject), never the address.
    person = identity["issuer"], identity["subject"]
    if person not in people:
        # The name comes with the first sign-in only, and on the app's word.
        people[person] = {"email": identity["email"], "name": str(body.get("name") or "")[:200]}
    # A session of the app's own: its text goes to the app, its hash is kept.
    session = secrets.token_urlsafe(32)
    sessions[hashlib.sha256(session.encode()).hexdigest()] = person, time.time() + 30 * 86400
    return 200, {"subject": identity["subject"], "email": identity["email"], "session": session}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        action = {"/sign-in/begin": begin, "/sign-in/finish": finish}.get(self.path)
        try:
            status, answer = action(postern, self.body()) if action else (404, {"code": "path_unknown"})
        except Malformed:
            status, answer = 400, {"code": "body_malformed"}
        except (NoVerdict, OSError, KeyError, TypeError, ValueError, http.client.HTTPException) as problem:
            # Nothing is known about the token: the app may begin again. Why is for whoever runs this, without what is secret.
            why = problem if isinstance(problem, (NoVerdict, OSError)) else type(problem).__name__
            print(f"no verdict: {why}", file=sys.stderr)
            status, answer = 503, {"code": "try_again"}
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        try:
            length = min(max(int(self.headers["Content-Length"] or 0), 0), 65536)
            body = json.loads(self.rfile.read(length) or b"{}")
        except (ValueError, RecursionError):
            raise Malformed from None
        if not isinstance(body, dict):
            raise Malformed
        return body

    def log_message(self, *_):
        pass


client_id = sys.argv[3]
postern = Postern(sys.argv[1], os.environ.get("POSTERN_API_KEY"))
http.server.HTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
