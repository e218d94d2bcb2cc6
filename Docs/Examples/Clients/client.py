#!/usr/bin/env python3
"""Asks the daemon for a nonce, or for the verdict about a token. Needs the standard library only.

    client.py SOCKET nonce                      prints the nonce and what the client sends to the issuer
    client.py SOCKET verify NONCE < TOKEN       status 0: accepted, 1: refused, 3: no verdict
"""
import http.client
import json
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


class Postern:
    """One connection, which may serve many requests one after the other."""

    def __init__(self, path):
        self.connection = UnixConnection(path)

    def ask(self, path, body):
        self.connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        return json.load(self.connection.getresponse())

    def nonce(self, audience=None):
        return self.ask("/v1/nonces", {"audience": audience} if audience else {})

    def verify(self, token, nonce):
        return self.ask("/v1/verify", {"token": token, "nonce": nonce})


def main(path, command, *arguments):
    postern = Postern(path)
    if command == "nonce":
        answer = postern.nonce()
        print(answer["nonce"], answer["nonce_sha256"])
        return 0
    answer = postern.verify(sys.stdin.read().strip(), arguments[0])
    if answer.get("verdict") == "accepted":
        print(f"signed in: {answer['identity']['subject']} of {answer['identity']['issuer']}")
        return 0
    if answer.get("verdict") == "refused":
        print(f"refused: {answer['code']}")
        return 1
    print(f"try again later: {answer.get('code')}")
    return 3


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
