# withy: two commands on a fresh Debian 12 machine with git and make:
#
#   make demo    install what is missing, build, run the default scene, draw it
#   make test    install what is missing, build, run every test (also under sanitizers)
#
# make alone builds build/withy and build/libwithy.{a,so}.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# two more tests than cores: those in a browser (check_playground, check_viewer and check_site begin together) wait most
# of the time; one more under the sanitizers, where no test has a browser
TESTERS ?= $(shell expr $(JOBS) + 2)
SANITIZED_TESTERS ?= $(shell expr $(JOBS) + 1)
SCENE ?= falling_rod

MAKEFLAGS += --no-print-directory

.PHONY: all wasm playground playground-if agree setup setup-test build dev demo test bench docs format tidy fuzz attack core arm64 builds minimal pictures viewer report mutants agreement site site-tool python dist install clean

all: build

setup:
	@sh tools/setup.sh build

setup-test:
	@sh tools/setup.sh build test

build/Makefile: | setup build/viewer.html
	cmake --preset release

build: setup build/viewer.html build/Makefile
	cmake --build build -j $(JOBS)

build/dev/Makefile: | setup-test build/viewer.html
	cmake --preset dev

# The page of `withy view`; npm installs exactly what package-lock.json names.
VIEWER = $(wildcard viewer/src/* viewer/*.json viewer/*.mjs web/src/*.js) # three.js is in it as both pages use it
build/viewer.html: $(VIEWER) | setup
	@mkdir -p build
	(cd viewer && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) && node viewer/build.mjs build/viewer.html || \
	  echo "make: the 3-D viewer could not be built; withy view will be missing"

viewer: build/viewer.html

# withy in a page: WebAssembly by clang and wasi-libc, with Lua from Debian's source package; one HTML file.
wasm:
	@sh tools/setup.sh web
	sh tools/lua_source.sh build/lua
	cmake --preset wasm >/dev/null
	cmake --build build/wasm -j $(JOBS) --target withy_web

playground: wasm build/viewer.html
	@# a source tarball brings the page of the viewer along, but not what it is built with
	[ -d viewer/node_modules ] || (cd viewer && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
	cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	node web/build.mjs build/wasm/withy.wasm build/viewer.html build/playground.html
	@echo "Open:     build/playground.html"

playground-if: build/viewer.html
	@$(MAKE) playground || echo "make: the playground could not be built; its test is skipped"

# The WebAssembly module against the program: every case that runs in under 4 s.
agree: build wasm
	node web/agree.mjs build/wasm/withy.wasm build/withy cases

dev: setup-test build/dev/Makefile
	cmake --build build/dev -j $(JOBS)

demo: build
	@mkdir -p build/demo
	build/withy run $(SCENE) -o build/demo/$(SCENE).h5
	build/withy plot build/demo/$(SCENE).h5 -o build/demo/$(SCENE).svg
	build/withy plot build/demo/$(SCENE).h5 -o build/demo/$(SCENE).png
	@build/withy view build/demo/$(SCENE).h5 -o build/demo/$(SCENE).html >/dev/null || true
	@echo
	@[ ! -f build/demo/$(SCENE).html ] || echo "Replay:   build/demo/$(SCENE).html (open it in a browser)"
	@echo "Picture:  build/demo/$(SCENE).svg (and .png)"
	@echo "Result:   build/demo/$(SCENE).h5"
	@echo "Next:     build/withy list cases            all scenes that come with withy"
	@echo "          build/withy list cases $(SCENE) > mine.lua, change a line, build/withy run mine.lua -o mine.h5"

# The suite: everything once at full speed (the viewer in Chromium too), then again under address and
# undefined-behaviour sanitizers without what is slow there or would prove nothing more (tests/CMakeLists.txt).
test: setup-test
	@[ ! -f build/Makefile ] || cmake build >/dev/null # cmocka and GSL may have come since
	$(MAKE) -j 4 build dev site-tool playground-if # linking, npm and downloads leave cores idle
	cd build && ctest --output-on-failure -j $(TESTERS)
	cd build/dev && ctest --output-on-failure -j $(SANITIZED_TESTERS)

bench: build
	cmake --build build -j $(JOBS) --target benches
	@for b in build/bench/bench_*; do [ -x $$b ] && [ ! -d $$b ] && echo "== $$b" && $$b || true; done

# The Python package with its library, in build/python: PYTHONPATH=build/python python3 -c "import withy"
python: setup
	@sh tools/setup.sh python
	@[ -f build/Makefile ] || cmake --preset release >/dev/null
	cmake --build build -j $(JOBS) --target withy_shared
	@rm -rf build/python build/python-work
	cd python && /usr/bin/python3 setup.py --quiet build --build-base ../build/python-work --build-lib ../build/python
	@echo 'Try:      PYTHONPATH=build/python python3 -c "import withy; print(withy.load(\"falling_rod\").run())"'

docs: build
	sh tools/docs.sh build/withy

pictures: build
	sh tools/pictures.sh build/withy
	python3 tools/tutorial.py build/withy --pictures
	node viewer/pictures.mjs build/withy
	build/withy run gripper_ball -o build/gripper_ball.h5 --quiet
	build/withy render build/gripper_ball.h5 -o docs/pictures/shaded_gripper_ball.png --at 1.4 --size 1200x600 --camera 0.2,-0.36,0.13 --look-at 0,0,-0.035

# Everything the sources print against ours, as a page; its summary goes into the README.
# Is a broken method noticed?  Seeded faults, one at a time (docs/verification.md).
mutants: build
	python3 tools/mutate.py

report: build
	build/withy verify --report build/report
	sh tools/readme.sh build/report/summary.md
	python3 tools/rows.py --report build/report/report.json

# withy compare over the scenes of docs/agreement.md, at full accuracy (some minutes).
agreement: build
	python3 tools/agreement.py build/withy docs

# The documentation as a static site, with every case drawn and its 3-D replay.
site: build site-tool playground
	python3 tools/site.py build/withy build/site

# Eleventy and what its pages need; npm installs exactly what package-lock.json names.
site-tool: build/site-tool
build/site-tool: site/package-lock.json | setup
	@mkdir -p build
	cd site && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

tidy: setup-test
	cmake --preset tidy && cmake --build build/tidy -j $(JOBS)

# The core alone, without POSIX and any library.
core: setup
	cmake --preset core && cmake --build build/core -j $(JOBS)

# Other compilers and sets of libraries, read and not compiled (check_builds of the suite).
builds: setup-test build
	python3 tools/check_builds.py . build

# The core for ARM64, by Debian's cross compiler, and a motion of each method under qemu.
arm64: build
	@sh tools/setup.sh arm64
	cmake --preset arm64 >/dev/null
	cmake --build build/arm64 -j $(JOBS) --target withy_core_static
	sh tests/tree/check_arm64.sh $(CURDIR) $(CURDIR)/build

minimal: setup
	cmake --preset minimal && cmake --build build/minimal -j $(JOBS)

# Scenes and results made up by clang's libFuzzer; FUZZ is how many of each.
FUZZ ?= 100000
fuzz: setup-test
	cmake --preset fuzz && cmake --build build/fuzz -j $(JOBS) --target fuzz_scene fuzz_result
	sh tests/fuzz/run.sh build/fuzz $(FUZZ)

# Everything that was thought of to break withy, more than an hour; one that is interrupted continues.  Writes docs/reliability.md.
attack: setup-test build
	@sh tools/setup.sh attack
	cmake --preset fuzz && cmake --build build/fuzz -j $(JOBS) --target fuzz_scene fuzz_result
	cmake --preset dev && cmake --build build/dev -j $(JOBS) --target withy test_hostile_state attack_hostile
	python3 tools/attack.py build build/fuzz

# A release in build/dist: source tarball, Debian packages, playground, site.  tools/dist_test.sh tries them in a bare
# Debian 12.
dist: build site
	@sh tools/setup.sh dist
	sh tools/dist.sh

install: build
	cmake --install build

clean:
	rm -rf build
