#!/usr/bin/env python3
"""Check the record of a game of Darbar, without Darbar: only Python's standard library is needed.

    python3 verify.py RECORD.json [--deal-head HEX]... [--head HEX]... [--commitment HEX]
                      [--name NAME]... [--engine FOLDER] [--authorities PEM]

Each line of the answer begins with TRUE, FALSE or NOT CHECKED. The owner of the seed can write a consistent record
afterwards. So nothing is TRUE without values that you kept from before the end: the head of the list of the deal, heads
of the log, the commitment. The exit status is 0 if every line is TRUE, 1 if one is FALSE, and 3 if something is NOT
CHECKED. ``docs/fairness.md`` explains what this proves and what it does not.
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
QUICKNET = (  # the public key of drand's network, the generator of the keys' group, and the hash method of rounds
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b"
    "0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
GENERATOR = (
    "93e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260"
    "805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8"
)
TRUST = (  # the sentences about the deal: unprotected, with promised seeds, with the beacon
    "This game trusts the operator of the server: nothing kept them from choosing the cards.",
    "Promised seeds are mixed into the cards. A player whose own program has kept the head of the list of the deal "
    "can prove that nobody chose them.",
    "The public beacon is mixed into the cards. Whoever has kept the head of the list of the deal from before its "
    "round can prove that nobody chose them.",
)
MISSING = "The promised seeds of these seats were not revealed: {}. So this game trusts the operator of the server."
BINDING = ("deal-listed", "beacon-awaited", "beacon-published")
LEAD = datetime.timedelta(seconds=30)  # from the time at which a round is fixed to its publication
SIGNING = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
FIRST_ROUND = datetime.datetime.fromtimestamp(1692803367, datetime.UTC)
STAMP = "head str, path list, response str"
LINE = "number int, event dict, at str, via str, seat int|NoneType, move str|NoneType, draws list"


def read(text):
    """Return the JSON value of a text. Raises ValueError for a duplicate member, and for a form that is not
    canonical.
    """
    value = json.loads(text, parse_float=int, parse_constant=int)
    dense = re.sub(r'("[^"\\]*(?:\\.[^"\\]*)*")|\s+', r"\1", text)
    if dense != json.dumps(value, separators=(",", ":"), ensure_ascii=False):
        raise ValueError("a member occurs twice, or a value is written in an unusual form")
    return value


def is_shaped(value, shape):
    """Return whether a JSON value has the members of a shape and no others, each of its type."""
    kinds = dict(member.split() for member in shape.split(", "))
    has_members = type(value) is dict and value.keys() == kinds.keys()
    return has_members and all(type(value[name]).__name__ in kinds[name].split("|") for name in kinds)


def is_record(record):
    """Return whether a JSON value has the shape of a record, with seeds and digests of 64 hexadecimal digits."""
    parts = {"seats": SEAT, "moves": MOVE, "events": LINE, "time_stamps": STAMP}
    if not is_shaped(record, RECORD) or not all(is_shaped(item, parts[of]) for of in parts for item in record[of]):
        return False
    if any(list(map(type, draw)) != [int, int] for line in record["events"] for draw in line["draws"]):
        return False
    digits = [record["seed"], record["commitment"], record["head"], *seeds(record)]
    return all(re.fullmatch("[0-9a-f]{64}", digit) for digit in digits)


def canonical(value):
    """Return the bytes of a JSON value that are hashed (RFC 8785)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(text):
    """SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()


def commitment(game, seed):
    """Return the commitment that was published before the game."""
    return digest(f"darbar-2|{game}|{seed}")


def leaf(seed, number, content):
    """Return the leaf of line ``number`` in the chain of the log."""
    nonce = hmac.new(bytes.fromhex(seed), f"event|{number}".encode(), "sha256").hexdigest()
    return digest(f"{nonce}|{number}|".encode() + content)


def heads(record):
    """Return the head of the chain after each line."""
    head, chain, moves = digest(record["commitment"]), [], {move["id"]: move for move in record["moves"]}
    for line in record["events"]:
        content = canonical(line)
        if line["move"] in moves:
            content += canonical(moves.pop(line["move"]))
        head = digest(f"{head}|{leaf(record['seed'], line['number'], content)}")
        chain.append(head)
    return chain


def draw(seed, game, players, number, bound):
    """Draw ``number`` of the game, from 0 to ``bound - 1``, without modulo bias."""
    message = f"{game}|{number}" + "".join(f"|{player}" for player in players)
    key, limit = bytes.fromhex(seed), (1 << 256) - (1 << 256) % bound
    value, block = limit, message.encode()
    while value >= limit:
        block = hmac.new(key, block, "sha256").digest()
        value = int.from_bytes(block, "big")
    return value % bound


def seeds(record):
    """Return the players' own seeds in seat order."""
    return [seat["seed"] for seat in record["seats"] if seat["seed"]]


