#!/usr/bin/env python3
"""The example for nginx, run: TLS, HTTP/2, streams that come at once, cookies that are secure, and limits for each
client although all come from one address.

    tests/proxy.py NONET
"""
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

nonet = sys.argv[1]
root = pathlib.Path(__file__).resolve().parent.parent
passed = failed = 0
NAME = "games.example.org"


def check(name, good, detail=""):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAILED: {name}: {detail}", flush=True)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def start_server():
    server = subprocess.Popen([nonet, "serve", "--port", "0", "--proxy", "127.0.0.1", "--store", str(folder / "tables.sqlite")],
                              stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    return server, int(re.search(r":(\d+)/", server.stdout.readline())[1])


def start_nginx(inner, outer):
    """The example as it is, but for ports, certificate, and where an nginx without rights may write."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={NAME}",
                    "-keyout", folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True)
    example = (root / "docs/examples/nginx.conf").read_text()
    for old, new in ((":8080", f":{inner}"), ("listen 443", f"listen 127.0.0.1:{outer}"), (f"/etc/ssl/certs/{NAME}.pem", str(folder / "cert.pem")),
                     (f"/etc/ssl/private/{NAME}.key", str(folder / "key.pem"))):
        assert old in example, old
        example = example.replace(old, new)
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    config = folder / "nginx.conf"
    config.write_text(f"daemon off; pid {folder}/pid; error_log {folder}/error.log;\nevents {{}}\n"
                      f"http {{ access_log off; {paths}\n{example}\n}}\n")
    nginx = subprocess.Popen(["nginx", "-c", config, "-p", folder, "-e", folder / "error.log"], stderr=subprocess.DEVNULL,
                             env=os.environ | {"PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"})
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", outer), timeout=1).close()
            break
        except OSError:
            time.sleep(0.05)
    return nginx


def curl(path, *words, body=None, forwarded=None):
    """Status, version of HTTP, headers in lower case, body."""
    command = ["curl", "--silent", "--include", "--insecure", "--max-time", "10", "--resolve", f"{NAME}:{port}:127.0.0.1", *words,
               "--write-out", "\n%{http_code} %{http_version}", f"https://{NAME}:{port}{path}"]
    if body is not None:
        command += ["--header", "Content-Type: application/json", "--data", json.dumps(body)]
    if forwarded is not None:
        command += ["--header", f"X-Forwarded-For: {forwarded}"]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    text, _, last = text.rpartition("\n")
    head, _, content = text.replace("\r", "").partition("\n\n")
    status, version = last.split()
    return int(status), version, head.lower(), content


PLAN = {"id": "1", "game": "trix", "options": {}, "clock": {"kind": "none"}, "seats": [{"name": "Ada"}, {}], "listed": True}

with tempfile.TemporaryDirectory(prefix="nonet-proxy-") as name:
    folder = pathlib.Path(name)
    server, inner = start_server()
    port = free_port()
    nginx = start_nginx(inner, port)
    try:
        status, version, head, content = curl("/")
        check("the page, by HTTP/2", (status, version) == (200, "2") and "<!doctype html" in content.lower(), (status, version))
        status, version, head, content = curl("/api/tables", body=PLAN)
        check("a table is opened", status == 201, content)
        check("the cookie is only for TLS", re.search(r"set-cookie: nonet=[\w-]{32};.*httponly; samesite=strict; secure", head), head)
        table = json.loads(content)["table"]
        check("a page of the same site may ask", curl("/api/tables", "--header", f"Origin: https://{NAME}:{port}")[0] == 200)
        check("a page of another site may not", curl("/api/tables", "--header", "Origin: https://elsewhere.example")[0] == 403)
        check("metrics are for this machine", curl("/metrics")[0] == 200)
        # What happens is told at once, not when a buffer is full.
        stream = subprocess.Popen(["curl", "--silent", "--insecure", "--no-buffer", "--resolve", f"{NAME}:{port}:127.0.0.1",
                                   f"https://{NAME}:{port}/api/stream?tables={table}"], stdout=subprocess.PIPE, text=True)
        while '"event":"table"' not in stream.stdout.readline():
            pass
        begun = time.monotonic()
        status, _, _, content = curl(f"/api/tables/{table}", body={"wish": "sit", "seat": 2, "name": "Bob"})
        check("somebody sits down", status == 200, content)
        while '"event":"sat"' not in stream.stdout.readline():
            pass
        check("and it is told at once", time.monotonic() - begun < 3, time.monotonic() - begun)
        stream.terminate()
        stream.wait()
        # Whoever writes an address of their own choice into the header is still the one that nginx saw.
        opened = [curl("/api/tables", body=PLAN | {"id": str(i)}, forwarded=f"10.1.1.{i}")[0] for i in range(2, 50)]
        check("one client is limited, whatever it says of itself", 429 in opened and opened[0] == 201, opened)
        server.terminate()
        check("the server ends", server.wait(10) == 0)
    finally:
        nginx.terminate()
        nginx.wait()
        if server.poll() is None:
            server.kill()
            server.wait()
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
