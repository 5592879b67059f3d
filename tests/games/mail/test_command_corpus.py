"""Commands as people write them, in both languages; and lines that resemble one and must do nothing."""

from datetime import date, time, timedelta

import pytest
from django.utils.translation import gettext, override

from games.mail.mailbox_commands import (
    AccountCommand,
    Confirm,
    CreateGame,
    Invite,
    LeaveGame,
    Rematch,
    SeekPlayers,
    SetDigest,
    SetSleepHours,
    ShowGames,
    ShowHelp,
    ShowRules,
    ShowStatus,
    StartMails,
    StopMails,
    StopSeeking,
    TakeVacation,
    Unclear,
    read_titles,
)
from games.mail.mailbox_reader import read_account_command
from games.terms.speeds import SPEEDS
from notifications.mail_parsing.parsed_mail import SenderText
from tests.examples import for_each

ALI = ("ali@example.org",)
NIGHT = SetSleepHours(time(23), time(7))
HONEST: list[tuple[AccountCommand, str]] = [
    (ShowHelp(), "help|Help!|HELP.|Hi Darbar, help please|“help”"),
    (ShowHelp(), "?|؟|راهنما|سلام، راهنما لطفاً|commands|*help*"),
    (ShowHelp(), "help me, please|send me the help|what can I write here?|سلام، راهنما می‌خوام|کمک"),
    (ShowGames(), "show me my games|list my games|games?"),
    (ShowStatus(), "status?|وضعیت من؟"),
    (ShowRules(), "rules?"),
    (ShowRules("coup"), "rules of coup?|قوانین بازی کودتا"),
    (CreateGame("coup", 4), "New game: coup, 4 players|Please start a new coup for 4 people"),
    (CreateGame("coup", 4, ("normal",) * 3), "I want a new coup game with 3 bots"),
    (CreateGame("coup", 3, ("normal",) * 2), "یک بازی تازه کودتا با ۲ ربات"),
    (CreateGame("coup", 3, ("normal",), ALI), "new coup with my friend ali@example.org and 1 bot"),
    (SeekPlayers("coup"), "seek coup|seek players for coup|find players for coup|Looking for players of Coup."),
    (SeekPlayers("coup"), "هم‌بازی کودتا|جست‌وجوی هم‌بازی برای کودتا"),
    (SeekPlayers("coup", 4, 4), "seek coup 4|seek coup for four players|هم‌بازی کودتا ۴ نفر|هم‌بازی کودتا چهار نفره"),
    (SeekPlayers("coup", 3, 5), "seek coup 3-5|seek coup 3 to 5 players|seek: coup, three to five"),
    (SeekPlayers("coup", 3, 5), "هم‌بازی کودتا ۳ تا ۵ نفر"),
    (SeekPlayers("coup", 3, 5, "slow"), "seek coup 3 to 5 slow|seek coup slow, 3-5|هم‌بازی کودتا ۳ تا ۵ آهسته"),
    (
        SeekPlayers("coup", options=(("anarchist", False), ("inquisitor", True)), fill_after=timedelta(hours=2)),
        "seek coup with inquisitor and without the anarchist, bots after 2 hours"
        "|seek coup, bots after two hours, no anarchist, inquisitor"
        "|هم‌بازی کودتا با بازرس و بدون آنارشیست، با ربات پس از ۲ ساعت",
    ),
    (StopSeeking(), "stop seeking|stop looking for players|پایان جست‌وجو|توقف جست‌وجوی هم‌بازی"),
    (Rematch(), "I want a rematch|دوباره بازی کنیم|بازی مجدد"),
    (Rematch("VED4"), "rematch of VED4|rematch of the game VED4"),
    (Invite(*ALI), "invite my sister ali@example.org"),
    (TakeVacation(3), "I'm on vacation for 3 days|vacation: 3 days|vacation three days|مرخصی سه روز|مرخصی ۳ روزه"),
    (TakeVacation(7), "vacation one week|holiday 1 week"),
    (NIGHT, "sleep from 11pm to 7am|sleep 11 pm - 7 am|sleep 23h-7h|خواب ۲۳ تا ۷ صبح|ساعت خواب ۱۱ شب تا ۷ صبح"),
    (SetSleepHours(time(0), time(8, 30)), "sleep 12am to 8:30am|خواب ۱۲ شب تا ۸:۳۰ صبح"),
    (SetDigest("daily"), "ایمیل روزانه"),
    (StopMails(), "please stop sending me emails|قطع ایمیل‌ها"),
    (StartMails(), "start again|شروع دوباره"),
    (ShowGames(), "which games am I in?"),
    (ShowStatus(), "what's my status?"),
    (ShowRules("coup"), "how do I play coup?"),
    (Rematch(), "let's play again"),
    (TakeVacation(10), "going on holiday for 10 days"),
    (NIGHT, "I sleep from 23:00 to 07:00"),
    (SetDigest("daily"), "one mail a day please|روزی یک ایمیل"),
    (SetDigest("daily", 8), "mails daily at 8am"),
    (SetDigest("daily", 20), "mails daily at 8 pm"),
    (StopMails(), "stop all emails|please unsubscribe me|دیگه ایمیل نفرست"),
    (StartMails(), "start sending again|resume emails|دوباره شروع"),
    (ShowGames(), "what games am I playing at the moment?|which games are we in|چه بازی‌هایی دارم؟"),
    (TakeVacation(10), "please give me a vacation of 10 days|I need a vacation for ten days"),
    (SetSleepHours(time(22, 30), time(6, 30)), "my sleep hours are 22:30 to 6:30|ساعت خوابم ۲۲:۳۰ تا ۶:۳۰"),
    (StopMails(), "take me off this mailing list|Remove me from your mailing list, please"),
    (Invite(*ALI), "please invite my brother, ali@example.org|I'd like to invite ali@example.org"),
    (LeaveGame("VED4"), "take me out of VED4|I have to leave the game VED4"),
    (ShowGames(), "games|My games|Games, please|my games!|بازی‌ها"),
    (ShowGames(), "بازی ها|بازیها|بازی‌های من|بازی‌هایم|سلام، بازی‌ها"),
    (ShowStatus(), "status|Status.|my status|settings|وضعیت|وضعیت من|درود، وضعیت"),
    (ShowRules(), "rules|the rules|Rules, please|قوانین|قوانین لطفا"),
    (ShowRules("coup"), "rules coup|Rules of Coup|the rules of coup!|قوانین کودتا|قوانين کودتا|rules ＣＯＵＰ"),
    (ShowRules("sedlec"), "rules sedlec|rules of Skulls of Sedlec|قوانین جمجمه‌های سدلتس"),
    (Confirm(), "yes|Yes!|yes please|Yes, thanks|YES.|بله|بله.|آره|بله، ممنون|confirm|تأیید|👍 yes"),
    (CreateGame("coup", 4), "new coup 4|New game of Coup for 4 players"),
    (CreateGame("coup", 4), "a new coup for 4|new coup ۴|new game coup 4"),
    (CreateGame("coup", 4), "I'd like to new coup 4|بازی تازه کودتا ۴"),
    (CreateGame("coup", 4), "بازی جدید کودتا 4 نفره|بازی تازهٔ کودتا ۴ نفره"),
    (CreateGame("sedlec", 3), "new skulls of sedlec 3|new sedlec for 3|بازی تازه جمجمه‌های سدلتس ۳"),
    (CreateGame("coup", 3, ("normal", "normal")), "new coup with 2 bots|new coup with two bots"),
    (CreateGame("coup", 3, ("strong", "easy")), "new coup with a strong bot and an easy bot"),
    (CreateGame("coup", 3, ("master", "master")), "بازی تازه کودتا با ۲ ربات استاد"),
    (CreateGame("coup", 3, ("normal", "normal")), "new coup 3 with 2 bots|new coup 3 with 2 Bots!"),
    (CreateGame("coup", 3, ("normal", "normal")), "بازی تازه کودتا با ۲ ربات"),
    (CreateGame("coup", 3, ("normal", "normal")), "بازی جدید کودتا با دو ربات|بازی تازه کودتا ۳ نفره با ۲ ربات"),
    (CreateGame("coup", 2, ("normal",)), "new coup with a bot|new coup 2 with one bot|بازی تازه کودتا با یک ربات"),
    (CreateGame("coup", 3, ("normal",), ALI), "new coup with ali@example.org and 1 bot"),
    (CreateGame("coup", 3, ("normal",), ALI), "new coup with Ali@Example.org, a bot"),
    (CreateGame("coup", 3, ("normal",), ALI), "new coup 3 with 1 bot and ali@example.org"),
    (CreateGame("coup", 3, ("normal",), ALI), "new coup with <ali@example.org> + 1 bot"),
    (CreateGame("coup", 3, ("normal",), ALI), "بازی تازه کودتا با ali@example.org و ۱ ربات"),
    (CreateGame("coup", 3, ("normal",), ALI), "new coup with mailto:ali@example.org and 1 bot"),
    (CreateGame("coup", 2, (), ALI, "Come, it is fun!"), "new coup with ali@example.org: Come, it is fun!"),
    (CreateGame("coup", 4), "new coup for four|new coup for four players|new coup for four, please"),
    (CreateGame("coup", 4), "new coup four people|Could you open a game of coup for 4?"),
    (CreateGame("coup", 4), "open a game of coup for 4|would you start a new game of coup for 4"),
    (CreateGame("coup", 4), "بازی تازه کودتا چهار نفره|بازی جدید کودتا چهارنفره|یک بازی تازهٔ کودتا، چهار نفره"),
    (TakeVacation(7), "یک هفته مرخصی|one week vacation|7 days of holiday"),
    (TakeVacation(5, date(2027, 3, 20)), "vacation from 2027-03-20 for 5 days|مرخصی از ۲۰۲۷-۰۳-۲۰ به مدت پنج روز"),
    (TakeVacation(5, date(2027, 3, 20)), "on holiday from 2027-03-20 for five days|۵ روز مرخصی از ۲۰۲۷-۰۳-۲۰"),
    (SetDigest("hours", 6), "mails every six hours|ایمیل‌ها هر شش ساعت"),
    (LeaveGame(), "leave|Leave!|leave the table|leave the game"),
    (LeaveGame(), "leave my game|ترک میز|ترک|ترک بازی|leave please"),
    (LeaveGame("VED4"), "leave VED4|leave ved4|leave game VED4"),
    (LeaveGame("VED4"), "leave the table VED4|ترک VED4|ترک میز VED4|leave ved4 thanks"),
    (Rematch(), "rematch|Rematch!|rematch please|بازی دوباره|دوباره|rematch, thanks"),
    (Rematch("VED4"), "rematch VED4|Rematch game ved4|rematch VED4!|دوباره VED4|بازی دوباره VED4"),
    (Invite(*ALI), "invite ali@example.org|Invite Ali@example.org!"),
    (Invite(*ALI), "invite <ali@example.org>|دعوت ali@example.org|دعوت از ali@example.org"),
    (Invite(*ALI, "VED4"), "invite ali@example.org to VED4"),
    (Invite(*ALI, "VED4"), "invite ali@example.org to game VED4|دعوت ali@example.org به VED4"),
    (Invite(*ALI, "", "بیا بازی!"), "invite ali@example.org: بیا بازی!|دعوت ali@example.org: بیا بازی!"),
    (TakeVacation(3), "vacation 3 days|Vacation for 3 days|vacation of 3 days, please|مرخصی ۳ روز|مرخصی 3 روز"),
    (TakeVacation(14), "vacation 2 weeks|vacation 14 days|مرخصی ۲ هفته"),
    (TakeVacation(5, date(2027, 3, 20)), "vacation 5 days from 2027-03-20|مرخصی ۵ روز از ۲۰۲۷-۰۳-۲۰"),
    (NIGHT, "sleep 23-7|Sleep 23–7|sleep 23:00-7:00|sleep from 23 to 7|sleep ２３-７"),
    (SetSleepHours(time(18), time(0)), "sleep 18-24|sleep 18:00-24:00|sleep 6pm until 24:00|خواب ۱۸ تا ۲۴"),
    (NIGHT, "sleep 23 until 7|خواب ۲۳-۷|خواب ۲۳ تا ۷|خواب از ۲۳ تا ۷"),
    (SetSleepHours(None, None), "sleep off|sleep none|خواب خاموش|خواب هیچ"),
    (SetDigest("daily"), "emails daily|mails daily|Mails once a day"),
    (SetDigest("daily"), "e-mails daily|ایمیل‌ها روزانه|ایمیل ها روزانه|emails daily please"),
    (SetDigest("daily", 8), "emails daily at 8|mails daily at 8:00|ایمیل‌ها روزانه ساعت ۸"),
    (SetDigest("hours", 6), "emails every 6 hours|mails every 6 hours!|ایمیل‌ها هر ۶ ساعت"),
    (SetDigest("at-once"), "emails at once|mails immediately|ایمیل‌ها فوری|ایمیل‌ها بی‌درنگ"),
    (StopMails(), "stop|STOP|Stop emails|stop all|unsubscribe|توقف|توقف ایمیل‌ها|please stop"),
    (StartMails(), "start|Start!|start emails|subscribe|شروع|شروع ایمیل‌ها"),
]  # fmt: skip
HOSTILE = (
    "out of milk|I want to leave early|invite my brothers, ali@example.org, bob@example.org"
    "|could you not open a game of coup for 4?|could you open a game of coup?|why not open a game of coup for 4?"
    "|open a game of coup for 4?|new coup for a"
    "|open a game of coup for 4 or 5|new coup for four or five|vacation from tomorrow for 3 days"
    "|mails every so many hours"
    "|vacation from 2027-03-20|vacation from 2027-03-20 for 3 days or 5|یک هفته مرخصی نمی‌خواهم|شاید یک هفته مرخصی"
    "|don't start a new game of coup|new coup with 2 bots or 3 bots|if I leave VED4, what happens|should I stop mails"
    "|I never want vacation 3 days|maybe vacation 3 days|vacation 3 or 4 days|شاید مرخصی ۳ روز|مرخصی نمی‌خواهم|"
    "sleep 13pm-25am|help yourself|stop sending|start over|vacation one|holiday snaps|new coup game|stop?"
    "|rematch of the year|"
    "helpful|help me win|no help|stop it|don't stop|I will not stop|stop the game|start a game|starting|never start"
    "|yes and no|yes?|yes but not now|no|oh yes he did|leave me alone|do not leave|leave VED4 and VED5|leave VED45"
    "|rematch never|no rematch|rematch VED4 or ABCD|new|new coup|new coup 4 5|new coup -4|new chess 4|new coup four"
    "|new coup with 0.5 bots|new coup with bots|new coup with everybody|new coup 2 with 2 bots|news coup 4|renew coup 4"
    "|new coup with ali@example and 1 bot|invite|invite me|invite ali|invite ali@example.org bob@example.org"
    "|invite ali@example.org to VED45|don't invite ali@example.org|vacation|vacation soon|vacation 3|vacation 3 hours"
    "|vacation -3 days|vacation 3 days from tomorrow|vacation 3 days from 2027-02-30|sleep|sleep well|sleep 25-7"
    "|sleep 23-25|sleep 23-7-9|sleep 23:60-7|sleep 24:30-7|emails|emails weekly"
    "|emails every 0 hours|emails every 99 hours|emails daily at 24"
    "|no emails daily|rules of chess|rules of the house|game|status quo|my life|توقف نکن|شروع نکن|بله یا نه"
    "|ترک نمی‌کنم|دعوت|مرخصی|خواب خوش|بازی تازه|بازی تازه شطرنج ۴|راهنما نمی‌خواهم|قوانین شطرنج|وضعیت خوب است"
)