def events(record, kind):
    """Return the events of a kind."""
    return [line["event"] for line in record["events"] if line["event"]["type"] == kind]


def mixed_in(record):
    """Return the hexadecimal values that are part of each draw: the players' seeds, and that of the beacon."""
    published = events(record, "table.beacon-published")
    return [*seeds(record), *(digest(bytes.fromhex(event["signature"])) for event in published)]


def trust(record):
    """Return the sentence that a record must have about its deal."""
    if missing := [str(event["seat"]) for event in events(record, "table.seed-missing")]:
        return MISSING.format(", ".join(missing))
    return TRUST[2 if events(record, "table.beacon-published") else bool(events(record, "table.seed-revealed"))]


def deal_lists(record):
    """Return the list of the deal as texts: without the round of the beacon, and with it. There may be none."""
    seats, awaited = [], events(record, "table.beacon-awaited")
    for event in (line["event"] for line in record["events"]):
        if event["type"] == "table.joined":
            promise = event["seed_commitment"]
            seats.append(
                {"player": event["player"], "seed": "" if promise else event["seed"], "seed_commitment": promise}
            )
        elif event["type"] == "table.left":
            seats.pop(event["seat"] - 1)
        elif event["type"] == "table.deal-listed":
            numbered = [{"seat": number, **seat} for number, seat in enumerate(seats, start=1)]
            listed = {
                "game": record["game"],
                "commitment": record["commitment"],
                "key": event["key"],
                "seats": numbered,
            }
            rounds = (None, awaited[0]["round"]) if awaited else (None,)
            return [canonical({**listed, "round": number}).decode() for number in rounds]
    return []


def deal_heads(record):
    """Return the published digests of the list of the deal: without the round of the beacon, and with it."""
    return [digest(f"darbar-deal|{text}") for text in deal_lists(record)]


def deal_faults(record, known_heads):
    """Yield faults of the list of the deal, and of the order of events after it."""
    order = [line["event"]["type"] for line in record["events"]]
    listed, awaited, published = (events(record, f"table.{kind}") for kind in BINDING)
    for head in set(known_heads) - set(deal_heads(record)):
        yield f"the deal head {head} is not of this game: you were shown another list of the deal"
    early = ("table.seed-revealed", "table.seed-missing", "table.beacon-awaited", "table.beacon-published")
    if not listed:
        if any(kind in order for kind in early) or promised_seats(record):
            yield "seeds were promised or a beacon was awaited without a list of the deal"
        return
    begun, started = order.index("table.deal-listed"), order.index("table.started")
    late = ("table.joined", "table.left", "table.deal-listed", "table.created")
    if any(kind in late for kind in order[begun + 1 :]) or any(kind in early for kind in order[:begun]):
        yield "the list of the deal was not fixed once, after the last seat was taken and before a seed was revealed"
    if [event["head"] for event in listed + awaited] != deal_heads(record):
        yield "the list of the deal is not the one whose head was published"
    if [now["key"] for now in awaited] != [listed[0]["key"]] * bool(listed[0]["key"]):
        yield "the beacon was not awaited as the list of the deal says"
    if awaited and any(kind in early[:2] for kind in order[order.index("table.beacon-awaited") :]):
        yield "a seed was revealed after the round of the beacon was fixed"
    if started < begun or any(kind in early for kind in order[started:]):
        yield "a seed was revealed or a beacon was awaited after the deal"
    yield from missing_faults(record, bool(awaited) and not published)


