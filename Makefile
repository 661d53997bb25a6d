# The front door. Plain `make` builds the command at build/nonet; `make play` and `make test` first install what
# is missing (Debian and its kin). Everything behind the door is Meson's.
BUILD_PACKAGES = gcc libc6-dev meson ninja-build pkg-config libedit-dev libjansson-dev
TEST_PACKAGES = $(BUILD_PACKAGES) clang llvm libclang-rt-14-dev libcmocka-dev clang-format valgrind python3 \
	libopenmpi-dev openmpi-bin

.PHONY: all play test page bench diagrams format clean
all: build/build.ninja
	@ninja -C build

build/build.ninja:
	@meson setup build

play:
	@scripts/install.sh $(BUILD_PACKAGES)
	@$(MAKE) --no-print-directory all
	@build/nonet play

test:
	@scripts/install.sh $(TEST_PACKAGES)
	@scripts/test.sh

# The page, in the making: web/dist. Needs clang, lld, wasi-libc, libclang-rt-14-dev-wasm32 and Node.
page:
	@scripts/wasm.sh
	@cd web && npm ci --no-audit --no-fund && npx vite build

# Instructions per move, counted by callgrind.
bench: all
	@bench/instructions.sh

# The pictures in docs/, drawn by the program itself.
diagrams: all
	@scripts/diagrams.py

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	@rm -rf build build-*
