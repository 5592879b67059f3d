"""Text beside an answer: small talk changes nothing, and anything else is asked back.

Each entry of the tables is what follows an answer: on the same line, on the line below it, and below a gap.
"""

import pytest

from games.engine import SeatNumber
from games.mail.commands import Chat, ChooseName, Command, InvitationReply, Move, NotUnderstood, SeveralCommands
from games.mail.mailbox_commands import Unclear, read_titles
from games.mail.mailbox_reader import read_account_command
from games.mail.reading.command_reader import read_invitation_reply
from games.mail.reading.courtesies import plain_line
from games.mail.reading.reply_readers import find_unclear_prose, read_digest_reply
from notifications.mail_parsing.parsed_mail import SenderText
from notifications.mail_parsing.parser import read
from tests.examples import for_each
from tests.games.mail.letters import DOMAIN, PLAYER, SERVER, TOKEN
from tests.games.mail.tables import ADDRESSES, TURN, WINDOW, text_of

CHANGING = """
no I mean 3
Edit: allow
Strike that
Delete this please
Sorry, that was for another game
Provided Kian does likewise
How does this work
I'll just start a new order.
Hmm
Hmm, let me think
Wait
Wait, no
Hold on
Actually, no
Actually challenge
On second thought, tax
Scratch that
Scrap it
Never mind
Nevermind
nvm
Forget it
Forget what I said
Ignore this
Ignore this email
Please ignore my last email
Disregard
Please disregard
Cancel
Cancel that
Undo
Take that back
I take it back
Not!
Not really
Just kidding
Kidding
jk
Joking of course
As if
Yeah, right
In your dreams
If nobody blocks
If Kaveh allows
Only if Kaveh does the same
Unless Sepideh has the duke
Unless you disagree
As long as nobody challenges
Provided that she is honest
In case he bluffs
When Kaveh has moved
After lunch
Tomorrow
Later
Not yet
Until then I wait
Maybe
Perhaps
Probably
Or 3
Or maybe income
Or not
3
Better 3
Rather income
Make it 3
Make that income
I meant 3
I mean income
Instead: income
Correction: income
Update: income
PS: income
P.S. please use 3
P.S. I changed my mind
EDIT income
Typo, I wanted income
Oops
Oops, wrong game
Wrong game
Wrong email
Wrong thread, sorry
This was for my other game
This is for VED4
Meant for Kaveh
Was that right?
Is that OK?
Is this allowed?
What happens now?
Can I do that?
Which one is better?
Or should I block?
What do you think?
Why is this my turn?
Who is winning?
Are you sure?
Do I have to?
Don't
Don't do it
Please don't
Do nothing
Stop
Not this one
Not for me
No
No thanks
No way
Nope
Negative
False
Test
This is only a test
Draft
To be confirmed
TBC
Pending my wife's approval
I would not
I should not
Would be stupid
That would be a mistake
I regret it
I am not sure
Not sure
Unsure
My son typed that
My cat walked over the keyboard
That was my brother
Kaveh wrote that
She said
he says
Kaveh asked me to write this
Just an example
For example
Hypothetically
Theoretically
Suppose so
The opposite
Vice versa
Both
Neither
None of these
All of the above
Reverse that
Revert
Void
Withdrawn
Retract
I withdraw this
Replace it with income
Change it to income
Changed my mind
Swap for income
Skip
Pass instead
Postpone
Give me a day
Need more time
Ask me again
Once more please
Resend the question
Unsubscribe
Send this to Kaveh
Cc Kaveh
See attachment
See attached
see below
Read on
More follows
To be continued
And then income
Then income
Next time income
Great, but no
Thanks, but wait
Thanks, no
Sorry, wrong button
Sorry, misclick
Sorry, I misread
Sorry, one moment
Cheers, undo
Good luck, I take it back
Best wishes, and ignore this
Have fun. Strike that
Well played. Not.
Haha, no
lol jk
🚫
🙃
❌
🤔
s/3/1/
/s
</sarcasm>
!important
*not*
~strike~
=> income
-> 3
1 not 3
^ ignore
TL;DR no
FYI this is a bluff
ویرایش: اجازه
نه
نه منظورم ۳ بود
منظورم ۱ بود
صبر کن
صبر کنید
یک لحظه
ببخشید، برای بازی دیگری بود
اشتباه شد
اشتباهی فرستادم
این اشتباه بود
بی‌خیال
ولش کنید اصلا
نادیده بگیرید
این ایمیل را نادیده بگیرید
پاکش کن
حذف شود
لغو
لغوش کن
پس گرفتم
حرفم را پس می‌گیرم
شوخی کردم
شوخی بود
اگر کاوه موافق باشد
اگه کسی بلوف نزنه
به شرطی که کاوه هم همین کار را بکند
مگر اینکه مقابله کنند
شاید
شاید هم نه
یا ۳
یا درآمد
بعدا
فردا
وقتی کاوه بازی کرد
این چطور کار می‌کند
این یعنی چه؟
درست است؟
کدام بهتر است؟
مطمئن نیستم
نمی‌دانم
پشیمان شدم
پشیمون شدم
نظرم عوض شد
عوضش کن به درآمد
به جاش درآمد
اصلاح: درآمد
پ.ن. درآمد
پی‌نوشت: نظرم عوض شد
برعکس
هیچکدام
هر دو
پسرم نوشت
کاوه گفت
مثلا
فرضا
ممنون، ولی نه
مرسی، اشتباه شد
موفق باشید، پس می‌گیرم
باشه ولی نه
""".strip().splitlines()