@for_each("command, line", [(command, line) for command, lines in HONEST for line in lines.split("|")])
def test_a_command_is_understood_as_people_write_it(command: AccountCommand, line: str) -> None:
    for lines in ((line,), (line, "", "Best wishes", "Maryam"), ("Hello,", "", line)):
        assert read_account_command(SenderText((lines, lines)), read_titles()) == command


@pytest.mark.parametrize(("line", "language"), [("seek coup 3 {}", "en"), ("هم‌بازی کودتا {}", "fa")])
@pytest.mark.parametrize("speed", SPEEDS)
def test_the_names_of_speeds_on_the_pages_are_read(speed: str, line: str, language: str) -> None:
    with override(language):
        label = gettext(SPEEDS[speed].label)
    for text in (label, label.replace("\u200c", " ")):
        command = read_account_command(SenderText(((line.format(text),),)), read_titles())
        assert isinstance(command, SeekPlayers), text
        assert command.speed == speed


@for_each("line", HOSTILE.split("|"))
def test_what_only_resembles_a_command_is_none(line: str) -> None:
    assert read_account_command(SenderText(((line,),)), read_titles()) is None


@pytest.mark.parametrize(
    "line", ["I'll be hiking, vacation 3 days", "Vacation 3 days. I mean four", "باران می‌آید، مرخصی ۳ روز"]
)
def test_a_command_among_other_clauses_is_confirmed(line: str) -> None:
    command = read_account_command(SenderText(((line,),)), read_titles())
    assert isinstance(command, Unclear)
    assert command.command == TakeVacation(3)


@pytest.mark.parametrize("line", ["Sorry for the delay, vacation 3 days", "Thanks all. Vacation 3 days! See you soon"])
def test_a_command_beside_small_talk_is_carried_out(line: str) -> None:
    assert read_account_command(SenderText(((line,),)), read_titles()) == TakeVacation(3)


@pytest.mark.parametrize(
    "versions",
    [
        (("help",), ("games",)),
        (("new coup 4", "new coup 5"),),
        (("stop", "start"),),
        (("yes", "leave VED4"),),
        (("new coup 4",), ("new coup 4", "stop")),
        (("\u202enew coup 4",),),
        (("x" * 600,),),
        ((),),
    ],
)
def test_a_mail_that_says_two_things_or_hides_its_order_gives_no_command(versions: tuple[tuple[str, ...], ...]) -> None:
    assert read_account_command(SenderText(versions), read_titles()) is None
