# Only Python 3.11 or newer and make are needed: everything else comes into .venv.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
READY := .venv/.ready
export UV_PYTHON_DOWNLOADS := never
unexport PYTHONDONTWRITEBYTECODE  # each process would compile all that it reads, for ten seconds

# One step of a target: if it fails, the target's last line says which.
STEP = step() { what="$$1"; shift; "$$@" || { echo "make $@: $$what failed."; exit 1; }; }

.DEFAULT_GOAL := help
.PHONY: setup run test test-slow test-mine lint house docs release gallery long clients faults fuzz bench pages pace arena siege chaos drills deploy schema reset help

$(READY): pyproject.toml uv.lock
	@test -n "$(PYTHON)" || { echo "make: Python 3.11 or newer is needed, and there is none."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv sync --quiet --frozen
	@touch $@

setup: ## bring everything that is needed into .venv
	@$(MAKE) --always-make --no-print-directory $(READY)
	@echo "make setup: ready. Type make run."

run: $(READY) ## run the server: database, web, worker and mailbox
	@$(BIN)/python -m config.server.runner

test: $(READY) ## check the code, and run all tests that need no process of their own: about 6 minutes on two cores
	@$(STEP); \
	step "formatting" $(BIN)/ruff format --check --quiet .; \
	step "ruff" $(BIN)/ruff check --quiet .; \
	step "the order of imports" $(BIN)/lint-imports; \
	$(BIN)/mypy --no-error-summary & types=$$!; \
	trap "kill $$types 2>/dev/null" EXIT; trap "exit 130" INT TERM; \
	echo "make test: mypy runs beside the tests, and the tests are being collected."; \
	step "pytest" $(BIN)/pytest -q -m "not slow" -n 2 --dist loadfile --no-loadscope-reorder; \
	step "mypy" wait $$types; \
	echo "make test: everything passes. make test-slow runs the tests with servers and browsers."

test-slow: $(READY) ## run the tests with servers, browsers, killed processes and other programs: about 10 minutes more
	@$(STEP); \
	echo "make test-slow: the tests are being collected."; \
	step "pytest" env DARBAR_SLOW=1 $(BIN)/pytest -q -m slow -n 4 --dist loadfile; \
	echo "make test-slow: everything passes."

test-mine: $(READY) ## run the quick tests of the folders that changed since this branch left main
	@$(BIN)/python -m tests.changed

lint: $(READY) ## check formatting, types and the order of imports
	@$(STEP); \
	step "formatting" $(BIN)/ruff format --check .; \
	step "ruff" $(BIN)/ruff check .; \
	step "mypy" $(BIN)/mypy; \
	step "the form of templates" $(BIN)/python -m tests.template_format; \
	step "the order of imports" $(BIN)/lint-imports; \
	echo "make lint: nothing to say."

house: $(READY) ## how large the code is, and how plain its language
	@$(BIN)/python -m tests.house

docs: $(READY) ## make the documents site, which every server serves at /docs/
	@$(BIN)/python -m config.server.documents.build

release: $(READY) ## build the last commit's wheel, sdist, container (with podman) and checksums in dist/, and try them
	@$(BIN)/python -m bench.release $(RELEASE)

gallery: docs ## every email, page, error, drawing, page of the rules and board in both languages, in build/gallery/index.html
	@$(STEP); \
	step "the boards" $(BIN)/python -m tests.gallery build/gallery/boards; \
	step "the drawings" $(BIN)/python -m tests.art_sheet build/gallery/art.html; \
	step "the emails" $(BIN)/python -m tests.mail_pictures build/gallery/emails; \
	step "the pages" $(BIN)/python -m tests.page_pictures --quick build/gallery/pages; \
	step "the list" $(BIN)/python -m tests.gallery_index build/gallery; \
	echo "make gallery: open build/gallery/index.html. Other widths and themes of pages are drawn by make pages."

long: $(READY) ## the counted tests, with twenty times as many
	@$(STEP); \
	step "pytest" env DARBAR_LONG=1 $(BIN)/pytest -q -m long --timeout=0; \
	echo "make long: everything passes."

fuzz: $(READY) ## 50,000 requests of every kind, to see whether every answer is as described
	@$(STEP); \
	step "pytest" env DARBAR_FUZZ=50000 $(BIN)/pytest -q --timeout=0 tests/contract/test_fuzz.py; \
	echo "make fuzz: 50,000 requests, no 5xx, and every answer as it is described."

clients: $(READY) ## build our clients, make and compile six generators' ones, and let all read a server that has grown
	@$(STEP); \
	step "pytest" env DARBAR_CLIENTS=1 $(BIN)/pytest -q -rs --timeout=0 tests/clients/outputs tests/clients/test_generated.py; \
	echo "make clients: all that can be compiled here compiles, and reads what it did not know."

faults: $(READY) ## plant small faults in a copy and see whether the tests notice (FAULTS="3.4.6 7.4" FAULTS="-n 1 purse")
	@$(BIN)/python tests/faults/plant.py $(FAULTS)

bench: $(READY) ## how fast the server and the engine are, and how well bots play
	@$(STEP); \
	step "the server" $(BIN)/python -m bench.server; \
	step "the engine" $(BIN)/python -m bench.engine; \
	step "the bots" $(BIN)/python -m bench.bots; \
	echo "make bench: done."

pages: docs ## walk over every page with a browser: pictures in .cache/pages, and what is amiss
	@$(STEP); \
	step "the budgets" $(BIN)/python -m tests.page_budgets; \
	step "the walk" $(BIN)/python -m tests.page_pictures .cache/pages; \
	echo "make pages: nothing is amiss."

pace: $(READY) ## how many days games by post take: the whole server on a virtual clock
	@$(STEP); \
	step "the bench" $(BIN)/python -m bench.pace --keep $(PACE); \
	echo "make pace: done, see docs/pace.md."

arena: $(READY) ## bots of all levels against archetypes and each other, for HOURS (4); writes docs/bots.md
	@$(STEP); \
	step "the arena" nice -n 19 $(BIN)/python -m bench.arena --hours $(or $(HOURS),4); \
	echo "make arena: done, see docs/bots.md."

siege: $(READY) ## slow, idle and never-reading attackers at every service while twenty people play, bare, behind nginx and behind Caddy
	@$(STEP); \
	step "the siege" $(BIN)/python -m bench.siege; \
	echo "make siege: the server held."

chaos: $(READY) ## kill, stop, fill and restore a server that is played on (CHAOS="--minutes 5 --seed 1")
	@$(STEP); \
	step "the server" $(BIN)/python -m bench.chaos $(CHAOS); \
	echo "make chaos: nothing lost, doubled or stuck, see docs/reliability.md."

drills: $(READY) ## a pooler, a failover, upgrades and a restore, on servers that are played on (DRILLS="failover --size 1000")
	@$(STEP); \
	step "a drill" $(BIN)/python -m bench.drills $(DRILLS); \
	echo "make drills: no errors and no lost rows, see docs/site/en/host/drills.md."

deploy: $(READY) ## build the container from its file, start it and the compose file (needs podman, buildah, mmdebstrap and postgresql-15)
	@$(STEP); \
	step "the release" $(BIN)/python -m bench.release --without-container; \
	step "the container" $(BIN)/python -m bench.drills.containers $(DEPLOY); \
	echo "make deploy: done, see docs/site/en/host/containers.md."

schema: $(READY) ## write the API's documents to docs/openapi*.yaml; refuse a change that breaks clients
	@$(BIN)/python -m tests.contract.keep $(BREAK)
	@$(BIN)/python -m tests.record_schema

reset: $(READY) ## forget all games and accounts of the embedded database
	@$(BIN)/python -m config.server.reset

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 16
	@echo "make help: these are all."
