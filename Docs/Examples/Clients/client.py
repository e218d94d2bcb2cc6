#!/usr/bin/env python3
"""Asks the daemon for a nonce, or for the verdict about a token. Needs the standard library only.

    client.py PLACE nonce [AUDIENCE]            prints the nonce and what the client sends to the issuer
    client.py PLACE verify NONCE < TOKEN        status 0: accepted, 1: refused, 3: no verdict

PLACE is the path of the socket, or ADDRESS:PORT; over TCP the API key is in the variable POSTERN_API_KEY.
"""
import http.client
import json
import os
import socket
import sys


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("postern", timeout=10)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class NoVerdict(Exception):
    """The daemon could not be asked, or did not follow; nothing is known about the token."""


class Postern:
    """One connection, which serves many requests one after the other and is made anew when it has ended."""

    def __init__(self, place, api_key=None):
        is_path = "/" in place or ":" not in place
        self.connection = UnixConnection(place) if is_path else http.client.HTTPConnection(place, timeout=10)
        self.fields = {"Content-Type": "application/json"}
        if api_key:
            self.fields["Authorization"] = "Bearer " + api_key

    def ask(self, path, body):
        is_new = self.connection.sock is None
        try:
            return self.ask_once(path, body)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            # The daemon ends a connection that was idle. Asking twice is safe: a nonce is never let in twice.
            if is_new:
                raise
            return self.ask_once(path, body)

    def ask_once(self, path, body):
        try:
            self.connection.request("POST", path, json.dumps(body), self.fields)
            response = self.connection.getresponse()
            answer = json.load(response)
        except (OSError, ValueError, http.client.HTTPException):
            self.connection.close()
            raise
        if response.status >= 400:
            raise NoVerdict(f"{answer['code']}: {answer['detail']}")
        return answer

    def nonce(self, audience=None):
        return self.ask("/v1/nonces", {"audience": audience} if audience else {})

    def verify(self, token, nonce):
        return self.ask("/v1/verify", {"token": token, "nonce": nonce})


def run(place, command, *arguments):
    postern = Postern(place, os.environ.get("POSTERN_API_KEY"))
    if command == "nonce":
        answer = postern.nonce(*arguments)
        print(answer["nonce"], answer["nonce_sha256"])
        return 0
    answer = postern.verify(sys.stdin.read().strip(), arguments[0])
    if answer["verdict"] == "accepted":
        print(f"signed in: {answer['identity']['subject']} of {answer['identity']['issuer']}")
        return 0
    print(f"refused: {answer['code']}")
    print(answer["message"], file=sys.stderr)
    return 1


def main(words):
    if len(words) not in (2, 3) or words[1] not in ("nonce", "verify") or (words[1] == "verify" and len(words) == 2):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        return run(*words)
    except (NoVerdict, OSError, ValueError, http.client.HTTPException) as problem:
        print(f"no verdict: {problem}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