def promised_seats(record):
    """Return the seats whose players had promised a seed when the table was full."""
    seats = []
    for event in (line["event"] for line in record["events"]):
        if event["type"] == "table.joined":
            seats.append(bool(event["seed_commitment"]))
        elif event["type"] == "table.left":
            seats.pop(event["seat"] - 1)
    return {number for number, is_promised in enumerate(seats, start=1) if is_promised}


def missing_faults(record, is_beacon_missing):
    """Yield a fault if the log omits a missing seed, or if the game should have been cancelled."""
    revealed, missing = (
        [event["seat"] for event in events(record, f"table.seed-{kind}")] for kind in ("revealed", "missing")
    )
    if sorted(revealed + missing) != sorted(promised_seats(record)):
        yield "the log does not say once of each promised seed whether it was revealed"
    if record["terms"].get("unprotected") == "cancel":
        for seat in missing:
            yield f"the game was to be cancelled, as the promised seed of seat {seat} was not revealed"
        if is_beacon_missing:
            yield "the game was to be cancelled, as the beacon did not publish its round"


def seed_faults(record):
    """Yield a fault for each revealed seed that does not match its player's commitment."""
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
    """Yield faults of the beacon. Its round must be the first one after the list was fixed, and signed with its key."""
    awaited, published = (events(record, f"table.beacon-{kind}") for kind in ("awaited", "published"))
    if len(awaited) > 1 or len(published) > len(awaited):
        yield "more than one round of the beacon is mixed in, or one that was not awaited"
        return
    for line in record["events"]:
        if line["event"]["type"] == "table.beacon-awaited":
            at = datetime.datetime.fromisoformat(line["at"].replace("Z", "+00:00"))
            if line["event"]["round"] != (at + LEAD - FIRST_ROUND) // datetime.timedelta(seconds=3) + 2:
                yield "the round of the beacon is not the one that follows from the time at which it was fixed"
    for now, then in zip(awaited, published, strict=False):
        if now["round"] != then["round"]:
            yield "the round of the beacon is not the one that was awaited"
        elif is_signed(then["round"], then["signature"], now["key"]) is False:
            yield f"the beacon did not sign round {then['round']} so"


def is_signed(number, signature, key):
    """Return whether the owner of ``key`` signed this round. Return None if the library ``pyblst`` is not installed."""
    if importlib.util.find_spec("pyblst") is None:
        return None
    pyblst = importlib.import_module("pyblst")
    hashed = pyblst.BlstP1Element.hash_to_group(hashlib.sha256(number.to_bytes(8, "big")).digest(), SIGNING)
    point = pyblst.BlstP1Element.uncompress(bytes.fromhex(signature))
    one = pyblst.miller_loop(point, pyblst.BlstP2Element.uncompress(bytes.fromhex(GENERATOR)))
    return pyblst.final_verify(one, pyblst.miller_loop(hashed, pyblst.BlstP2Element.uncompress(bytes.fromhex(key))))


def root_of(record, stamp):
    """Return the root of the stamped tree, which holds the heads of many games."""
    node = digest(f"darbar-stamp|{record['game']}|{stamp['head']}")
    for side, sibling in (step.split(" ") for step in stamp["path"]):
        node = digest(f"{sibling}|{node}" if side == "left" else f"{node}|{sibling}")
    return node


def stamp_faults(record, authorities):
    """Yield faults of the time stamps. Yield nothing if the library ``rfc3161-client`` is not installed."""
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


def stamp_claims(record, authorities):
    """Yield the proof of each time stamp: True or None, and a sentence."""
    chain, is_readable = heads(record), importlib.util.find_spec("rfc3161_client") is not None
    for stamp in record["time_stamps"]:
        bound = f"events 1 to {chain.index(stamp['head']) + 1} were there"
        if not is_readable:
            yield None, f"the time stamp by which {bound}: that needs the library rfc3161-client"
            continue
        tsp = importlib.import_module("rfc3161_client")
        at = tsp.decode_timestamp_response(bytes.fromhex(stamp["response"])).tst_info.gen_time
        needs = "" if authorities else ": the signature needs a certificate that you believe, --authorities"
        yield True if authorities else None, f"the time stamp by which {bound} at {at:%Y-%m-%d %H:%M}{needs}"


