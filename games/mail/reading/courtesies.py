"""Courtesies and small talk in both languages, and the removal of text beside the meaning of a line.

No text in the lists denies, corrects, asks or names a move. The functions remove greetings, thanks, classifications of
companies, quotation marks and emoji. They keep a sign that may reverse the meaning of a line (a question mark, a
crossed-out emoji), so that a parser does not take the rest for the whole.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Final

from games.engine.reading import fold


def _words(text: str) -> frozenset[str]:
    """Return the folded words of a text. A half-space separates words."""
    return frozenset(fold(word) for word in text.replace("\u200c", " ").split())


@dataclass(frozen=True)
class Family:
    """Words of one kind of courtesy. A courtesy has at least one of the heads and no word from outside."""

    heads: frozenset[str]
    words: frozenset[str]
    closes: bool = False
    """True if people write their names below such a courtesy."""


def _family(heads: str, others: str, *, closes: bool = False) -> Family:
    return Family(_words(heads), _words(f"{heads} {others}"), closes)


GREETINGS: Final = _words("greetings greets regards wishes cheers hello hi love hugs kisses thanks سلام درود")
"""Words that may stand before a place: “Greetings from Berlin”."""
ADDRESSEES: Final = _words(
    "{name} you u ya all everyone everybody folks guys friends friend team mate mates buddy pal dear dears darbar there"
    " ladies gentlemen boys girls sir madam and & my both"
    " دوستان دوست رفقا رفیق بچه ها همه همگی شما جان جون عزیز عزیزم عزیزان گرامی خانم آقا خان دربار و تو به"
)
"""Words by which people address one another."""
_NICE: Final = (
    "good great nice lovely wonderful cool fantastic amazing awesome brilliant excellent pleasant clever exciting "
    "beautiful happy"
    " fun splendid superb bold brave sunny relaxing restful merry"
)
_TIME: Final = (
    "day morning afternoon evening night week weekend sunday monday tuesday wednesday thursday friday saturday "
    "holiday holidays"
    " christmas nowruz easter year"
)
_GAME: Final = "game games round move play playing match luck"
_NICE_IN_PERSIAN: Final = "خوب خوبی خوش عالی قشنگ قشنگی جذاب جذابی جالب جالبی زیبا زیبایی خوبیه عالیه"

FAMILIES: Final = (
    _family(
        "thanks thank thx thanx tx ty tysm cheers merci danke gracias",
        "so much very many a lot lots million ton bunch kindly again in advance for the this your another such of "
        "inviting asking"
        " thinking waiting hosting organising organizing me us quick kind reminder reply answer email mail help "
        "patience invitation"
        f" invite note message info rules understanding best regards {_NICE} {_GAME} {_TIME}",
        closes=True,
    ),
    _family(
        f"{_NICE} luck enjoy gg glhf gl hf ggwp wp bravo congrats congratulations kudos respect chapeau played bluffed"
        " hooray welcome",
        "have had having a an the your this is was it's that it one what well so very really too such to of in "
        "hope wish wishing we'll lots"
        " rest start ahead try bluff hand site server fight party times far stuff already with again bye that's "
        f"{_GAME} {_TIME}",
        closes=True,
    ),
    _family(
        "sorry apologies apology pardon",
        "that it took take so long to for the my a i'm im i am so very really about being delay delays late slow "
        "lateness slowness short delayed reply replying answering"
        " answer response wait silence typo typos spelling brevity inconvenience bit little oh ah boring to keep "
        "waiting",
    ),
    _family(
        "travelling traveling asleep busy sick abroad train bus plane tram network internet",
        "without any signal reception a i i'm im am was we were too so very really at work on the train bus road "
        "holiday vacation this that month week today"
        " yesterday all day lately recently sorry just",
    ),
    _family(
        "see talk speak catch meet bye goodbye ciao ttyl greetings greets regards rgds best wishes love hugs hug "
        "kisses xoxo xx"
        " yours sincerely faithfully truly cordially kindly care br kr warmly farewell"
        " grüße gruß grüßen mfg lg cordialement saludos saluti amicalement groetjes pozdrawiam atenciosamente "
        "salutations",
        "later soon tomorrow tonight then next week time game at the on around again to with a lots of much many "
        "very all warm warmest kind"
        " kindest friendly sunny take for now good night and your mit freundlichen viele vielen liebe herzliche "
        "beste un saludo"
        f" bien à vous met vriendelijke groet sending {_TIME}",
        closes=True,
    ),
    _family("hi hello hey howdy morning evening afternoon", "good a very the to from"),
    _family(
        "yay yippee wow phew whew boom voila voilà huh lol lmao rofl xd hihi yeah yes yep yup ok okay sigh alas "
        "finally unfortunately"
        " sadly obviously definitely woohoo woo hoo done nice cool great perfect super tada rip please pls plz",
        "oh ah well at last of course as always usual ever again today this time for that's it my move answer "
        "choice from me now",
    ),
    # Persian
    _family(
        "ممنون ممنونم مرسی سپاس سپاسگزارم تشکر متشکرم متشکریم ممنونیم دم دمت دمتون",
        "خیلی با فراوان از بابت گرم دعوت دعوتت دعوتتون صبر صبرتون صبوری بازی همه یادآوری لطف لطفتون میشم می شوم"
        " پیشاپیش یه دنیا بسیار هم کمک کمکتون",
        closes=True,
    ),
    _family(
        "احترام ارادتمند ارادت مخلص مخلصم چاکرم چاکریم قربان قربانت قربون قربونت قربونتون فدات فداتون فدای دوستدار "
        "خدانگهدار"
        " نگهدار خداحافظ حافظ بدرود دیدار بوس بوسه می بینمتون میبینمتون می‌بینمت میبینمت",
        "با ادب فراوان خیلی برم خدا نگهدارتون امید مجدد تا فردا بعد بعدا فعلا امشب زود سلام از دارم",
        closes=True,
    ),
    _family(
        f"{_NICE_IN_PERSIAN} بخیر خیر موفق پیروز شاد شادی سلامت سالم پاینده زنده برقرار نباشید نباشی نباشین آفرین "
        "احسنت باریکلا ایول",
        "روز شب صبح ظهر عصر وقت هفته آخر اوقات شبتون شبت روزتون روزت وقتتون عصرتون صبحتون باشید باشی باشین باد "
        "داشته بازی بود چه"
        " خیلی بگذره بگذرد گذشت بگذرون خسته همیشه کردی کردید کردین امیدوارم حال حالتون باشه باشد باشند باشن هم پر "
        "از سلام برای",
    ),
    _family(
        "ببخشید ببخش ببخشین شرمنده شرمندم شرمنده‌ام پوزش معذرت عذرخواهی متاسفم",
        "که دیر شد جواب دادم میدم با از بابت عرض تاخیر دیرکرد می خوام میخوام خواهم میخواهم ام خیلی واقعا",
    ),
    _family("سلام درود", "و با عرض احترام بر ادب صبح عصر شب وقت روز بخیر خیر علیکم خسته نباشید خوب هستید هستین"),
    _family(
        "حیف هورا وای آخیش بالاخره همین لطفا خواهشا بفرما بفرمایید بفرمایین آخ ایول به",
        "شد جون آخ ای بابا مثل مثه همیشه طبق معمول فعلا بازم بی زحمت",
    ),
)  # fmt: skip


def _squeezed(phrase: str) -> str:
    return "".join(fold(phrase.replace("\u200c", " ").replace("؟", "?")).split())


PHRASES: Final = frozenset(
    _squeezed(phrase)
    for phrase in """
    no hard feelings, nothing personal, no worries, no rush, no hurry, no problem at all, take your time, your turn,
    your turn now, your move, over to you, back to you, here we go, here we go again, here i go, here goes, off we
    go, fingers crossed, wish me luck, game on, bring it on, let the games begin, let the best one win, may the best
    one win, may the best player win, the plot thickens, rest in peace, well done, well bluffed, well spotted, well
    caught, well guessed, good catch, nice catch, good guess, nice guess, you asked for it, looking forward,
    looking forward to it, looking forward to the game, looking forward to your move, can't wait, sounds fun, sounds
    good, sounds great, how are you, how are you ?, how are you all ?, how are you doing ?, how is everyone ?, how
    is everybody ?, how was your day ?, how was your weekend ?, hope you are well, hope you're well, hope all is
    well, i hope you are well, i hope you're well, i hope you are all well, i hope everyone is well, hope everyone
    is well, hope you are all well, hope you are doing well, i hope this finds you well, hope this finds you well, i
    love this game, love this game, i like this game, this is fun, that's fun, what fun, i'm enjoying this, please
    excuse typos, please excuse any typos, please excuse my brevity, please excuse brevity, excuse typos, excuse the
    typos, please forgive typos, typing this on the train, typing on the train, typing on my phone, typing this on
    my phone, sent in haste, it's worth a try, worth a try, why not, as always, as usual, as ever, i'm poor, i am
    poor, i'm broke, i'm so poor, i need money, i need the money, i need coins, i need the coins, take them, they're
    yours, they are yours, enjoy them, enjoy it, he deserves it, she deserves it, they deserve it, {name} deserves
    it, you deserve it, he has the most, she has the most, {name} has the most, you have the most, nobody ever stops
    me, my friend, my friends, my dear, my dears, cheers from the train, over and out, good to be back, happy to be
    back, that's it, that's all, that's all from me, that's it from me, this is my move, that's my move, this is my
    answer, that's my answer, my final answer, that is my move, that is my answer, stay safe, stay well, sleep well,
    be well, keep well, have a good one, good one, god bless, amen, with respect, with all respect, all the best,
    all good, same as before, so exciting, how exciting, what a game, such fun, so much fun, you are welcome, you're
    welcome, my pleasure, with pleasure, poor me, lucky me, lucky you, poor you, poor {name}, i'm hungry, happy
    days, the coffee is on me, enjoy, have fun, greetings from home, long time no see, sorry had to, had to, here
    you go, here it is, there you go, there we go, sorry {name} i had to, your oma, your opa, your grandma, your
    grandpa, your mum, your mom, your dad, your friend, grandma, grandpa, sorry i had to, let's play, let's go,
    let's do this, let's go then
    """.replace("\n", " ").split(",")
) | frozenset(
    _squeezed(phrase)
    for phrase in """
    دست شما درد نکند، دست شما درد نکنه، دستتون درد نکنه، دستت درد نکنه، دست همه درد نکنه، دست گلت درد نکنه، یا علی،
    یا حق، در پناه خدا، در پناه حق، التماس دعا، سر کارم، سرم شلوغه، این ماه سرم شلوغه، این روزا سرم شلوغه، سر کارم
    زود جواب دادم، سر کار هستم، تو راهم، توی راهم، تو مترو هستم، دستم خالیه، دستم خالی است، پول لازم دارم، پول
    می‌خوام، سکه لازم دارم، از همه پولدارتره، خیلی پولدار شده، زیادی پولدار شده، بزن بریم، بریم، بریم ببینیم چی
    میشه، ببینیم چی میشه، ببینیم چه می‌شود، برام دعا کنید، برای من دعا کنید، نوبت شماست، نوبت توئه، نوبت شما، نوبت
    بعدی، به به، ای بابا، آخ جون، مثل همیشه، طبق معمول، همین و بس، این هم حرکت من، اینم حرکت من، اینم از من، این هم
    از من، حرکتم همینه، جوابم همینه، جواب من همینه، عجله نکنید، عجله‌ای نیست، عجله نیست، به دل نگیر، به دل نگیرید،
    به دل نگیرین، ناراحت نشو، ناراحت نشید، ناراحت نشین، دلخور نشو، دلخور نشید، چطوری، چطوری؟، چطورید، چطورید؟،
    حالتون چطوره؟، حال شما چطوره؟، خوبی؟، خوبید؟، خوبین؟، چه خبر؟، چه خبر، چه خبرا؟، چه خبرا، خوبم، منم خوبم، خوب
    بازی کردی، چه بازی خوبی، تا بعد، تا فردا، تا دیدار بعد، فعلا، دوستتون دارم، زنده باد، بازم مثل همیشه، عزیزمی،
    خوش بگذرونید، نوش جان، حلالت، حلالتون، بازی رو دوست دارم، این بازی رو دوست دارم، عاشق این بازیم، چشم، بله، باشه
    """.replace("\n", " ").split("،")
)
"""Whole phrases without their blanks."""
STRETCHED: Final = re.compile(
    r"h+m*a+h+a*(?:h|a)*|(?:ha)+h?|(?:he)+h?|(?:hi){2,}|woo+h?oo+|yay+|wo+w+|aa+h+|oo+h+|x+d+|ه{3,}|خ{3,}|[:;]-?[)pd]+|\^\^|<3"
)
"""Laughter and similar words."""
NO_NAMES: Final = _words(
    """
    a about accept actually add after again agree ah alas all allow already also although always am amend an and
    another any apologies are as ask assume back bad because before better block both but call came can cancel card
    carry challenge change changed check choose clear come confirm confused consider contrary could correct
    corrected correction count cut decide delay delete demand deny depends did different disregard do does doing
    don't done dont doubt drop edit either else end enough error even except fail fake false fix flip fold for
    forget forgive from get give go going gone good got guess had half hang has have he hear help her him his hmm
    hold how however i if ignore in instead into invalid is isn't it it's its joke joking just keep kidding know
    late later leave let lie like listen look make maybe me mean meant might mind mine misread missed mistake more
    most must my myself nah nay negative neither never new next nix no nobody none nope nor not nothing null of off
    ok on once one only oops opposite or other otherwise our out over pardon pass pause perhaps plan play please
    possibly postpone prefer probably provided ps p.s question quit rather read really recall reconsider redo refuse
    regret reject remove repeat replace rescind resend resign retract reverse reversed revert revise revoke said
    same say scrap scratch second send should skip so some something soon sorry start stay still stop strike stupid
    such suppose sure swap switch take tell test than that the them then there these they think this those though
    tomorrow tonight too try turn two typo uh um undo unless unsure until up update us use void wait was wasn't we
    were what whatever when where whether which who why will wish with withdraw withdrawn without won't would wrong
    yes yet you your cc bcc fw fwd re to game games wrong mistaken misclick misclicked sarcasm sarcastic bogus draft
    drafted halt whoops whoopsie oopsie damn dang shoot crap nvm nevermind jk nope abort kill veto overrule move
    moves answer answers vote first third last previous earlier alternative alternatively option number seriously
    honestly three four five six seven eight nine ten zero half everything anything worst question questions remark
    note reminder attention warning important urgent help hey look listen really truly tax income steal
    exchange assassinate foreign aid bluff bluffing lying liar نه خیر ولی اما اگر اگه شاید یا صبر صبرکن لغو حذف پاک
    کن کنید کنم نکن نکنید نکنم نشه نشد نشود نزن بعدا فردا امشب اشتباه غلط اصلاح اصلاحیه ویرایش بیخیال بی خیال منظورم
    منظور یعنی پشیمان پشیمون پشیمونم شوخی فرض برعکس عوض تغییر دوباره چی چیه چرا کجا کی چطور آیا باید نباید مگر تا
    وقتی هرگز هیچ هیچی همه هر این آن اون من تو ما شما را رو با از به که هم دیگه دیگر نمی دانم نمیدونم ندارم نیست
    نیستم بود نبود هست است پس بگیر گرفتم کردم شد بشه باشه برگرد برگشت قبول رد فعلا توقف وایسا وایستا قبلی بعدی اولی
    دومی سومی حرکت حرکتم بازی جواب پاسخ ایمیل پیام انصراف وقفه مخالفم اجازه چالش مقابله مالیات درآمد باج بلوف
    دروغ الکی شوخیه ببخشید خدا خداوند چیست نادرست هنوز نباشد نباشه نگذار نذار
    misspelt misspelled spelled spelt incorrect taken
    """
)
"""Words that are not accepted as a name below a closing, because they may cancel a command."""


_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SAME: Final = (
    {ord(dash): "-" for dash in "‐‑‒–—―−"}
    | {ord(apostrophe): "'" for apostrophe in "’‘‛ʼ`´"}
    | {ord("ı"): "i", ord("ي"): "ی", ord("ى"): "ی", ord("ك"): "ک"}
)
_REFUSING: Final = frozenset("⛔✋✖✗✘❌❎❓❔⁉🚫🙅👎🛑💔🤔🤷🙃😉😜🤥\ufffd")
"""Emoji that may mean the opposite of the words beside them, or a doubt, and the sign of undecodable bytes."""
_JOINING: Final = re.compile("[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff]")
_DOT_ABOVE: Final = re.compile("(?<=[iI])\u0307")
_SMILEY: Final = re.compile(r"(?:^|\s)(?::-?[)D(]|\^\^|<3)+(?=\s|$)")
_QUOTED: Final = re.compile(r"(?<!\w)['\"“”„‟«»‹›*_]+|['\"“”„‟«»‹›*_]+(?!\w)")
_EXCLAIMED: Final = re.compile(r"!+(?=\s|$)")

_GREETINGS: Final = (
    "hi|hello|hey|hiya|dear|greetings|morning|hallo|guten morgen|guten tag|bonjour|hola|merhaba"
    "|good morning|good afternoon"
    "|evening|afternoon|good evening|good day|darbar|dear darbar|team|server"
    "|there|all|everyone|everybody|friends|folks|guys|sir|madam|bot"
    "|سلام علیکم|سلام|درود بر شما|درود|با سلام و احترام|با سلام|با احترام|با درود|وقت بخیر|وقت به خیر|روز بخیر"
    "|شب بخیر"
    "|صبح بخیر|عصر بخیر|خسته نباشید|دربار جان|دربار عزیز|دربار گرامی|دربار|جناب|عزیز|گرامی|دوستان|به همه"
    "|با عرض سلام و ادب|با عرض سلام و احترام|با عرض سلام|با عرض ادب|عزیزان|عزیزانم|بچه‌ها"
    "|عرض سلام|عرض ادب|ادب|احترام|ارادت|وقت خوش|روز خوش|شب خوش|عصر خوش|ظهر بخیر|ظهر به خیر|شب به خیر|صبح به خیر"
    "|عصر به خیر|وقت شما بخیر|وقت شما به خیر|روز شما بخیر|روز شما به خیر|شب شما بخیر|صبح شما بخیر|عصر شما بخیر"
    "|وقتتون بخیر|وقتتان بخیر|وقتت بخیر|روزتون بخیر|روزتان بخیر|روزت بخیر|شبتون بخیر|شبتان بخیر|شبت بخیر"
    "|صبحتون بخیر|صبحتان بخیر|صبحت بخیر|عصرتون بخیر|عصرتان بخیر|عصرت بخیر|وقتتون به خیر|روزتون به خیر"
    "|خسته نباشی|خسته نباشین|خدا قوت|hi all|good night"
    "|به نام خدا|بنام خدا|با نام خدا|به نام خداوند|به نام ایزد|به نام یزدان|بسم الله الرحمن الرحیم|بسم الله|بسمه تعالی"
)
_THANKS: Final = (
    "please|pls|plz|thanks a lot|thanks so much|thanks|thank you very much|thank you|thx|many thanks|cheers"
    "|kind regards|best regards|regards|best wishes|best|bye|sincerely|have a nice day|sorry for the delay|sorry"
    "|with pleasure|my pleasure|thanks for inviting me|thank you for inviting me|thanks for the invitation"
    "|thanks for thinking of me|thank you for thinking of me|thanks for asking|thank you for asking"
    "|if you don't mind|if you do not mind|if that's ok|if that is ok|if that's okay"
    "|شرمنده|ببخشید|متاسفم|متأسفم|لطفا|لطفاً|بی‌زحمت|بی زحمت|خواهشا|ممنونم|ممنون|مرسی|سپاس فراوان|سپاسگزارم|سپاس"
    "|ممنون از شما|دست شما درد نکند|دستت درد نکنه|دمت گرم|قربان شما|قربانت|با تشکر|تشکر|متشکرم|با سپاس|ارادتمند"
    "|قربون شما|قربونت|قربونتون|فدات|فداتون|نوش جونت|نوش جانت|نوش جونش|نوش جانش|نوش جونتون|با اجازه|با اجازه شما"
    "|با اجازه‌تون|با اجازتون|با اجازه‌ی دوستان|با اجازه‌ی شما|با اجازه دوستان|ممنون که دعوت کردی|ممنون از دعوتت"
    "|lol|lmao|xd|(?:ha){2,}h?|(?:he){2,}h?|ه{3,}|خ{3,}"
)
_LEADING: Final = (
    "my answer is|my answer|my move is|my move|my choice is|my choice|my reply is|my reply|answer is|answer|option"
    "|number|move|choice|reply|i'd like to play|i would like to play|i'd like to|i would like to|i'd like"
    "|i would like"
    "|i want to|i wish to"
    "|oh well|i'll|ill|i will|i choose to|i choose|i select|i play|i'll take"
    "|i'll go with|i go with|i say|let me|let us|let's|ok|okay|alright|fine|well"
    "|so|then"
    "|پاسخ من|پاسخم|پاسخ|جواب من|جوابم|جواب|حرکت من|حرکتم|حرکت|انتخاب من|گزینهٔ|گزینه‌ی|گزینه"
    "|شمارهٔ|شماره‌ی|شماره|می‌خواهم|می‌خوام|من می‌خواهم|خب|باشه|باشد"
)
_SPACE: Final = r"[\s,،.!:;؛\-]*"


def _alternatives(words: str) -> str:
    phrases = sorted(words.split("|"), key=len, reverse=True)
    return "|".join(phrase.replace(" ", r"\s+").replace("\u200c", r"[\u200c ]?") for phrase in phrases)


_AND: Final = r"(?:(?:and|&|و)\s+)?"
"""A word between two courtesies: “Hello and good morning”."""
_FIRST: Final = re.compile(
    rf"(?:{_AND}(?:{_alternatives(f'{_GREETINGS}|{_THANKS}|{_LEADING}')})(?!\w)|(?:#|no\.|nr\.)\s*(?=\d)){_SPACE}", re.I
)
_LAST: Final = re.compile(rf"(?<!\w)(?:{_alternatives(_THANKS)}){_SPACE}$", re.I)
# Atomic, because “hi all” is one phrase or two. Trying both each time would take exponential time.
_COURTESY: Final = re.compile(
    rf"(?:{_SPACE}{_AND}(?>(?:{_alternatives(f'{_GREETINGS}|{_THANKS}')})(?!\w)))+{_SPACE}", re.I
)
_CLASSIFIED: Final = (
    r"(?:company |strictly |highly |business |for )*(?:internal|confidential|public|restricted|official|unclassified"
    r"|external|general|personal|sensitive|private|non-?confidential|limited)(?: use| only| sender| email| mail"
    r"| information| business| data|[ :/\-]*(?:sensitive|internal|confidential|external|unrestricted))*"
    r"|tlp ?: ?(?:red|amber|green|white|clear)(?:\+strict)?|به ?کلی سری|خیلی محرمانه|محرمانه|سری|عادی|داخلی|عمومی"
)
_CLASSIFICATION: Final = re.compile(
    rf"[\s\[(*#=\-<]*(?:(?:(?:data |document |message |email |information )?(?:classification|sensitivity|label)"
    rf"|طبقه[ \u200c]?بندی(?: اطلاعات| محرمانگی)?|سطح محرمانگی)\s*[:=\-]\s*[\w /|\-]{{1,60}}"
    rf"|{_CLASSIFIED})[\s\])*#=\->.]*",
    re.I,
)


_LONGEST_CACHED: Final = 200
"""The longest line whose result is cached. The texts of moves are shorter, but a stranger may send longer lines."""


def cache_short_lines(function: Callable[[str], str]) -> Callable[[str], str]:
    """Cache the results of a function for short lines. Long lines would fill the memory of a worker."""
    cached = lru_cache(maxsize=4096)(function)

    @wraps(function)
    def call(line: str) -> str:
        return cached(line) if len(line) <= _LONGEST_CACHED else function(line)

    return call


# Lines are read several times: alone, together, and against each offered move.
@cache_short_lines
def plain_line(line: str) -> str:
    """Return a line with one form of each dash, apostrophe and digit, without quotation marks and harmless emoji."""
    line = unicodedata.normalize("NFC", _DOT_ABOVE.sub("", unicodedata.normalize("NFD", line)))
    line = _SMILEY.sub(" ", _JOINING.sub("", line.translate(_FULL_WIDTH).translate(_SAME)))
    line = "".join(character for character in line if character in _REFUSING or unicodedata.category(character) != "So")
    return " ".join(_EXCLAIMED.sub("", _QUOTED.sub(" ", line)).split())


def without_courtesies(line: str) -> str:
    """Return a plain line without the greetings, thanks and openings (“my answer:”) around its content."""
    while (match := _FIRST.match(line)) and match.end() < len(line):
        line = line[match.end() :]
    while (match := _LAST.search(line)) and match.start():
        line = line[: match.start()].rstrip(" ,،.!:;؛-")
    return line


def says_nothing(line: str) -> bool:
    """Return whether a line has only greetings, thanks or a classification of a company."""
    line = plain_line(line)
    return not line or any(pattern.fullmatch(line) for pattern in (_COURTESY, _CLASSIFICATION))
