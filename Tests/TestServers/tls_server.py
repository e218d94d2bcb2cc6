"""A server on loopback that answers as it is told, for tests of what asks it.

It prints one line of JSON, the ports by the kind of listener and the folder of certificates, and ends when its standard
input ends or its parent is gone. Orders come as one line of JSON on a connection to the port "control":

{"do": "set", "path": "/keys", "answers": [ANSWER…]}   the answers in turn; the last is repeated
{"do": "requests", "path": "/keys"}                    how each request to the path came in
{"do": "wait", "path": "/keys", "requests": 1}         answers when so many have come (also "closed": 1, see below)
{"do": "listen", "kind": "good"}                       opens another listener; answers with its name and port
{"do": "contacts", "listener": "good-1"}               connections that this listener has accepted
{"do": "release", "path": "/keys"}                     lets all answers of the path go on that are held

An ANSWER is {"status", "fields": [[name, value]…], "body", "etag"} or {"steps": [STEP…]}. With an "etag" the answer has
that field, and a request that names it gets 304; "bomb" makes the body so many zero bytes packed by gzip. A STEP is
{"send": BASE64}, {"repeat": BASE64, "every": SECONDS}, {"hold": true} or {"close": "notify" | "cut" | "reset"}. "closed"
counts clients that left during "hold" or "repeat".
"""

import base64
import gzip
import itertools
import json
import os
import select
import signal
import socket
import ssl
import struct
import sys
import tempfile
import threading
import time
import warnings

import certificates


class Book:
    """What the server was told and what it has seen."""

    def __init__(self):
        self.condition = threading.Condition()
        self.answers = {}
        self.requests = {}
        self.closed = {}
        self.released = {}
        self.contacts = {}
        # Opens a listener of a kind under a name.
        self.open = None
        self.numbers = itertools.count(1)

    def note(self, table, name, entry):
        with self.condition:
            table.setdefault(name, []).append(entry)
            self.condition.notify_all()

    def count(self, table, name):
        return len(table.get(name, []))

    def take_answer(self, path):
        with self.condition:
            answers = self.answers.get(path, [{"status": 404, "body": ""}])
            return answers.pop(0) if len(answers) > 1 else answers[0]

    def order(self, message):
        path = message.get("path")
        if message["do"] == "listen":
            listener = self.open(message["kind"], f"{message['kind']}-{next(self.numbers)}")
            return {"name": listener.name, "port": listener.port}
        with self.condition:
            if message["do"] == "set":
                self.answers[path] = list(message["answers"])
                return {}
            if message["do"] == "requests":
                return {"requests": self.requests.get(path, [])}
            if message["do"] == "contacts":
                return {"count": self.count(self.contacts, message["listener"])}
            if message["do"] == "release":
                self.released[path] = True
                self.condition.notify_all()
                return {}
            if message["do"] == "wait":
                came = self.condition.wait_for(
                    lambda: self.count(self.requests, path) >= message.get("requests", 0)
                    and self.count(self.closed, path) >= message.get("closed", 0),
                    timeout=1200,
                )
                return {"came": came}
        raise ValueError(message["do"])


class Connection:
    """One client's connection, after TLS where there is any."""

    def __init__(self, stream, listener, number, book):
        self.stream, self.listener, self.number, self.book = stream, listener, number, book
        self.buffer = b""

    def serve(self):
        while (request := self.read()) is not None:
            request["listener"], request["connection"] = self.listener, self.number
            path = request["target"].split("?")[0]
            answer = self.book.take_answer(path)
            self.book.note(self.book.requests, path, request)
            if not self.run(path, self.steps(answer, request)):
                return

    def read(self):
        """The next request, or None at the end."""
        while b"\r\n\r\n" not in self.buffer:
            if not self.more():
                return None
            if self.buffer.startswith(b"\x16\x03"):
                # A TLS handshake where none is spoken: what most servers say to it.
                self.stream.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                return None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ")
        fields = [line.split(": ", 1) if ": " in line else [line.rstrip(":"), ""] for line in lines[1:]]
        length = next((int(value) for name, value in fields if name.lower() == "content-length"), 0)
        while len(self.buffer) < length:
            if not self.more():
                return None
        body, self.buffer = self.buffer[:length], self.buffer[length:]
        body = base64.b64encode(body).decode()
        return {"method": method, "target": target, "fields": fields, "body": body}

    def more(self):
        piece = self.stream.recv(65536)
        self.buffer += piece
        return bool(piece)

    def steps(self, answer, request):
        if "steps" in answer:
            return answer["steps"]
        status, body = answer.get("status", 200), answer.get("body", "").encode()
        if "bomb" in answer:
            body = gzip.compress(bytes(answer["bomb"]))
        fields = [list(field) for field in answer.get("fields", [])]
        if etag := answer.get("etag"):
            fields.append(["ETag", etag])
            if any(name.lower() == "if-none-match" and value == etag for name, value in request["fields"]):
                status, body = 304, b""
        if status not in (204, 304):
            fields.append(["Content-Length", str(len(body))])
        head = f"HTTP/1.1 {status} Answer\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n"
        return [{"send": base64.b64encode(head.encode() + body).decode()}]

    def run(self, path, steps):
        """Whether the connection stays open."""
        for step in steps:
            if "send" in step:
                self.stream.sendall(base64.b64decode(step["send"]))
            elif "repeat" in step:
                return self.repeat(path, base64.b64decode(step["repeat"]), step["every"])
            elif "hold" in step:
                if not self.hold(path):
                    return False
            elif "close" in step:
                self.close(step["close"])
                return False
        return True

    def repeat(self, path, piece, interval):
        try:
            while True:
                self.stream.sendall(piece)
                if interval and self.has_left(interval):
                    break
        except OSError:
            pass
        self.book.note(self.book.closed, path, self.number)
        return False

    def hold(self, path):
        while not self.book.released.get(path):
            if self.has_left(0.01):
                self.book.note(self.book.closed, path, self.number)
                return False
        return True

    def has_left(self, seconds):
        """Whether the client closed its side within the time."""
        readable, _, _ = select.select([self.stream], [], [], seconds)
        if not readable:
            return False
        try:
            piece = self.stream.recv(65536)
        except ssl.SSLWantReadError:
            return False
        except OSError:
            return True
        self.buffer += piece
        return not piece

    def close(self, way):
        if way == "notify" and isinstance(self.stream, ssl.SSLSocket):
            try:
                self.stream.unwrap()
            except OSError:
                pass
        elif way == "reset":
            self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Listener:
    def __init__(self, name, book, serve, address="127.0.0.1"):
        self.name, self.book, self.serve = name, book, serve
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.bind((address, 0))
        self.socket.listen(256)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        number = 0
        while True:
            client, _ = self.socket.accept()
            number += 1
            self.book.note(self.book.contacts, self.name, number)
            threading.Thread(target=self.handle, args=(client, number), daemon=True).start()

    def handle(self, client, number):
        try:
            # Small pieces are to leave at once, each by itself.
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.serve(client, self.name, number)
        except (OSError, ValueError):
            pass
        finally:
            client.close()


