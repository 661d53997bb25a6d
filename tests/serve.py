#!/usr/bin/env python3
"""nonet serve, from outside. Usage: serve.py PAGE NONET SERVER WITHOUT

PAGE is the folder that was built into SERVER, which NONET starts; WITHOUT is a server without a page. Every file comes
as it is in the folder, in every coding, with the right headers; a client that sends nonsense, too much or too slowly is
refused and disturbs nobody else; the server ends when it is asked to.
"""
import gzip
import hashlib
import http.client
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from checking import check, check_refused, close

PAGE = pathlib.Path(sys.argv[1])
NONET, SERVER, WITHOUT = sys.argv[2:5]
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".nonet-table": "application/octet-stream",
    ".nonet-book": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".c": "text/plain; charset=utf-8",
    ".conf": "text/plain; charset=utf-8",
    ".lud": "text/plain; charset=utf-8",
    ".py": "text/plain; charset=utf-8",
    ".rs": "text/plain; charset=utf-8",
    ".service": "text/plain; charset=utf-8",
}
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "connect-src": "'self'",
    "img-src": "'self' blob: data:",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
}
ENDS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
PATIENCE = 10  # seconds that an idle connection is kept


class Server:
    def __init__(self, *words, ignoring=(), tables="/proc/nowhere"):
        def set_signals():
            for number in ENDS:
                signal.signal(number, signal.SIG_IGN if number in ignoring else signal.SIG_DFL)

        command = [NONET, "serve", "--port", "0", *words]
        self.state = tempfile.TemporaryDirectory()  # each has tables of its own
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=set_signals, env=os.environ | {"NONET_TABLES": tables, "XDG_STATE_HOME": self.state.name})
        self.line = self.process.stdout.readline()
        found = re.fullmatch(r"Nonet is at http://(\[?[0-9a-f.:]+?\]?):(\d+)/\n", self.line)
        self.host, self.port = (found[1].strip("[]"), int(found[2])) if found else ("127.0.0.1", 0)

    def ask(self, path="/", method="GET", body=None, **headers):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        try:
            connection.putrequest(method, path, skip_accept_encoding=True, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            answer.body = answer.read()
            return answer
        finally:
            connection.close()

    def connect(self, source=None):
        return socket.create_connection((self.host, self.port), timeout=30, source_address=source and (source, 0))

    def send(self, data):
        """Sends bytes as they are; what comes back until the server closes or is silent for a second."""
        with self.connect() as link:
            link.settimeout(1)
            answer = b""
            try:
                link.sendall(data)
                while part := link.recv(65536):
                    answer += part
            except (TimeoutError, ConnectionError):
                pass
            return answer

    def statuses(self, data):
        """The statuses of all answers to these bytes."""
        return [int(status) for status in re.findall(rb"^HTTP/1\.1 (\d+) ", self.send(data), re.MULTILINE)]

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


def strict(answer):
    """Whether an answer forbids the browser what the page does not need."""
    policy = dict(part.strip().split(" ", 1) for part in answer.headers.get("Content-Security-Policy", "").split(";") if part.strip())
    return policy == POLICY and all(answer.headers.get_all(header) == [value] for header, value in ALWAYS.items())


def check_all(name, **conditions):
    check(name, all(conditions.values()), "not so: " + ", ".join(what for what, holds in conditions.items() if not holds))


def unbrotli(data):
    return subprocess.run(["brotli", "--decompress", "--stdout"], input=data, capture_output=True, check=True).stdout


def check_file(server, file):
    path = "/" + file.relative_to(PAGE).as_posix()
    content = file.read_bytes()
    hashed = hashlib.sha256(content).hexdigest()[:16]
    keeping = "public, max-age=31536000, immutable" if path.startswith("/assets/") else "no-cache"
    may_stay = len(content) < 200 or file.suffix in (".png", ".webp", ".jpg", ".nonet-table")
    tags = set()
    for coding, decode in ((None, bytes), ("gzip", gzip.decompress), ("br", unbrotli)):
        wish = {"Accept_Encoding": coding} if coding else {}
        answer = server.ask(path, **wish)
        got, tag = answer.headers.get("Content-Encoding"), answer.headers["ETag"]
        check_all(
            f"{path}, {coding or 'as it is'}",
            status=answer.status == 200,
            coding=got == coding or (got is None and may_stay),
            content=(decode if got else bytes)(answer.body) == content,
            length=answer.headers["Content-Length"] == str(len(answer.body)),
            smaller=got is None or len(answer.body) < 0.9 * len(content),
            type=answer.headers["Content-Type"] == TYPES[file.suffix],
            keeping=answer.headers["Cache-Control"] == keeping,
            tag=tag.startswith('"' + hashed),
            strict=strict(answer),
        )
        tags.add((got, tag))
        head = server.ask(path, "HEAD", **wish)
        without_date = [[pair for pair in one.headers.items() if pair[0] != "Date"] for one in (head, answer)]
        check_all(f"HEAD {path}, {coding}", status=head.status == 200, empty=head.body == b"", headers=without_date[0] == without_date[1])
        again = server.ask(path, If_None_Match=f'"other", {tag}', **wish)
        check_all(
            f"{path}, {coding}, known already",
            status=again.status == 304,
            empty=again.body == b"",
            headers=all(again.headers[name] == answer.headers[name] for name in ("ETag", "Cache-Control", "Vary")),
            strict=strict(again),
            another=server.ask(path, If_None_Match='"other"', **wish).status == 200,
        )
    check_all(
        f"{path}: its codings",
        tags=len({coding for coding, _ in tags}) == len({tag for _, tag in tags}),
        vary=answer.headers.get("Vary") == ("Accept-Encoding" if len(tags) > 1 else None),
    )


def check_ranges(server, path, content):
    """Parts of a file, as browsers ask for them."""
    tag = server.ask(path).headers["ETag"]
    last = len(content) - 1
    for wish, part in (("0-0", (0, 0)), (f"{last}-", (last, last)), ("1-4096", (1, min(4096, last))), ("-7", (last - 6, last))):
        answer = server.ask(path, Range=f"bytes={wish}")
        check_all(
            f"{path}, bytes {wish}",
            status=answer.status == 206,
            content=answer.body == content[part[0] : part[1] + 1],
            length=answer.headers["Content-Length"] == str(len(answer.body)),
            says=answer.headers["Content-Range"] == f"bytes {part[0]}-{part[1]}/{len(content)}",
            tag=answer.headers["ETag"] == tag,
            strict=strict(answer),
        )
    beyond = server.ask(path, Range=f"bytes={len(content)}-")
    check_all(f"{path}, beyond its end", status=beyond.status == 416, empty=beyond.body == b"", says=beyond.headers["Content-Range"] == f"bytes */{len(content)}")
    for name, headers in (("of another version", {"If_Range": '"other"'}), ("several", {"Range": "bytes=0-1,4-5"}), ("of none", {"Range": "bytes=5-2"})):
        answer = server.ask(path, **({"Range": "bytes=0-1"} | headers))
        check_all(f"{path}, parts {name}", status=answer.status == 200, whole=answer.body == content)


def check_tables():
    """Tables in the folder of a person's own are offered; nothing else there is."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        content = os.urandom(3_000_000)
        (root / "kolem-steps_4.nonet-table").write_bytes(content)
        (root / "checkpoint-key").write_bytes(b"secret")
        (root / ".hidden.nonet-table").write_bytes(b"secret")
        (root / "odd name.nonet-table").write_bytes(b"odd")
        os.mkfifo(root / "pipe.nonet-table")
        server = Server(tables=folder)
        path = "/tables/kolem-steps_4.nonet-table"
        answer = server.ask(path)
        check_all(path, status=answer.status == 200, content=answer.body == content, type=answer.headers["Content-Type"] == "application/octet-stream", strict=strict(answer))
        check(f"HEAD {path}", server.ask(path, "HEAD").headers["Content-Length"] == str(len(content)))
        check(f"{path}, known already", server.ask(path, If_None_Match=answer.headers["ETag"]).status == 304)
        check_ranges(server, path, content)
        for name in ("checkpoint-key", ".hidden.nonet-table", "odd%20name.nonet-table", "pipe.nonet-table", "../checkpoint-key", ""):
            check(f"/tables/{name} is not offered", server.ask(f"/tables/{name}").status == 404)
        check("a server with tables ends", server.stop() == (0, "", ""))


def check_files(server):
    files = [file for file in PAGE.rglob("*") if file.is_file()]
    check("there are files", len(files) > 5)
    for file in files:
        check_file(server, file)
    check("/ is the page", server.ask("/").body == (PAGE / "index.html").read_bytes())
    check("a query changes nothing", server.ask("/?x=1&y").body == (PAGE / "index.html").read_bytes())
    check("/docs/ is a page", server.ask("/docs/").body == (PAGE / "docs/index.html").read_bytes())
    answer = server.ask("/docs?x")
    check_all("/docs leads to /docs/", status=answer.status == 301, location=answer.headers["Location"] == "docs/", strict=strict(answer))
    script = next(file for file in files if file.suffix == ".js")
    path = "/" + script.relative_to(PAGE).as_posix()
    for wish, coding in (
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0, gzip;q=0.1", "gzip"),
        ("br;q=0.2, gzip;q=0.8", "gzip"),
        ("br;q=0, gzip;q=0", None),
        ("*;q=0", None),
        ("*", "br"),
        ("identity", None),
    ):
        got = server.ask(path, Accept_Encoding=wish).headers.get("Content-Encoding")
        check(f"Accept-Encoding: {wish}", got == coding, got)


def check_refusals(server):
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "FLY"):
        for body in (None, b"x" * 1000):
            answer = server.ask("/", method, body)
            check_all(method, status=answer.status == 405, allow=answer.headers["Allow"] == "GET, HEAD", strict=strict(answer))
    for path in (
        "/nothing",
        "/index.html/",
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/../index.html",
        "/assets",
        "/assets/",
        "//etc/passwd",
        "/%00",
        "/index.html%00.js",
        "/%zz%",
        "/" + "a" * 5000,
        "/<script>alert(1)</script>",
        "/%69ndex.html",
        "/INDEX.HTML",
        "/%2Findex.html",
        "/./index.html",
        "/index.html%3f",
        "//",
        "/\\index.html",
    ):
        answer = server.ask(path)
        check_all(
            path[:40],
            status=answer.status == 404,
            type=answer.headers["Content-Type"].startswith("text/html"),
            no_foreign_file=b"root:" not in answer.body,
            no_echo=b"alert" not in answer.body,
            strict=strict(answer),
        )
    check("404, HEAD", server.ask("/nothing", "HEAD").body == b"")
    for host in ("example.org", f"example.org:{server.port}", "127.0.0.1.example.org", "192.168.0.1"):
        answer = server.ask("/", Host=host)
        check_all(f"Host: {host}", status=answer.status == 421, strict=strict(answer))
    for host in ("localhost", f"localhost:{server.port}", "[::1]:99", "127.0.0.1"):
        check(f"Host: {host}", server.ask("/", Host=host).status == 200)
    for method, target, host, status in (
        ("GET", "http://localhost/", "localhost", 200),
        ("GET", f"http://127.0.0.1:{server.port}/index.html?x", "example.org", 200),
        ("GET", "http://localhost?x", "localhost", 200),
        ("GET", "http://example.org/", "localhost", 421),
        ("GET", "http://localhost/nothing", "localhost", 404),
        ("OPTIONS", "*", "localhost", 405),
        ("CONNECT", "localhost:80", "localhost", 405),
    ):
        answer = server.ask(target, method, Host=host)
        check_all(f"{method} {target}", status=answer.status == status, strict=strict(answer))


def fine(server):
    return server.ask("/").status == 200


def check_nonsense(server):
    """Whatever comes in, the server refuses it or says nothing, and continues."""
    for name, data in {
        "nothing": b"\r\n\r\n\r\n",
        "no HTTP": b"hello\r\n\r\n",
        "TLS": bytes.fromhex("16030100a5010000a10303") + os.urandom(200),
        "noise": os.urandom(4096),
        "zeros": bytes(4096),
        "no version": b"GET /\r\n\r\n",
        "a version of the future": b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        "no Host": b"GET / HTTP/1.1\r\n\r\n",
        "header without colon": b"GET / HTTP/1.1\r\nHost: localhost\r\nnonsense\r\n\r\n",
        "negative length": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        "huge length": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "two lengths": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
        "broken chunks": b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "folded": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n",
        "bare newlines": b"GET / HTTP/1.1\nHost: localhost\n\n",
    }.items():
        answer = server.send(data)
        check(f"{name}: an answer in HTTP, or none", answer == b"" or answer.startswith(b"HTTP/1."), answer[:80])
        check(f"{name}: the server lives", fine(server))
    for name, lines, status in (
        ("HTTP/1.0 needs no Host", b"GET / HTTP/1.0", 200),
        ("HTTP/1.1 does", b"GET / HTTP/1.1", 400),
        ("one is enough", b"GET / HTTP/1.1\r\nHost: localhost\r\nhost: example.org", 400),
    ):
        answer = server.send(lines + b"\r\nConnection: close\r\n\r\n")
        # Version 1 of libmicrohttpd refuses a request without Host by itself, before our code sees it.
        ours = b"Content-Security-Policy: " in answer or b"&quot;Host:&quot; header required" in answer
        check(name, answer.startswith(b"HTTP/1.1 %d " % status) and ours, answer[:200])
    two = server.send(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\nHEAD /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    check("two requests at once", re.findall(rb"HTTP/1.1 (\d+)", two) == [b"200", b"404"], two[:200])

    for name, data in {
        "long line": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "long header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
        "many headers": b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: a\r\n" * 100_000 + b"\r\n",
        "endless header": b"GET / HTTP/1.1\r\nX: " + b"a" * 1_000_000,
    }.items():
        answer = server.send(data)
        check(f"{name}: refused", answer == b"" or re.match(rb"HTTP/1\.[01] 4(00|13|14|31) ", answer), answer[:80])
        check(f"{name}: the server lives", fine(server))
    # The server wants no bodies: a small one is skipped, a large one ends the connection.
    body = server.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
    check("GET with a body", body.startswith(b"HTTP/1.1 200 "), body[:80])
    # What follows a refused body is not read as requests.
    for method, status in ((b"POST", 405), (b"GET", 413)):
        request = method + b" / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n"
        statuses = server.statuses(request + b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3)
        check("a client that announces a large body is refused before it sends it", statuses == [status], statuses)
    # Cookies that other servers at this host have set, at any port, are sent too.
    cookies = b"; ".join(b"name%d=%s" % (i, b"x" * 100) for i in range(180))
    check("many cookies", server.statuses(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: " + cookies + b"\r\n\r\n") == [200])
    large = server.send(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\n" + b"a" * 10_000_000)
    check("a body of 10 MB", b" 200 " not in large[:80], large[:80])
    check("a body of 10 MB: the server lives", fine(server))


def check_slow(server):
    """Clients that send nothing, or half a request, are disconnected after a while; nobody waits for them."""
    idle = [server.connect() for _ in range(40)]
    for i, link in enumerate(idle):
        link.sendall(b"GET / HTTP/1.1\r\nHost: loc"[: i % 27])
    reader = server.connect()  # asks for the largest file and does not read it
    largest = max((file for file in PAGE.rglob("*") if file.is_file()), key=lambda file: file.stat().st_size)
    request = f"GET /{largest.relative_to(PAGE).as_posix()} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    reader.sendall(request * 20)
    begin = time.monotonic()
    check("others are served meanwhile", all(fine(server) for _ in range(20)))
    check("and at once", time.monotonic() - begin < 5, time.monotonic() - begin)
    for link in idle:
        link.settimeout(3 * PATIENCE)
        try:
            while link.recv(4096):
                pass
            closed = True
        except ConnectionError:
            closed = True
        except TimeoutError:
            closed = False
        check("an idle connection is closed", closed)
        link.close()
    took = time.monotonic() - begin
    check("neither at once nor much later", 0.5 * PATIENCE < took < 2.5 * PATIENCE, took)
    reader.close()
    # A client that hangs up frees its connection at once.
    for half in (b"GET / HT", b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc", b"nonsense\r\n\r\n"):
        for _ in range(200):
            with server.connect() as link:
                link.sendall(half)
        time.sleep(0.5)
        check("many that hung up", server.statuses(b"HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n") == [200])
    # More connections than one client may have: the rest is refused, other clients are not. Once they are closed, all
    # is as before.
    crowd = [server.connect() for _ in range(300)]
    time.sleep(0.5)
    with server.connect("127.0.0.2") as other:
        other.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        check("a crowd at one address leaves room for another", other.recv(13) == b"HTTP/1.1 200 ")
    # More connections than all clients may have: a new client waits until some have been closed.
    for i in range(3, 9):
        crowd += [server.connect(f"127.0.0.{i}") for _ in range(100)]
    with server.connect("127.0.0.9") as late:
        late.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        check("a crowd from everywhere delays nobody for long", late.recv(13) == b"HTTP/1.1 200 ")
    for link in crowd:
        link.close()
    time.sleep(0.5)
    check("a crowd that left", fine(server))


def check_ends(server):
    link = server.connect()  # an open connection does not delay it
    link.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    check("a connection that stays open", link.recv(65536).startswith(b"HTTP/1.1 200 "))
    code, out, err = server.stop()
    check("SIGTERM: exit 0, silently", (code, out, err) == (0, "", ""), (code, out, err))
    check("an open connection is closed", link.recv(1) == b"")
    link.close()
    for number in (signal.SIGINT, signal.SIGHUP):
        ended = Server()
        begin = time.monotonic()
        code, out, err = ended.stop(number)
        check(f"{number.name}: exit 0, silently", (code, out, err) == (0, "", ""), (code, out, err))
        check(f"{number.name}: at once", time.monotonic() - begin < 2, time.monotonic() - begin)
    lasting = Server(ignoring=(signal.SIGHUP,))  # as nohup starts it
    lasting.process.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    check("nohup: it stays", lasting.process.poll() is None and fine(lasting))
    check("nohup: until it is asked to end", lasting.stop() == (0, "", ""))


def run(*words, command=NONET, **more):
    return subprocess.run([command, "serve", *words], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL, **more)


def check_command():
    for words, part in (
        (("--port", "x"), "a number from 0 to 65535"),
        (("--port", "65536"), "a number from 0 to 65535"),
        (("--port", "-1"), "a number from 0 to 65535"),
        (("--port",), "needs a value"),
        (("--address", "nowhere"), "an IPv4 or IPv6 address"),
        (("--address", "1.2.3"), "an IPv4 or IPv6 address"),
        (("--address", ""), "an IPv4 or IPv6 address"),
        (("8080",), "no argument"),
        (("--wrong",), "no flag"),
    ):
        check_refused("serve " + " ".join(words), run(*words), 2, part)
    check_refused("no address of this machine", run("--port", "0", "--address", "192.0.2.1"), 1, "192.0.2.1 is no address of this machine")
    with tempfile.TemporaryDirectory() as folder:
        command = install(folder, server=WITHOUT)
        check_refused("a build without page", run(command=command), 1, "this build has no page: make play builds it")
        os.chmod(os.path.join(folder, "nonet-serve"), 0o644)
        check_refused("a server that is no program", run(command=command), 1, "cannot start " + folder + "/nonet-serve: ")
        os.remove(os.path.join(folder, "nonet-serve"))
        got = run("--port", "x", command=command)
        if got.returncode != 2:  # what the server installed on this machine would say
            check_refused("a command without its server", got, 1, "nonet-serve, is missing")
    check_libraries()
    with open("/dev/full", "w") as full:
        got = subprocess.run([NONET, "serve", "--port", "0"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    check("nobody can read the address", got.returncode == 1 and "cannot write" in got.stderr, got.stderr)
    check_permission()


def install(folder, server):
    """The command and a server, alone in a separate folder."""
    shutil.copy(server, os.path.join(folder, "nonet-serve"))
    return shutil.copy(NONET, folder)


def check_libraries():
    """The command itself loads nothing that only the server needs."""
    def loaded(program):
        return re.findall(r"(lib[a-z+]+)", subprocess.run(["ldd", program], capture_output=True, text=True).stdout)

    check("the server has its library", "libmicrohttpd" in loaded(SERVER), loaded(SERVER))
    check("the command has not", not {"libmicrohttpd", "libgnutls", "libp"} & set(loaded(NONET)), loaded(NONET))


def check_permission():
    """A port below 1024, where the system reserves those. Root becomes the user nobody for it."""
    if int(pathlib.Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text()) <= 80:
        return
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        command = install(folder, server=SERVER)
        got = run("--port", "80", command=command, **({"user": "nobody"} if os.getuid() == 0 else {}))
    check_refused("port 80", got, 1, "port 80 needs a permission that you do not have; try --port 8080")


def check_addresses(server):
    port = str(server.port)
    check_refused("a taken port", run("--port", port), 1, f"port {port} is in use; try --port {server.port + 1}")
    everywhere = Server("--address", "0.0.0.0")
    check("0.0.0.0", everywhere.ask("/", Host="games.example.org").status == 200, everywhere.line)
    everywhere.stop()
    named = Server("--address", "localhost")
    check("localhost", named.host == "127.0.0.1" and fine(named), named.line)
    named.stop()
    if pathlib.Path("/proc/net/if_inet6").exists() and "00000000000000000000000000000001" in pathlib.Path("/proc/net/if_inet6").read_text():
        six = Server("--address", "::1")
        check("::1", six.line.startswith("Nonet is at http://[::1]:") and fine(six), six.line)
        six.stop()


server = Server()
try:
    check("it says where it is", server.port > 0, server.line)
    check_files(server)
    check_ranges(server, "/index.html", (PAGE / "index.html").read_bytes())
    check_tables()
    check_refusals(server)
    check_nonsense(server)
    check_slow(server)
    check_addresses(server)
    check_ends(server)
finally:
    server.process.kill()
check_command()
close()
