# The front door: plain `make` builds the command at build/nonet; everything behind it is Meson's.
.PHONY: all test
all: build/build.ninja
	@ninja -C build

build/build.ninja:
	@meson setup build >/dev/null

test:
	@scripts/test.sh
