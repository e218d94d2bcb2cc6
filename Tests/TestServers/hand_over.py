"""hand_over.py SOCKET PROGRAM [ARGUMENT]...: becomes the program with two sockets that listen, as systemd would start it.

Descriptor 3 is a Unix socket at the path, 4 a port of loopback. Which one is told on standard error as a line of JSON.
"""

import json
import os
import socket
import sys

path, *command = sys.argv[1:]
unix = socket.socket(socket.AF_UNIX)
unix.bind(path)
tcp = socket.socket(socket.AF_INET)
tcp.bind(("127.0.0.1", 0))
for number, listener in ((4, tcp), (3, unix)):
    listener.listen()
# Copies out of the way first: either may stand where the other is to go.
copies = [os.dup2(listener.fileno(), number + 100, inheritable=False) for number, listener in ((3, unix), (4, tcp))]
print(json.dumps({"event": "handed_over", "port": tcp.getsockname()[1]}), file=sys.stderr, flush=True)
for number, copy in ((3, copies[0]), (4, copies[1])):
    os.dup2(copy, number, inheritable=True)
os.environ.update(LISTEN_FDS="2", LISTEN_PID=str(os.getpid()))
os.execv(command[0], command)
