"""Tests of which part of a text is its sender's own."""

import pytest

from notifications.content import marker
from notifications.mail_parsing.lines import Line, html_lines, plain
from notifications.mail_parsing.quoting import Torn, own_lines
from tests.examples import for_each, read_examples
from tests.games.mail.letters import HEADERS, INTRODUCTIONS
from tests.games.mail.shapes import introduced

EXAMPLES = read_examples(__file__)

MARKER = marker("Please write your answer above this line")


def left(text: str) -> list[str]:
    return [line for line in own_lines(plain(text)) if line]


EVERY_INTRODUCTION = [(program, language) for program, languages in INTRODUCTIONS.items() for language in languages]


@for_each("program, language", EVERY_INTRODUCTION)
def test_the_line_above_a_quotation_is_nobodys(program: str, language: str) -> None:
    line = introduced(program, language)
    assert left(f"{line}\n> quoted\n\n4") == ["4"]
    assert left(f"4\n{line}\n> quoted") == ["4"]
    assert left(f"4\n\n{line}\n\n> quoted") == ["4"]


@for_each(
    "program, language", [introduction for introduction in EVERY_INTRODUCTION if introduction != ("mutt", "short")]
)
def test_what_follows_such_a_line_unmarked_is_quoted(program: str, language: str) -> None:
    assert left(f"4\n\n{introduced(program, language)}\n\nyour cards\n1\nresign yes") == ["4"]


@for_each("language", HEADERS)
def test_outlooks_header_ends_what_is_the_writers(language: str) -> None:
    *names, date = HEADERS[language]
    values = ("Darbar <darbar@play.example>", date, "maryam@example.org", "Coup XK42")
    block = "\n".join(f"{name}: {value}" for name, value in zip(names, values, strict=True))
    for divided in (block, f"________________________________\n{block}", block.replace(names[0], f"*{names[0]}*", 1)):
        assert left(f"4\n\n{divided}\n\n1\n") == ["4"]


@pytest.mark.parametrize(
    "line",
    ["-----Original Message-----", "-----Ursprüngliche Nachricht-----", "---------- Forwarded message ---------",
     "-----پیام اصلی-----", "-----הודעה מקורית-----", "-------- Исходное сообщение --------"],
)  # fmt: skip
def test_a_divider_ends_what_is_the_writers(line: str) -> None:
    assert left(f"4\n{line}\n1") == ["4"]


def test_from_our_marker_line_on_everything_is_ours() -> None:
    assert left(f"4\n{MARKER}\n1\n2") == ["4"]
    assert left(f"4\n\u200f\u202b{MARKER}\u202c\n1") == ["4"]
    assert left(f"{MARKER}\n4") == []


def test_a_marker_within_a_quotation_ends_nothing() -> None:
    assert left(f"> {MARKER}\n> 1. income\n\n4") == ["4"]


def test_an_answer_between_quoted_lines_is_the_writers() -> None:
    assert left("> What do you do?\n4\n> 1. income") == ["4"]


def test_signatures_and_what_telephones_add_are_nobodys() -> None:
    for below in (
        "-- \nMaryam\n2",
        "--\n2",
        "Sent from my iPhone",
        "Von meinem Telefon gesendet",
        "Get Outlook for iOS",
    ):
        assert left(f"4\n\n{below}") == ["4"]
    assert left("-- \nMaryam\n\n> quoted\n\n4") == ["4"], "a signature above the quotation ends there"


def test_a_line_that_begins_with_a_dash_is_the_writers() -> None:
    assert left("- 4\n- 5") == ["- 4", "- 5"]


def test_what_a_program_broke_off_a_quoted_line_is_not_an_answer() -> None:
    long = "> To answer, reply to this mail with the number or the text of one of the"
    with pytest.raises(Torn):
        own_lines(plain(f"{long}\nincome\n> answers"))
    assert left(f"{long}\n\nincome") == ["income"]
    assert left(f"4\n{long}\nincome") == ["4", "income"]


def test_lines_that_flow_are_made_whole() -> None:
    assert own_lines(plain("chat this goes \non and on\nnext\n> a \n> b\n -- \n", flowed=True))[:2] == (
        "chat this goes on and on",
        "next",
    )
    assert own_lines(plain("chat half \nword", flowed=True, delete_space=True)) == ("chat halfword",)


def test_gaps_between_the_writers_lines_are_kept() -> None:
    assert own_lines(plain("a\n\n\nb\n> c\nd\ne")) == ("a", "", "b", "", "d", "e")


def html(text: str) -> list[str]:
    return [line for line in own_lines(html_lines(text)) if line]


def test_a_quoting_element_ends_where_it_ends() -> None:
    assert html("<blockquote>1<div>2</div></blockquote>4") == ["4"]
    assert html('<div class="gmail_quote"><blockquote>1</blockquote></div><div>4</div>') == ["4"]
    assert html('<div class="yahoo_quoted"><div>1</div>2</div><p>4</p>') == ["4"]
    assert html("<blockquote><p class='moz-signature'>1</blockquote>4") == ["4"]
    assert html("<blockquote><span style='display:none'>1<span>2</span>3</span>5</blockquote>4") == ["4"]
    assert html("<span style='display:none'>1<span>2</span>3</span>4") == ["4"]


def test_html_is_read_as_it_is_shown() -> None:
    assert html("<p>steal&nbsp;2</p>") == ["steal 2"]
    assert html("<div>steal\n   <b>2</b></div>") == ["steal 2"]
    assert html("one<br>two<div>three</div><pre>four\nfive</pre>") == ["one", "two", "three", "four", "five"]
    assert html("<style>1</style><!-- 2 --><![if !x]>4<![endif]>") == ["4"]
    assert html("<div title='a > b' class=x>4</div>") == ["4"]
    assert html("&lt;4&gt; &#x6f4; &#9999999999;") == ["<4> ۴ \ufffd"]


def test_a_bracket_that_is_no_tag_spoils_its_line() -> None:
    assert html("<div>4 <div class=</div>") == ["4 \ufffddiv class="]


def test_controls_are_never_cut_out_of_a_line() -> None:
    assert plain("1\x002") == [Line("1\ufffd2")]
    assert plain("a\tb") == [Line("a b")]


@for_each("field", EXAMPLES["hidden"])
def test_what_stands_in_a_form_or_is_not_shown_was_written_by_nobody(field: str) -> None:
    assert html(field) == []
    assert html(f"<blockquote>{field}</blockquote>") == []
    if field.endswith("</textarea>") or "</" in field:
        assert html(f"<p>4</p>{field}<p>5</p>") == ["4", "5"]


def test_half_shown_text_is_read() -> None:
    assert html("<div style='opacity: 0.9'>4</div>") == ["4"]
    assert html("<div style='max-height: 0.5em'>4</div><div data-hidden='x' class='hidden-xs'>5</div>") == ["4", "5"]
    assert html("<form><p>4</p></form>") == ["4"]
