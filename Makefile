# The entry point. Plain `make` builds the command at build/nonet, and the tables of exact values that the page takes
# along. What is missing is installed first, on Debian and its relatives. The work is done by Meson and, for the page in
# the browser, npm.
BUILD_PACKAGES = gcc libc6-dev meson ninja-build pkg-config libedit-dev libncurses-dev libjansson-dev libmicrohttpd-dev \
	libsodium-dev libsqlite3-dev
# A source tarball has the built page in it.
PAGE_PACKAGES = brotli $(if $(wildcard .tarball-version),,clang lld wasi-libc libclang-rt-dev-wasm32 node:nodejs npm:npm)
TEST_PACKAGES = $(BUILD_PACKAGES) $(PAGE_PACKAGES) llvm libclang-rt-dev libcmocka-dev clang-format valgrind python3 \
	libopenmpi-dev openmpi-bin chromium-headless-shell nginx curl openssl ccache tmux python3-pip
CROSS_PACKAGES = $(BUILD_PACKAGES) gcc-i686-linux-gnu gcc-aarch64-linux-gnu gcc-s390x-linux-gnu qemu-user
WINDOWS_PACKAGES = $(BUILD_PACKAGES) gcc-mingw-w64-x86-64-posix wine wine64 cmake dpkg-dev

# debian/control names what the packages are built of.
DEB_PACKAGES = $(BUILD_PACKAGES) $(PAGE_PACKAGES) build-essential dpkg-dev debhelper dh-python libcmocka-dev mpi-default-dev \
	pybuild-plugin-pyproject python3-all xz-utils
DEB_CHECK_PACKAGES = $(DEB_PACKAGES) lintian appstream desktop-file-utils man-db curl systemd mpi-default-bin

.PHONY: all play page test portability windows bench wheel dist deb deb-check diagrams format clean
all: build/build.ninja
	@ninja -C build
	@scripts/tables.sh

# A machine that has all that is needed is not asked for its packages, which may have come in other ways.
build/build.ninja:
	@meson setup build -Dcpu=auto || { scripts/install.sh $(BUILD_PACKAGES) && meson setup build -Dcpu=auto; }

# The nine games in the browser: the server with the page in it, built, started and opened.
play:
	@scripts/install.sh $(BUILD_PACKAGES) $(PAGE_PACKAGES)
	@scripts/page.sh
	@grep -qs '^page = web/dist$$' build/meson-private/cmd_line.txt || \
		meson $$([ -f build/build.ninja ] && echo configure || echo setup -Dcpu=auto) build -Dpage=web/dist
	@ninja -C build
	@scripts/play.sh

# The page alone: web/dist.
page:
	@scripts/page.sh

test:
	@scripts/install.sh $(TEST_PACKAGES)
	@scripts/test.sh

# The same on other processors, one of them big-endian: docs/portability.md.
portability:
	@scripts/install.sh $(CROSS_PACKAGES)
	@[ -f build/build.ninja ] || meson setup build -Dcpu=auto
	@ninja -C build nonet
	@scripts/portability.sh

# The same on Windows, by Wine.
windows:
	@scripts/install.sh $(WINDOWS_PACKAGES)
	@[ -f build/build.ninja ] || meson setup build -Dcpu=auto
	@ninja -C build nonet
	@scripts/portability.sh windows

# Instructions per move, counted by callgrind.
bench: all
	@bench/instructions.sh

# The Python package with the library in it, for any machine of this family.
wheel:
	@[ -f build-wheel/build.ninja ] || meson setup build-wheel -Dcpu=baseline
	@ninja -C build-wheel library/libnonet.so.1.0.0
	@NONET_LIBRARY=build-wheel/library/libnonet.so.1.0.0 python3 python/backend/wheel_backend.py build-wheel

# The source tarball, with the page in it: build-dist/.
dist:
	@scripts/install.sh $(BUILD_PACKAGES) $(PAGE_PACKAGES) xz-utils
	@scripts/dist.sh

# The packages of that for this Debian, in build-deb/; deb-check also installs them and tries them out.
deb:
	@scripts/install.sh $(DEB_PACKAGES)
	@scripts/dist.sh
	@scripts/deb.sh

deb-check:
	@scripts/install.sh $(DEB_CHECK_PACKAGES)
	@scripts/dist.sh
	@scripts/deb.sh check

# The pictures in docs/, drawn by the program itself.
diagrams: all
	@scripts/diagrams.py

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	@rm -rf build build-* web/build web/dist
