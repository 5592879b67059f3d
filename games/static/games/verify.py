#!/usr/bin/env python3
"""Check the record of a game of Darbar, without Darbar: only Python's standard library is needed.

    python3 verify.py RECORD.json [--engine FOLDER]

It says whether the seed fits the commitment that was published before the game, whether the log is whole (the head
of its chain is the last that was published), and whether every draw of chance follows from the seeds. With the
folder of Darbar's source code it also decides every move again and says whether every event follows by the rules.
The exit status is 0 where all of it is true. ``docs/fairness.md`` says what this proves and what it cannot.
"""

import hashlib
import hmac
import json
import sys
from itertools import groupby


def canonical(value):
    """A JSON value as the bytes that are digested (RFC 8785)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(text):
    """SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()


def commitment(game, seed):
    """What was published before the game."""
    return digest(f"darbar-1|{game}|{seed}")


def leaf(seed, number, content):
    """What line ``number`` of the log adds to the chain."""
    nonce = hmac.new(bytes.fromhex(seed), f"event|{number}".encode(), "sha256").hexdigest()
    return digest(f"{nonce}|{number}|".encode() + content)


def heads(record):
    """The head of the chain after each line."""
    head, found, moves = digest(record["commitment"]), [], {move["id"]: move for move in record["moves"]}
    for line in record["events"]:
        content = canonical(line)
        if line["move"] in moves:
            content += canonical(moves.pop(line["move"]))
        head = digest(f"{head}|{leaf(record['seed'], line['number'], content)}")
        found.append(head)
    return found


def draw(seed, game, players, number, bound):
    """Draw ``number`` of the game, from 0 to ``bound - 1``, without modulo bias."""
    message = f"{game}|{number}" + "".join(f"|{player}" for player in players)
    key, limit = bytes.fromhex(seed), (1 << 256) - (1 << 256) % bound
    value, said = limit, message.encode()
    while value >= limit:
        said = hmac.new(key, said, "sha256").digest()
        value = int.from_bytes(said, "big")
    return value % bound


def seeds(record):
    """The players' own seeds in seat order."""
    return [seat["seed"] for seat in record["seats"] if seat["seed"]]


def faults(record):
    """What is wrong with a record, a sentence each; none where it is true."""
    if (record.get("format"), record.get("version")) != ("darbar-record", 1):
        yield "this is no record that this program can read"
        return
    if commitment(record["game"], record["seed"]) != record["commitment"]:
        yield "the seed does not fit the commitment"
    lines = record["events"]
    if not lines or [line["number"] for line in lines] != list(range(1, len(lines) + 1)):
        yield "the numbers of the log have gaps"
        return
    if heads(record)[-1] != record["head"]:
        yield "the log is not the one that its head was made of"
    yield from table_faults(record)
    yield from draw_faults(record)


def table_faults(record):
    """What of the document does not stand in its log."""
    joined, opened = [], {}
    for event in (line["event"] for line in record["events"]):
        if event["type"] == "table.opened":
            opened = {name: event[name] for name in ("rules", "version", "turn", "window", "commitment")}
        elif event["type"] == "table.joined":
            joined.append((event["house"], event["seed"]))
        elif event["type"] == "table.left":
            joined.pop(event["seat"] - 1)
    said = {name: record[name] for name in ("rules", "turn", "window", "commitment")}
    if opened != {**said, "version": record["rules_version"]}:
        yield "the rules, their version, the times to answer or the commitment are not those of the log"
    if joined != [(seat["house"], seat["seed"]) for seat in record["seats"]]:
        yield "the seats and their seeds are not those of the log"
    if [seat["seat"] for seat in record["seats"]] != list(range(1, len(joined) + 1)):
        yield "the seats have gaps"
    setup = next((line["event"] for line in record["events"] if line["event"]["type"] == "set-up"), {})
    if setup.get("options", record["options"]) != record["options"]:
        yield "the options are not those of the log"
    made = [line["move"] for line in record["events"] if line["move"]]
    if list(dict.fromkeys(made)) != [move["id"] for move in record["moves"]]:
        yield "the moves are not those of the log"


def draw_faults(record):
    """The draws of chance that do not follow from the seeds."""
    drawn, players = 0, seeds(record)
    for line in record["events"]:
        for bound, index in line["draws"]:
            if bound < 1 or draw(record["seed"], record["game"], players, drawn, bound) != index:
                yield f"draw {drawn + 1} (event {line['number']}) does not follow from the seeds"
            drawn += 1


def rule_faults(record, folder):
    """The events that do not follow from the moves, as the engine in ``folder`` decides them."""
    sys.path.insert(0, folder)
    msgspec = __import__("msgspec")
    engine = __import__("games.engine", fromlist=["SeededChance"])
    rules = __import__("games.rules.registry", fromlist=["RULES"]).RULES[record["rules"]]
    moves, state, drawn = {move["id"]: move for move in record["moves"]}, None, 0
    lines = (line for line in record["events"] if not line["event"]["type"].startswith("table."))
    for move, group in groupby(lines, key=lambda line: line["move"]):
        decision = list(group)
        players = [bytes.fromhex(seed) for seed in seeds(record)]
        chance = engine.SeededChance(bytes.fromhex(record["seed"]), record["game"], players, drawn)
        try:
            events = decided(msgspec, rules, record, state, moves.get(move), chance)
        except (engine.RuleViolation, StopIteration, ValueError) as error:
            yield f"event {decision[0]['number']} cannot be decided again: {error}"
            return
        if json.loads(msgspec.json.encode(events)) != [line["event"] for line in decision]:
            yield f"events {decision[0]['number']} to {decision[-1]['number']} are not what the rules decide"
            return
        if [list(each) for each in chance.draws] != decision[0]["draws"]:
            yield f"the draws of event {decision[0]['number']} are not those that the rules make"
        for event in events:
            state = rules.evolve(state, event)
        drawn += len(chance.draws)
    if state is None or rules.outcome(state) is None:
        yield "the game has not come to its end"


def decided(msgspec, rules, record, state, move, chance):
    """The events that a move, or the set-up, leads to."""
    if move is None:
        return list(rules.setup(msgspec.convert(record["options"], rules.option_type), len(record["seats"]), chance))
    if move["move"] is None:
        return list(rules.resign(state, move["seat"], chance))
    if move["via"] == "clock":
        asked = next(each for each in rules.questions(state) if each.id == move["question"])
        rules.default_move(state, asked, chance)
    answer = msgspec.convert({**move["move"], "question": move["question"]}, rules.move_type)
    return list(rules.decide(state, move["seat"], answer, chance))


def main(arguments):
    """Check the record that the arguments name, and say what was found."""
    if not arguments or len(arguments) not in (1, 3) or (len(arguments) == 3 and arguments[1] != "--engine"):
        print(__doc__)
        return 2
    try:
        with open(arguments[0], encoding="utf-8") as file:
            record = json.load(file)
        found = list(faults(record))
        if not found and len(arguments) == 3:
            found = list(rule_faults(record, arguments[2]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        found = [f"it cannot be read as a record: {error!r}"]
    for fault in found:
        print(f"FALSE: {fault}")
    if not found:
        rules = "; every event follows by the rules" if len(arguments) == 3 else ""
        print(f"TRUE: the seed fits the commitment, the log is whole, every draw follows from the seeds{rules}.")
        print(f"Compare with what you were told: commitment {record['commitment']}, last head {record['head']}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