def deal_claim(record, known_heads):
    """Return the proof of the deal: True or None, and a sentence."""
    listed, awaited, published = (events(record, f"table.{kind}") for kind in BINDING)
    heads, seats = deal_heads(record), ", ".join(str(event["seat"]) for event in events(record, "table.seed-missing"))
    if not listed:
        return None, "no seed was promised and no beacon awaited. Whoever ran the server could choose the cards"
    if seats:
        return None, f"promised seeds were not revealed, by seats {seats}. They may have known the others' seeds"
    if not awaited:
        if heads[0] in known_heads:
            text = "all seeds and promises were fixed in the list whose head you kept. If you kept it before your own"
            return True, f"{text} promised seed was revealed, nobody chose the cards"
        give = "give --deal-head with the head of the list of the deal that you kept before your promised seed was"
        return (
            None,
            f"{give} revealed. Your program or browser keeps it, and the email that asked for your seed names it",
        )
    if not published:
        return None, "the beacon was awaited, and its number is not mixed in"
    if awaited[0]["key"] != QUICKNET:
        return None, f"the beacon is not drand's. You have to trust the owner of the key {awaited[0]['key']}"
    if is_signed(published[0]["round"], published[0]["signature"], QUICKNET) is None:
        return None, "the signature of the beacon needs the library pyblst"
    at = f"{FIRST_ROUND + datetime.timedelta(seconds=3) * (awaited[0]['round'] - 1):%Y-%m-%d %H:%M:%S} UTC"
    if heads[1] in known_heads:
        text = "the seeds and the round of the beacon were fixed in the list whose head you kept. If you kept it before"
        return True, f"{text} {at}, nobody chose the cards"
    give = "give --deal-head with the head of the list, with the round of the beacon in it, that you kept before"
    return None, f"{give} {at}. An email names it, and programs and pages keep it"


def claims(record, arguments):
    """Yield the proofs of a record without faults: True or None, and a sentence."""
    last = len(record["events"])
    bound = max((number for number, head in enumerate(heads(record), start=1) if head in arguments.head), default=0)
    is_bound = bool(bound or arguments.commitment or arguments.deal_head)
    yield is_bound or None, "the server's seed: it is the one whose commitment was published before the game"
    if bound:
        yield True, f"events 1 to {bound}: they are those whose head you gave, and their draws follow from the seeds"
    if bound < last:
        give = "no head that you gave binds them. Give --head with a later one, from a page, an email or a program"
        yield None, f"events {bound + 1} to {last}, and who won: {give}"
    state, sentence = deal_claim(record, arguments.deal_head)
    yield state, f"the deal: {sentence}"
    if arguments.engine:
        rules = importlib.import_module("games.rules.registry").find_rules(record["rules"], record["rules_version"])
        former = sum(move["bot_version"] not in (None, rules.bot_version) for move in record["moves"])
        yield bound > 0 or None, f"the rules: events 1 to {bound} follow from the moves"
        if former:
            yield None, f"the bots: {former} answers are by another version of the bot than that of the engine"
    else:
        yield None, "the rules: to decide every move again, give --engine with the folder of Darbar's source"
    yield from stamp_claims(record, arguments.authorities)
    if arguments.name:
        yield True, "the names: they are those that you gave"
    else:
        yield None, "the names: nothing in the log binds them. Give a --name for each seat, in their order"


def faults(record, known_heads=(), promised=None, deals=()):
    """Yield the faults of a record, a sentence each. It must have the known heads of the log and of the deal, and the
    promised commitment."""
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
    chain = heads(record)
    if chain[-1] != record["head"]:
        yield "the log is not the one that its head was made of"
    for head in {*known_heads, *(stamp["head"] for stamp in record["time_stamps"])} - set(chain):
        yield f"the head {head} is not of this log"
    yield from table_faults(record)
    yield from draw_faults(record)
    yield from seed_faults(record)
    yield from deal_faults(record, deals)
    yield from beacon_faults(record)