def context(folder, kind):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(os.path.join(folder, f"{kind}.pem"))
    return made


def old_tls(folder):
    made = context(folder, "good")
    # OpenSSL offers versions below 1.2 at security level 0 only.
    made.set_ciphers("ALL:@SECLEVEL=0")
    made.minimum_version = ssl.TLSVersion.TLSv1
    made.maximum_version = ssl.TLSVersion.TLSv1_1
    return made


def serve_http(book, tls=None):
    def serve(client, name, number):
        stream = tls.wrap_socket(client, server_side=True) if tls else client
        try:
            Connection(stream, name, number, book).serve()
        finally:
            # What wrap_socket gives owns the descriptor; closing it without unwrap sends no close_notify.
            stream.close()

    return serve


def serve_control(book):
    def serve(client, name, number):
        stream = client.makefile("rwb")
        stream.write(json.dumps(book.order(json.loads(stream.readline()))).encode() + b"\n")
        stream.flush()

    return serve


def serve_silence(client, name, number):
    while client.recv(65536):
        pass


def serve_proxy(book):
    """A proxy that tunnels to loopback, and to nobody else."""

    def serve(client, name, number):
        head = b""
        while b"\r\n\r\n" not in head:
            piece = client.recv(65536)
            if not piece:
                return
            head += piece
        request, target = head.split(b" ")[0].decode(), head.split(b" ")[1].decode()
        book.note(book.requests, "proxy", head.decode("latin-1"))
        host, _, port = target.rpartition(":")
        if request != "CONNECT" or host not in ("127.0.0.1", "localhost"):
            client.sendall(b"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
            return
        with socket.create_connection(("127.0.0.1", int(port))) as server:
            client.sendall(b"HTTP/1.1 200 Yes\r\n\r\n")
            while True:
                readable, _, _ = select.select([client, server], [], [])
                for side in readable:
                    piece = side.recv(65536)
                    if not piece:
                        return
                    (server if side is client else client).sendall(piece)

    return serve


def end_with_parent():
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)


def main():
    # TLS 1.1 is deprecated, which is why there is a listener for it.
    warnings.simplefilter("ignore", DeprecationWarning)
    book = Book()
    with tempfile.TemporaryDirectory(prefix="postern-server-") as folder:
        kinds = {kind: serve_http(book, context(folder, kind)) for kind in certificates.make(folder)}
        kinds |= {
            "old-tls": serve_http(book, old_tls(folder)),
            "plain": serve_http(book),
            "silent": serve_silence,
            "proxy": serve_proxy(book),
            "control": serve_control(book),
        }
        book.open = lambda kind, name: Listener(name, book, kinds[kind])
        listeners = [book.open(kind, kind) for kind in kinds]
        try:
            listeners.append(Listener("plain-ipv6", book, serve_http(book), "::1"))
        except OSError:
            print("this machine has no IPv6 on loopback", file=sys.stderr)
        ports = {listener.name: listener.port for listener in listeners}
        print(json.dumps({"ports": ports, "folder": folder}), flush=True)
        # Ends by way of an exception, so that the folder goes too.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
        threading.Thread(target=end_with_parent, daemon=True).start()
        sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