HARMLESS = """
Thanks
Thanks!
Thank you very much
Thanks a lot, everyone!
Cheers
Cheers, Kaveh
THANKS EVERYONE
good game
Good game, everybody!
Have fun
have fun all :)
Good luck
Good luck, Kaveh!
gl hf
GG
Nice one, Sepideh
Well played
Have a nice day
Have a great weekend everybody
Enjoy your evening
See you soon
See you tomorrow, Kaveh
Talk soon
Bye
Bye bye
Take care
Best
Best regards
Kind regards
With kind regards
Warm regards from Berlin
Greetings from sunny Isfahan
All the best
Sorry for the delay
Sorry for the late reply!
Sorry, I was asleep
Sorry Kaveh
Apologies for being slow
No rush
Take your time
No hard feelings
nothing personal
Your turn
Here we go
Fingers crossed
Wish me luck
Haha
Hahaha
lol
😀
🎉🎉
🙏
Hope you are well
How are you?
Looking forward to it
This is fun
I love this game
What a game
Good morning everyone
Hello from Kaveh
Sent from my iPhone
Get Outlook for Android
Sent from Yahoo Mail on Android
ارسال شده از آیفون من
ارسال‌شده از آیفون من
ممنون
ممنون!
خیلی ممنون
مرسی
مرسی از همه
سپاسگزارم
با تشکر
با احترام
با احترام فراوان
موفق باشید
موفق باشید!
خسته نباشید
خسته‌نباشید
شب بخیر
شبتون بخیر
روز خوش
روز خوبی داشته باشید
خوش بگذره
بازی خوبی بود
دمت گرم
دمتون گرم
خداحافظ
به امید دیدار
ببخشید دیر شد
شرمنده دیر جواب دادم
سلام به همه
نوبت شماست
چه خبر؟
حالتون چطوره؟
ههههه
""".strip().splitlines()


def positions(answer: str, text: str) -> list[str]:
    """Return an email with a text beside an answer, below it, and below a gap."""
    return [f"{answer}. {text}", f"{answer}\n{text}", f"{answer}\n\n{text}", f"{answer}\n\n\n{text}\n\nThanks"]


def read_reply(body: str, kind: str = "text/plain") -> Command:
    head = f"From: Maryam <{PLAYER}>\nTo: {TOKEN}@{DOMAIN}\nMessage-ID: <1@example.org>\nMIME-Version: 1.0\n"
    raw = f"{head}Content-Type: {kind}; charset=utf-8\n\n{body}\n".encode()
    return TURN.read(read(raw, ADDRESSES, server=SERVER).content)


@for_each("text", CHANGING)
def test_an_answer_with_text_that_may_change_it_is_asked_back(text: str) -> None:
    played = [body for body in positions("2", text) if not isinstance(read_reply(body), NotUnderstood)]
    played += [
        body
        for answer in ("allow", "Challenge", "چالش")
        for body in positions(answer, text)
        if not isinstance(WINDOW.read(SenderText((tuple(body.split("\n")),))), NotUnderstood)
    ]
    assert played == []


@for_each("text", HARMLESS)
def test_an_answer_with_small_talk_is_played(text: str) -> None:
    doubtful = [body for body in positions("2", text)[1:] if not isinstance(read_reply(body), Move)]
    assert doubtful == []


@for_each(
    "body",
    [
        "2\n\nBest,\nMaryam",
        "2\n\nKind regards\n\nMaryam Rahimi\nExample Organisation\nTel. +49 30 1234567",
        "2\n\n-- \nMaryam Rahimi\nAnything that she likes to quote in her signature",
        "2\n\nبا احترام\nمریم رحیمی",
        "2\n\nCheers\nM.",
        "2\n\nThanks,\nDr. Helga Braun-Meier",
        "2\n\nSent from my Galaxy",
        "2\n\nSent from Outlook for iOS<https://aka.ms/o0ukef>",
        "2\n\nOn Monday, Darbar <darbar@play.darbar.example> wrote:\n> 1. Take income: 1 coin\n> 2. Take foreign aid",
        "2\nplan allow 2 tax",
    ],
)
def test_signatures_quotations_and_plans_may_follow(body: str) -> None:
    assert not isinstance(read_reply(body), NotUnderstood), read_reply(body)