def table_faults(record):
    """Yield faults for fields of the record that differ from its log."""
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
    expected = {name: record[name] for name in ("rules", "terms", "commitment")} | {"version": record["rules_version"]}
    seated = [[seat["bot"], seat["seed"]] for seat in record["seats"]]
    setup = next((line["event"] for line in record["events"] if line["event"]["type"] == "set-up"), {})
    true = {
        "the log does not go on to the end of the game": last == "table.ended",
        "the rules, their version, the terms or the commitment are not those of the log": canonical(opened)
        == canonical(expected),
        "the seats and their seeds are not those of the log": canonical([seat[:2] for seat in joined])
        == canonical(seated),
        "it does not say whom the deal trusts": record["trust"] == trust(record),
        "the seats have gaps": [seat["seat"] for seat in record["seats"]] == list(range(1, len(joined) + 1)),
        "the options are not those of the log": canonical(setup.get("options")) == canonical(record["options"]),
    }
    yield from (fault for fault in true if not true[fault])
    answers = [line for line in record["events"] if line["move"] is not None]
    if list(dict.fromkeys(line["move"] for line in answers)) != [move["id"] for move in record["moves"]]:
        yield "the moves are not those of the log"
    elif any(line[name] != moves[line["move"]][name] for line in answers for name in ("seat", "via")):
        yield "the log does not say who moved, and how"


def draw_faults(record):
    """Yield a fault for each draw that does not follow from the seeds."""
    number, players = 0, mixed_in(record)
    for line in record["events"]:
        for bound, index in line["draws"]:
            if not 1 <= bound < 2**53 or draw(record["seed"], record["game"], players, number, bound) != index:
                yield f"draw {number + 1} (event {line['number']}) does not follow from the seeds"
            number += 1


def rule_faults(text, folder):
    """Yield faults found by the engine in ``folder``, which decides all moves again."""
    sys.path.insert(0, folder)
    try:
        engine, registry = map(importlib.import_module, ("games.engine.record", "games.rules.registry"))
    except ImportError as error:
        sys.stderr.write(f"The engine in {folder} needs the Python of its own .venv: {error}\n")
        sys.exit(2)
    try:
        record = engine.load(text.encode())
        yield from engine.undecided(registry.find_rules(record.rules, record.rules_version), record)
    except Exception as error:  # Rules can raise any error for a log that is impossible.
        yield f"the engine cannot play it: {error!r}"


def main(arguments):
    """Check the record named in the arguments, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record")
    for name in ("--head", "--deal-head"):
        parser.add_argument(name, action="append", default=[], type=lambda text: text.strip().lower())
    parser.add_argument("--commitment", type=lambda text: text.strip().lower())
    parser.add_argument("--name", action="append", default=[])
    parser.add_argument("--engine", metavar="FOLDER")
    parser.add_argument("--authorities", metavar="PEM")
    options = parser.parse_args(arguments)
    proven = []
    try:
        with open(options.record, encoding="utf-8") as file:
            text = file.read()
        if options.authorities:
            with open(options.authorities, "rb") as file:
                options.authorities = file.read()
        record = read(text)
        found_faults = list(faults(record, options.head, options.commitment, options.deal_head))
        found_faults = found_faults or list(stamp_faults(record, options.authorities))
        found_faults = found_faults or list(rule_faults(text, options.engine) if options.engine else ())
        if not found_faults and options.name not in ([], [seat["name"] for seat in record["seats"]]):
            found_faults = ["the names are not those that you gave"]
        proven = [] if found_faults else list(claims(record, options))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        found_faults = [f"it cannot be read as a record: {error!r}"]
    for fault in found_faults:
        print(f"FALSE: {fault}.")
    for state, sentence in proven:
        print(f"{'TRUE' if state else 'NOT CHECKED'}: {sentence}.")
    if found_faults:
        return 1
    print(f"The record says of its deal: {record['trust']}")
    return 0 if all(state for state, _ in proven) else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
