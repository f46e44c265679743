"""Traffic of the test of the rules: a sender in one name space, receivers in another one.

traffic.py send       listens on the ports 5000 (echo), 5001 and 6000 (bytes without an end), until it is killed
traffic.py receive SECONDS ADDRESS:PORT:OWN ...
    receives from all at once, each from an address of its own, and prints for each the Mbit/s, for the port 5000 the
    worst milliseconds of an echo
"""
import socket
import sys
import threading
import time

BYTES = bytes(65536)


def serve(family, port):
    with socket.socket(family) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(("::" if family == socket.AF_INET6 else "0.0.0.0", port))
        listener.listen()
        while True:
            threading.Thread(target=answer, args=(listener.accept()[0], port), daemon=True).start()


def answer(peer, port):
    with peer:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while True:
                peer.sendall(peer.recv(64) if port == 5000 else BYTES)
        except OSError:
            pass


def receive(seconds, target, results, index):
    address, port, own = target.rsplit("/", 2)
    with socket.create_connection((address, int(port)), 10, (own, 0)) as peer:
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        begin = time.monotonic() + 1  # after the slow start, and what buffers had at first
        end = begin + seconds
        total = 0
        worst = 0.0
        while (now := time.monotonic()) < end:
            if port == "5000":
                peer.sendall(b"x")
                if not peer.recv(64):
                    raise OSError("the sender ended")
                worst = max(worst, time.monotonic() - now)
                time.sleep(0.01)
            else:
                got = len(peer.recv(65536))
                if not got:
                    raise OSError("the sender ended")
                total += got if now >= begin else 0
        results[index] = worst * 1000 if port == "5000" else total * 8 / seconds / 1e6


def main():
    if sys.argv[1] == "send":
        for family in (socket.AF_INET, socket.AF_INET6):
            for port in (5000, 5001, 6000):
                threading.Thread(target=serve, args=(family, port), daemon=True).start()
        threading.Event().wait()
    targets = sys.argv[3:]
    results = [None] * len(targets)
    threads = [
        threading.Thread(target=receive, args=(float(sys.argv[2]), target, results, index))
        for index, target in enumerate(targets)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if None in results:
        sys.exit("a connection failed")
    print(*(f"{result:.1f}" for result in results))


main()