@for_each(
    "body",
    [
        "2\n\n-- \nEdit: I meant 3",
        "2\n\n-- \nMaryam\nActually, wait",
        "2\n\n-- \nمریم\nویرایش: منظورم ۳ بود",
        "2\n\nSent from my iPhone. Actually no, 3",
        "2\n\nSent from my iPhone, ignore this",
        "2\n\nSent from my phone by mistake",
        "2\n\nارسال شده از آیفون من، منظورم ۳ بود",
        "2\n\nThanks,\nUndo",
        "2\n\nThanks,\nUndo That",
        "2\n\nNever Mind",
        "2\n\nبا احترام\nاشتباه شد",
        "2\n\n> 1. Take income: 1 coin\n> 2. Take foreign aid\n\nNo, I mean 3",
        "> What do you do?\n2\n> 3. Tax\nactually this one",
        "2\n\nOn Monday, Darbar <darbar@play.darbar.example> wrote:\n> 1. Take income\n\nEdit: income",
        "I am not sure about this\n2",
        "If Kaveh agrees:\n2",
        "Please ignore the next line\n2",
    ],
)
def test_corrections_in_signatures_and_round_quotations_are_asked_back(body: str) -> None:
    assert isinstance(read_reply(body), NotUnderstood)


@pytest.mark.parametrize("text", ["Edit: income", "no, wait", "Strike that", "ویرایش: درآمد"])
def test_a_correction_in_one_form_alone_is_asked_back(text: str) -> None:
    for forms in ((("2",), ("2", "", text)), (("2", "", text), ("2",))):
        assert isinstance(TURN.read(SenderText(forms)), NotUnderstood), forms


def test_the_question_back_shows_both_readings() -> None:
    command = TURN.read(SenderText((("tax", "", "Thanks!", "no I mean income"),)))
    assert isinstance(command, NotUnderstood)
    assert command.line == "no I mean income"
    assert isinstance(command.reading, Move)
    assert text_of(command.reading.move) == "tax"


@for_each("text", CHANGING)
def test_an_invitation_is_not_accepted_with_text_that_may_change_it(text: str) -> None:
    for body in positions("join", text):
        assert isinstance(read_invitation_reply(SenderText((tuple(body.split("\n")),))), NotUnderstood), body


@for_each("text", CHANGING)
def test_a_command_to_the_server_is_not_done_with_text_that_may_change_it(text: str) -> None:
    command = read_account_command(SenderText((("vacation 3 days", "", text),)), read_titles())
    assert command is None or isinstance(command, Unclear)


@for_each("text", CHANGING)
def test_the_answers_of_a_digest_are_not_given_with_text_that_may_change_them(text: str) -> None:
    content = SenderText((("VED4: 3", "K7QT: allow", "", text),))
    assert find_unclear_prose(content, ("VED4", "K7QT")) == text
    assert read_digest_reply(content, ("VED4", "K7QT")) == {}


def test_a_worker_does_not_keep_long_lines_of_strangers() -> None:
    short, long = "I  allow  it", "I  allow  it " * 300
    assert plain_line(short) is plain_line(short)
    assert plain_line(long) == plain_line(long)
    assert plain_line(long) is not plain_line(long)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("“chat” Maryam hello", Chat(SeatNumber(1), "hello")),
        ("“chat” “Maryam” hello", Chat(SeatNumber(1), "hello")),
        ("«گفت‌وگو» Maryam سلام", Chat(SeatNumber(1), "سلام")),
        ("“chat” Maryam " + "very " * 60 + "long", Chat(SeatNumber(1), "very " * 60 + "long")),
        ("“chat” hello", Chat(None, "hello")),
    ],
)
def test_a_chat_command_in_quotation_marks_is_read_as_one_without(line: str, command: Chat) -> None:
    """Our emails show it so. Without this, a private message in a chat with everyone would be sent to everyone."""
    assert TURN.read(SenderText(((line,),))) == command
    below = TURN.read(SenderText((("tax", "", line),)))
    assert isinstance(below, SeveralCommands)
    assert (text_of(below.move.move), below.chat) == ("tax", command)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("“name Sam”", ChooseName("Sam")),
        ("“name” Sam", ChooseName("Sam")),
        ("«نام» سام", ChooseName("سام")),
        ("name Sam “the liar”", ChooseName("Sam “the liar”")),
        ("“join, lucky words: seven goats”", InvitationReply("join", words="seven goats")),
        ("join, lucky words: a “b” c", InvitationReply("join", words="a “b” c")),
    ],
)
def test_an_example_in_quotation_marks_is_read_as_one_without(line: str, command: Command) -> None:
    assert read_invitation_reply(SenderText(((line,),))) == command
