#!/usr/bin/env python3
"""Check the record of a game of Darbar, without Darbar: only Python's standard library is needed.

    python3 verify.py RECORD.json [--head HEX]... [--commitment HEX] [--engine FOLDER] [--authorities PEM]

It says whether the seed fits the commitment, the log is whole, and every draw of chance follows from the seeds. With
the folder of Darbar's source code it also decides every move again. All this only proves something together with a
head or the commitment that you were told before the end. The exit status is 0 where it is true, 1 where it is false,
3 where it is consistent and unproven. ``docs/fairness.md`` says what this proves and what it cannot.
"""

import argparse
import datetime
import hashlib
import hmac
import importlib.util
import json
import re
import sys

RECORD = (
    "format str, version int, game str, rules str, rules_version int, options dict, seats list, "
    "terms dict, commitment str, seed str, head str, moves list, events list, trust str, time_stamps list"
)
SEAT = "seat int, name str, bot bool, seed str"
MOVE = (
    "id str, seat int, question str, move dict|NoneType, text str, via str, bot_version int|NoneType, received_at str"
)
QUICKNET = (  # the public key of drand's network, the generator of the keys' group, and how rounds are hashed
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b"
    "0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
GENERATOR = (
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260"
    "805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
TRUST = (  # what a record says of its deal without a protection, and with one
    "This game trusts whoever ran the server: nothing kept them from choosing the cards.",
    "A promised seed or the public beacon was mixed into the cards, so that nobody could choose them.",
)
SIGNING = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
FIRST_ROUND = datetime.datetime.fromtimestamp(1692803367, datetime.UTC)
STAMP = "head str, path list, response str"
LINE = "number int, event dict, at str, via str, seat int|NoneType, move str|NoneType, draws list"


def read(text):
    """The JSON value that a text is. ValueError where a member stands twice or a value in another than its one form."""
    value = json.loads(text, parse_float=int, parse_constant=int)
    dense = re.sub(r'("[^"\\]*(?:\\.[^"\\]*)*")|\s+', r"\1", text)
    if dense != json.dumps(value, separators=(",", ":"), ensure_ascii=False):
        raise ValueError("a member stands twice, or a value is not written in its one form")
    return value


def is_shaped(value, shape):
    """Return whether a JSON value has the members of a shape and no others, each of its type."""
    kinds = dict(member.split() for member in shape.split(", "))
    named = type(value) is dict and value.keys() == kinds.keys()
    return named and all(type(value[name]).__name__ in kinds[name].split("|") for name in kinds)


def is_record(record):
    """Return whether a JSON value has the shape of a record, with seeds and digests of 64 hexadecimal digits."""
    parts = {"seats": SEAT, "moves": MOVE, "events": LINE, "time_stamps": STAMP}
    if not is_shaped(record, RECORD) or not all(is_shaped(each, parts[of]) for of in parts for each in record[of]):
        return False
    if any(list(map(type, draw)) != [int, int] for line in record["events"] for draw in line["draws"]):
        return False
    digits = [record["seed"], record["commitment"], record["head"], *seeds(record)]
    return all(re.fullmatch("[0-9a-f]{64}", each) for each in digits)


def canonical(value):
    """A JSON value as the bytes that are digested (RFC 8785)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(text):
    """SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()


def commitment(game, seed):
    """Return what was published before the game."""
    return digest(f"darbar-2|{game}|{seed}")


def leaf(seed, number, content):
    """Return what line ``number`` of the log adds to the chain."""
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


def told(record, kind):
    """The events of a kind."""
    return [line["event"] for line in record["events"] if line["event"]["type"] == kind]


def mixed_in(record):
    """Return what is mixed into each draw: the players' seeds, and the randomness of the public beacon."""
    published = told(record, "table.beacon-published")
    return [*seeds(record), *(digest(bytes.fromhex(each["signature"])) for each in published)]


def seed_faults(record):
    """Yield which seeds are not those that their players committed to."""
    promised = []
    for event in (line["event"] for line in record["events"]):
        if event["type"] == "table.joined":
            promised.append(event["seed_commitment"])
        elif event["type"] == "table.left":
            promised.pop(event["seat"] - 1)
        revealed = event["type"] == "table.seed-revealed"
        if revealed and promised[event["seat"] - 1] != digest(f"darbar-seed|{event['seed']}"):
            yield f"the seed of seat {event['seat']} is not the one that its player committed to"


def beacon_faults(record):
    """Yield what is wrong with the public beacon: its round is the first after it was fixed, and signed by its key."""
    awaited, published = (told(record, f"table.beacon-{kind}") for kind in ("awaited", "published"))
    if len(awaited) > 1 or len(published) > len(awaited):
        yield "more than one round of the beacon is mixed in, or one that was not awaited"
        return
    for line in record["events"]:
        if line["event"]["type"] == "table.beacon-awaited":
            at = datetime.datetime.fromisoformat(line["at"].replace("Z", "+00:00"))
            if line["event"]["round"] != (at - FIRST_ROUND) // datetime.timedelta(seconds=3) + 2:
                yield "the round of the beacon is not the first after it was fixed"
    for now, then in zip(awaited, published, strict=False):
        if now["round"] != then["round"]:
            yield "the round of the beacon is not the one that was awaited"
        elif is_signed(then["round"], then["signature"], now["key"]) is False:
            yield f"the beacon did not sign round {then['round']} so"


def is_signed(number, signature, key):
    """Return whether the owner of ``key`` signed a round so; None where the library ``pyblst`` is not there to say."""
    if importlib.util.find_spec("pyblst") is None:
        return None
    pyblst = importlib.import_module("pyblst")
    hashed = pyblst.BlstP1Element.hash_to_group(hashlib.sha256(number.to_bytes(8, "big")).digest(), SIGNING)
    point = pyblst.BlstP1Element.uncompress(bytes.fromhex(signature))
    one = pyblst.miller_loop(point, pyblst.BlstP2Element.uncompress(bytes.fromhex(GENERATOR)))
    return pyblst.final_verify(one, pyblst.miller_loop(hashed, pyblst.BlstP2Element.uncompress(bytes.fromhex(key))))


def root_of(record, stamp):
    """The root of the tree that a time stamp is for: it holds the heads of many games."""
    node = digest(f"darbar-stamp|{record['game']}|{stamp['head']}")
    for side, sibling in (step.split(" ") for step in stamp["path"]):
        node = digest(f"{sibling}|{node}" if side == "left" else f"{node}|{sibling}")
    return node


def stamp_faults(record, authorities):
    """Yield what is wrong with the time stamps; nothing where the library ``rfc3161-client`` is not there to say."""
    if not record["time_stamps"] or importlib.util.find_spec("rfc3161_client") is None:
        return
    tsp, x509 = map(importlib.import_module, ("rfc3161_client", "cryptography.x509"))
    roots = x509.load_pem_x509_certificates(authorities) if authorities else []
    for stamp in record["time_stamps"]:
        root = root_of(record, stamp).encode()
        try:
            response = tsp.decode_timestamp_response(bytes.fromhex(stamp["response"]))
            if response.tst_info.message_imprint.message != hashlib.sha256(root).digest():
                yield f"the head {stamp['head']} is not what was stamped"
            elif roots:
                tsp.VerifierBuilder(roots=roots).build().verify_message(response, root)
        except (ValueError, tsp.VerificationError) as error:
            yield f"the time stamp of the head {stamp['head']} cannot be believed: {error}"


def stamped(record, authorities):
    """Yield what the time stamps show."""
    made = heads(record)
    if record["time_stamps"] and importlib.util.find_spec("rfc3161_client") is None:
        yield "The time stamps were not checked: that needs the library rfc3161-client."
        return
    for stamp in record["time_stamps"]:
        tsp = importlib.import_module("rfc3161_client")
        at = tsp.decode_timestamp_response(bytes.fromhex(stamp["response"])).tst_info.gen_time
        bound = f"{made.index(stamp['head']) + 1} events were there at {at:%Y-%m-%d %H:%M}"
        unsigned = "" if authorities else " Its signature was not checked: that needs a certificate, --authorities."
        yield f"A time stamp says that {bound}.{unsigned}"


def faults(record, known=(), promised=None):
    """Yield the faults of a record, a sentence each. It must have the known heads and the promised commitment."""
    if not is_record(record) or (record["format"], record["version"]) != ("darbar-record", 1):
        yield "this is no record that this program can read"
        return
    if commitment(record["game"], record["seed"]) != record["commitment"]:
        yield "the seed does not fit the commitment"
    if promised not in (None, record["commitment"]):
        yield f"the commitment {promised} is not of this game"
    lines = record["events"]
    if not lines or [line["number"] for line in lines] != list(range(1, len(lines) + 1)):
        yield "the numbers of the log have gaps"
        return
    made = heads(record)
    if made[-1] != record["head"]:
        yield "the log is not the one that its head was made of"
    for head in {*known, *(stamp["head"] for stamp in record["time_stamps"])} - set(made):
        yield f"the head {head} is not of this log"
    yield from table_faults(record)
    yield from draw_faults(record)
    yield from seed_faults(record)
    yield from beacon_faults(record)


def table_faults(record):
    """Yield what of the document does not stand in its log."""
    joined, opened, last, moves = [], {}, "", {move["id"]: move for move in record["moves"]}
    for event in (line["event"] for line in record["events"]):
        last = event["type"]
        if last == "table.created":
            opened = {name: event[name] for name in ("rules", "version", "terms", "commitment")}
        elif last == "table.joined":
            joined.append([event["bot"], event["seed"]])
        elif last == "table.seed-revealed":
            joined[event["seat"] - 1][1] = event["seed"]
        elif last in ("table.left", "table.bot-takeover"):
            if type(event["seat"]) is not int or not 1 <= event["seat"] <= len(joined):
                raise ValueError(f"nobody sits on seat {event['seat']}")
            seat = joined.pop(event["seat"] - 1)
            if last == "table.bot-takeover":
                joined.insert(event["seat"] - 1, [True, seat[1]])
    said = {name: record[name] for name in ("rules", "terms", "commitment")} | {"version": record["rules_version"]}
    seated = [[seat["bot"], seat["seed"]] for seat in record["seats"]]
    setup = next((line["event"] for line in record["events"] if line["event"]["type"] == "set-up"), {})
    true = {
        "the log does not go on to the end of the game": last == "table.ended",
        "the rules, their version, the terms or the commitment are not those of the log": canonical(opened)
        == canonical(said),
        "the seats and their seeds are not those of the log": canonical([seat[:2] for seat in joined])
        == canonical(seated),
        "it does not say whom the deal trusts": record["trust"]
        == TRUST[bool(told(record, "table.seed-revealed") + told(record, "table.beacon-published"))],
        "the seats have gaps": [seat["seat"] for seat in record["seats"]] == list(range(1, len(joined) + 1)),
        "the options are not those of the log": canonical(setup.get("options")) == canonical(record["options"]),
    }
    yield from (fault for fault in true if not true[fault])
    made = [line for line in record["events"] if line["move"] is not None]
    if list(dict.fromkeys(line["move"] for line in made)) != [move["id"] for move in record["moves"]]:
        yield "the moves are not those of the log"
    elif any(line[name] != moves[line["move"]][name] for line in made for name in ("seat", "via")):
        yield "the log does not say who moved, and how"


def draw_faults(record):
    """The draws of chance that do not follow from the seeds."""
    drawn, players = 0, mixed_in(record)
    for line in record["events"]:
        for bound, index in line["draws"]:
            if not 1 <= bound < 2**53 or draw(record["seed"], record["game"], players, drawn, bound) != index:
                yield f"draw {drawn + 1} (event {line['number']}) does not follow from the seeds"
            drawn += 1


def rule_faults(text, folder):
    """Yield what does not follow from the moves, as the engine in ``folder`` decides them."""
    sys.path.insert(0, folder)
    try:
        engine, registry = map(importlib.import_module, ("games.engine.thinking.asking_again", "games.rules.registry"))
    except ImportError as error:
        sys.stderr.write(f"The engine in {folder} needs the Python of its own .venv: {error}\n")
        sys.exit(2)
    try:
        record = engine.load(text.encode())
        yield from engine.undecided(registry.find_rules(record.rules, record.rules_version), record)
    except Exception as error:  # whatever rules raise of a log that cannot be
        yield f"the engine cannot play it: {error!r}"


def main(arguments):
    """Check the record that the arguments name, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record")
    parser.add_argument("--head", action="append", default=[], type=lambda text: text.strip().lower())
    parser.add_argument("--commitment", type=lambda text: text.strip().lower())
    parser.add_argument("--engine", metavar="FOLDER")
    parser.add_argument("--authorities", metavar="PEM")
    asked = parser.parse_args(arguments)
    authorities = b""
    try:
        with open(asked.record, encoding="utf-8") as file:
            text = file.read()
        if asked.authorities:
            with open(asked.authorities, "rb") as file:
                authorities = file.read()
        record = read(text)
        found = list(faults(record, asked.head, asked.commitment))
        found = found or list(stamp_faults(record, authorities))
        found = found or list(rule_faults(text, asked.engine) if asked.engine else ())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        found = [f"it cannot be read as a record: {error!r}"]
    for fault in found:
        print(f"FALSE: {fault}")
    if found:
        return 1
    for event in told(record, "table.beacon-awaited"):
        if event["key"] != QUICKNET:
            print(f"The beacon is not drand's quicknet: you have to trust the owner of the key {event['key']}.")
    if told(record, "table.beacon-published") and importlib.util.find_spec("pyblst") is None:
        print("The signature of the beacon was not checked: that needs the library pyblst.")
    for line in stamped(record, authorities):
        print(line)
    rules = "; every event follows by the rules" if asked.engine else ""
    print(f"The seed fits the commitment, the log is whole, every draw follows from the seeds{rules}.")
    print(record["trust"])
    if not asked.head and not asked.commitment:
        print("UNPROVEN: whoever knows the seed can write such a record.")
        print("Give a --head or the --commitment that you were told before the end.")
        return 3
    bound = max((number for number, head in enumerate(heads(record), start=1) if head in asked.head), default=0)
    print(f"TRUE: what you were told binds the seeds and {bound} of {len(record['events'])} events.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
