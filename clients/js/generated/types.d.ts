// Generated from the documents in docs by clients/js/generate.py: do not edit.

/** An account, as its owner sees it. */
export type Account = { "email"?: string; "name": string; "language": "en" | "fa" | (string & {}); "time_zone"?: string; "sleep_from"?: string | null; "sleep_to"?: string | null; "preferences"?: Preferences; "is_bot": boolean; "public_profile"?: boolean; "shows_answer_times"?: boolean; "shows_presence"?: boolean; "unreachable"?: Unreachable | null; "stream": string; "push_key"?: string; "created_at"?: string };

/** The data that is kept about you. */
export type AccountData = { "account": { [name: string]: unknown }; "addresses": Array<{ [name: string]: unknown }>; "preferences": { [name: string]: unknown }; "tokens": Array<{ [name: string]: unknown }>; "second_factors": Array<{ [name: string]: unknown }>; "sessions": Array<{ [name: string]: unknown }>; "blocks": Array<{ [name: string]: unknown }>; "mutes": Array<{ [name: string]: unknown }>; "reports": Array<{ [name: string]: unknown }>; "seats": Array<{ [name: string]: unknown }>; "moves": Array<{ [name: string]: unknown }>; "chat_messages": Array<{ [name: string]: unknown }>; "invitations": Array<{ [name: string]: unknown }>; "player_stats": Array<{ [name: string]: unknown }>; "notifications": Array<{ [name: string]: unknown }>; "webhooks": Array<{ [name: string]: unknown }>; "devices": Array<{ [name: string]: unknown }> };

/** Another account, by its present name. */
export type AccountNameRequest = { "name": string };

/** Your address for each channel that needs one. */
export type Addresses = { "gotify": string | null; "matrix": string | null; "ntfy": string | null; "telegram": string | null };

/** Your address for each channel that needs one. */
export type AddressesRequest = { "gotify"?: string | null; "matrix"?: string | null; "ntfy"?: string | null; "telegram"?: string | null };

/** The decisions of one player in a game that is over. */
export type Analysis = { "state": "computing" | "ready" | (string & {}); "seat": number; "decision_count": number; "accuracy": number | null; "decisions": Array<Decision>; "turning_points": Array<TurningPoint>; "bluffs": Array<PlayerBluffs> };

/** An answer that a question offers. */
export type Answer = { "number": number; "text": string; "move": GameMove; "label": string };

/** The usual times in which a player answers, from at least 20 answers in finished games with turns of a day or more. */
export type AnswerTimes = { "half_within": string; "most_within": string };

/** A kind of event that this description does not know yet. */
export type AnyEvent = { "type": string; [name: string]: unknown };

/** A kind of move that this description does not know yet. */
export type AnyMove = { "type": string; [name: string]: unknown };

/** A kind of plan that this description does not know yet. */
export type AnyPlan = { "type": string; [name: string]: unknown };

/** The view of a game that this description does not know yet. */
export type AnyView = { "rules": string; [name: string]: unknown };

/** An app that you registered. */
export type App = { "client_id": string; "name": string; "type": "public" | "confidential" | (string & {}); "redirect_uris": Array<string>; "scopes": Array<"games:read" | "games:play" | "chat" | "account" | "webhooks" | (string & {})>; "created_at": string };

/** A new app. */
export type AppRequest = { "name": string; "redirect_uris": Array<string>; "scopes": Array<"games:read" | "games:play" | "chat" | "account" | "webhooks">; "type"?: "public" | "confidential" };

/** A bot in the arena: a bot account with its search, or the Darbar bots that fill tables. */
export type ArenaBot = { "name": string | null; "rules": string; "least": number | null; "most": number | null; "options": ChosenOptions; "fill_after": string | null; "games_at_once": number | null; "games": number; "wins": number; "rating": number; "reliability": number | null; "running": Array<string> };

/** A move that would have been better. */
export type BetterMove = { "move": string; "means": string; "wins": number; "chosen_wins": number; "error": number; "grade": "blunder" | "mistake" | "inaccuracy" | (string & {}) };

/** A claim that a player makes, and how often it was untrue, and caught. */
export type Bluff = { "rules": string; "claim": string; "made": number; "lies": number; "caught": number };

/** A Darbar bot: its level and its style. */
export type Bot = { "level": "easy" | "normal" | "strong" | "master" | (string & {}); "style": "balanced" | "bold" | "patient" | "vengeful" | "scholar" | (string & {}) };

/** A Darbar bot: its level and its style. */
export type BotRequest = { "level"?: "easy" | "normal" | "strong" | "master"; "style"?: "balanced" | "bold" | "patient" | "vengeful" | "scholar" };

/** The number of times that a player challenged, and who was right. */
export type Challenges = { "seat": number; "made": number; "right": number; "wrong": number };

/** The channels by which each kind of notification comes to you. */
export type Channels = { "question": Array<"mail" | "discord" | "gotify" | "matrix" | "ntfy" | "push" | "slack" | "telegram" | "webhook" | (string & {})>; "reminder": Array<"mail" | "discord" | "gotify" | "matrix" | "ntfy" | "push" | "slack" | "telegram" | "webhook" | (string & {})>; "game": Array<"mail" | "discord" | "gotify" | "matrix" | "ntfy" | "push" | "slack" | "telegram" | "webhook" | (string & {})>; "chat": Array<"mail" | "discord" | "gotify" | "matrix" | "ntfy" | "push" | "slack" | "telegram" | "webhook" | (string & {})>; "invitation": Array<"mail" | "discord" | "gotify" | "matrix" | "ntfy" | "push" | "slack" | "telegram" | "webhook" | (string & {})> };

/** The channels by which each kind of notification comes to you. */
export type ChannelsRequest = { "question"?: Array<"mail" | "discord" | "gotify" | "matrix" | "ntfy" | "push" | "slack" | "telegram" | "webhook">; "reminder"?: Array<"mail" | "discord" | "gotify" | "matrix" | "ntfy" | "push" | "slack" | "telegram" | "webhook">; "game"?: Array<"mail" | "discord" | "gotify" | "matrix" | "ntfy" | "push" | "slack" | "telegram" | "webhook">; "chat"?: Array<"mail" | "discord" | "gotify" | "matrix" | "ntfy" | "push" | "slack" | "telegram" | "webhook">; "invitation"?: Array<"mail" | "discord" | "gotify" | "matrix" | "ntfy" | "push" | "slack" | "telegram" | "webhook"> };

/** A chat message, to you or by you. */
export type ChatMessage = { "id": string; "at": string; "seat": number; "to": "all" | (string & {}) | number; "text": string | null };

/** A message to send. */
export type ChatMessageRequest = { "to": "all" | number; "text": string };

/** Options as a host chooses them. */
export type ChosenOptions = CoupChosenOptions | SedlecChosenOptions;

/** The numbers of a player's claims of one character. */
export type Claims = { "seat": number; "claim": string; "denies": boolean; "made": number; "lies": number; "challenged": number; "proved": number; "fallen": number };

/** The time that is to pass. */
export type ClockRequest = { "forward": string };

/** A club that you are in. */
export type Club = { "id": string; "name": string; "about": string; "role": "owner" | "organizer" | "member" | (string & {}); "member": string; "notify": boolean; "code": string | null; "created_at": string; "joined_at": string };

/** A place on the leaderboard of a club. */
export type ClubLeader = { "place": number; "name": string; "games": number; "wins": number; "points": number };

/** A club to create. */
export type ClubRequest = { "name": string; "about"?: string };

/** The code from the email, with the address and password of the sign-up. */
export type ConfirmRequest = { "email": string; "code": string; "password": string };

/** The options of a game of Coup, independent of one another. */
export type CoupChosenOptions = { "inquisitor"?: boolean; "reformation"?: boolean; "anarchist"?: boolean; "two_player_setup"?: "dealt" | "draft" | (string & {}); "starting_player"?: "previous_winner" | "random" | (string & {}) | number; "answers"?: "first" | "sealed" | (string & {}); "waiting"?: "hidden" | "number" | "public" | (string & {}) };

/** A player answered in a reaction to which other players have not answered yet. */
export type CoupEventAnswered = { "type": "coup.answered"; "seat": number | null; "answer": "allow" | "challenge" | "block" | "pick" | (string & {}) | null; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null; "waiting": string; "schema": number };

/** The answers to an open question changed, so it is asked under a new id. */
export type CoupEventAskedAnew = { "type": "coup.asked-anew"; "seat": number; "schema": number };

/** The blocker left before the block was settled. */
export type CoupEventBlockLapsed = { "type": "coup.block-lapsed"; "seat": number; "schema": number };

/** A player blocks the action. */
export type CoupEventBlocked = { "type": "coup.blocked"; "seat": number; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}); "schema": number };

/** The holder of the bomb claimed the contessa, to defuse it (no receiver) or to hand it on. */
export type CoupEventBombClaimed = { "type": "coup.bomb-claimed"; "seat": number; "receiver": number | null; "schema": number };

/** The anarchist was handed to a player, who is asked for an answer. */
export type CoupEventBombHanded = { "type": "coup.bomb-handed"; "seat": number; "target": number; "schema": number };

/** The anarchist is back in the middle. */
export type CoupEventBombReturned = { "type": "coup.bomb-returned"; "reason": "defused" | "exploded" | "out" | (string & {}); "schema": number };

/** The challenger left before the proof. */
export type CoupEventChallengeDropped = { "type": "coup.challenge-dropped"; "seat": number; "schema": number };

/** A player challenges the claim. */
export type CoupEventChallenged = { "type": "coup.challenged"; "seat": number; "against": number; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}); "schema": number };

/** A claim about cards that may be challenged, and its consequences. */
export type CoupEventClaim = { "seat": number; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}); "denies": boolean; "costs_both": boolean; "unchallenged": string; "proved": string; "disproved": string };

/** The challenged player would not or could not prove the claim. */
export type CoupEventConceded = { "type": "coup.conceded"; "seat": number; "schema": number };

/** A party card was turned over. */
export type CoupEventConverted = { "type": "coup.converted"; "seat": number; "target": number; "party": "empire" | "resistance" | (string & {}); "schema": number };

/** The seat gets cards from the court. */
export type CoupEventDealt = { "type": "coup.dealt"; "seat": number; "cards": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null>; "schema": number };

/** A player chooses an action and pays for it. */
export type CoupEventDeclared = { "type": "coup.declared"; "seat": number; "action": "income" | "foreign-aid" | "coup" | "tax" | "assassinate" | "steal" | "exchange" | "convert" | "embezzle" | "examine" | "bomb" | (string & {}); "target": number | null; "cost": number; "claim": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null; "pays_reserve": boolean; "schema": number };

/** Both players hold one of each character and are asked which to keep. */
export type CoupEventDraftOpened = { "type": "coup.draft-opened"; "asked": Array<number>; "schema": number };

/** Cards from the court, for an exchange; the player is asked which to keep. */
export type CoupEventDrew = { "type": "coup.drew"; "seat": number; "cards": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null>; "schema": number };

/** The whole reserve was taken. */
export type CoupEventEmbezzled = { "type": "coup.embezzled"; "seat": number; "coins": number; "schema": number };

/** The bomb explodes in the hands of its holder. */
export type CoupEventExploded = { "type": "coup.exploded"; "seat": number; "schema": number };

/** Coins from the treasury. */
export type CoupEventGained = { "type": "coup.gained"; "seat": number; "coins": number; "schema": number };

/** The game is over: only one player is left. */
export type CoupEventGameEnded = { "type": "coup.game-ended"; "winner": number; "hands": Array<Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})>>; "court": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})>; "aside": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})>; "schema": number };

/** The examined card stays with its owner. */
export type CoupEventHandedBack = { "type": "coup.handed-back"; "seat": number; "schema": number };

/** The exchange is over: some cards were kept, the others went back to the court. */
export type CoupEventKept = { "type": "coup.kept"; "seat": number; "kept": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null>; "returned": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null>; "schema": number };

/** A player with two face-down cards is asked which one to lose. */
export type CoupEventLossAsked = { "type": "coup.loss-asked"; "seat": number; "reason": "challenge" | "coup" | "assassination" | "bomb" | (string & {}); "then": string; "schema": number };

/** An influence is turned face up. */
export type CoupEventLost = { "type": "coup.lost"; "seat": number; "card": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}); "reason": "challenge" | "coup" | "assassination" | "bomb" | (string & {}); "schema": number };

/** The starter's party is chosen; the others alternate clockwise. */
export type CoupEventPartiesChosen = { "type": "coup.parties-chosen"; "seat": number; "parties": Array<"empire" | "resistance" | (string & {})>; "schema": number };

/** The starter is asked for a party. */
export type CoupEventPartyAsked = { "type": "coup.party-asked"; "seat": number; "schema": number };

/** A player picked a card, which the other player may not know. */
export type CoupEventPicked = { "type": "coup.picked"; "seat": number | null; "card": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null; "waiting": string; "schema": number };

/** The claim was true. */
export type CoupEventProved = { "type": "coup.proved"; "seat": number; "cards": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})>; "schema": number };

/** The coins that a steal left to a player who is out go to the treasury (Coup C15). */
export type CoupEventPurseEmptied = { "type": "coup.purse-emptied"; "seat": number; "coins": number; "schema": number };

/** The other four cards of a player's draft go out of the game, unseen. */
export type CoupEventPutOut = { "type": "coup.put-out"; "seat": number; "cards": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null>; "schema": number };

/** A disproved action's cost went back to its owner. */
export type CoupEventRefunded = { "type": "coup.refunded"; "seat": number; "coins": number; "schema": number };

/** The player drew new cards for those that were shown, after the court was shuffled. */
export type CoupEventReplaced = { "type": "coup.replaced"; "seat": number; "cards": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null>; "schema": number };

/** A player resigns. */
export type CoupEventResigned = { "type": "coup.resigned"; "seat": number; "cards": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})>; "coins": number; "still_waiting": number | null; "waiting": string; "schema": number };

/** The first event, with everything that the fold needs. */
export type CoupEventSetUp = { "type": "coup.set-up"; "rules": string; "version": number; "options": CoupOptions; "seats": number; "pack": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})>; "coins": Array<number>; "treasury": number; "starter": number; "schema": number };

/** The target of an examination is asked which card to show. */
export type CoupEventShowAsked = { "type": "coup.show-asked"; "seat": number; "schema": number };

/** A card was shown to the inquisitor alone, who is asked what to do with it. */
export type CoupEventShown = { "type": "coup.shown"; "seat": number; "to": number; "card": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null; "schema": number };

/** Coins from another player. */
export type CoupEventStole = { "type": "coup.stole"; "seat": number; "target": number; "coins": number; "schema": number };

/** The action has no effect. */
export type CoupEventStopped = { "type": "coup.stopped"; "seat": number; "reason": "blocked" | "resigned" | (string & {}); "schema": number };

/** The examined card was exchanged for one drawn before it was returned (Coup C21). */
export type CoupEventSwapped = { "type": "coup.swapped"; "seat": number; "to": number; "drawn": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null; "returned": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null; "schema": number };

/** A turn starts. */
export type CoupEventTurnBegan = { "type": "coup.turn-began"; "seat": number; "schema": number };

/** A player has no influence left. */
export type CoupEventWentOut = { "type": "coup.went-out"; "seat": number; "coins": number; "schema": number };

/** The reaction is closed. */
export type CoupEventWindowClosed = { "type": "coup.window-closed"; "kind": "challenge" | "block" | "challenge-block" | (string & {}); "schema": number };

/** Seats are asked whether they challenge (a claim) or block (the action). */
export type CoupEventWindowOpened = { "type": "coup.window-opened"; "kind": "challenge" | "block" | "challenge-block" | (string & {}); "reason": "turn" | "draft" | "party" | "challenge" | "coup" | "assassination" | "bomb" | "foreign-aid" | "tax" | "assassinate" | "steal" | "exchange" | "embezzle" | "examine" | "hand" | "defuse" | "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}); "asked": Array<number>; "claim": CoupEventClaim | null; "blockers": Array<number>; "schema": number };

/** Neither challenge nor block. */
export type CoupMoveAllow = { "type": "coup.allow" };

/** With the assassin, pay 3 coins: the target loses an influence, unless it is blocked. */
export type CoupMoveAssassinate = { "type": "coup.assassinate"; "target": number };

/** Block with this character. */
export type CoupMoveBlock = { "type": "coup.block"; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) };

/** Pay 5 and hand the anarchist to the target. */
export type CoupMoveBomb = { "type": "coup.bomb"; "target": number };

/** Doubt the claim. */
export type CoupMoveChallenge = { "type": "coup.challenge" };

/** Concede the challenge. */
export type CoupMoveConcede = { "type": "coup.concede"; "character"?: "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null };

/** Pay 1 to change your own party, or 2 to change the target's. */
export type CoupMoveConvert = { "type": "coup.convert"; "target"?: number | null };

/** Pay 7: the target loses an influence. */
export type CoupMoveCoup = { "type": "coup.coup"; "target": number };

/** With the contessa, put the anarchist back in the middle. */
export type CoupMoveDefuse = { "type": "coup.defuse" };

/** Claiming to hold no duke, take the reserve. */
export type CoupMoveEmbezzle = { "type": "coup.embezzle" };

/** Start as a loyalist of the empire. */
export type CoupMoveEmpire = { "type": "coup.empire" };

/** With the inquisitor, look at a card of the target and hand it back or force a swap. */
export type CoupMoveExamine = { "type": "coup.examine"; "target": number };

/** With the ambassador (or the inquisitor), exchange cards with the court. */
export type CoupMoveExchange = { "type": "coup.exchange" };

/** Let the bomb go off. */
export type CoupMoveExplode = { "type": "coup.explode"; "character"?: "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null };

/** Take 2 coins, unless blocked. */
export type CoupMoveForeignAid = { "type": "coup.foreign-aid" };

/** With the contessa, hand the anarchist on to the target. */
export type CoupMoveHand = { "type": "coup.hand"; "target": number };

/** Take 1 coin. */
export type CoupMoveIncome = { "type": "coup.income" };

/** Keep these cards after an exchange, in alphabetical order, and return the others. */
export type CoupMoveKeep = { "type": "coup.keep"; "characters": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})> };

/** Turn this card face up. */
export type CoupMoveLose = { "type": "coup.lose"; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) };

/** Keep this card of the draft. */
export type CoupMovePick = { "type": "coup.pick"; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) };

/** Show that the claim was true. */
export type CoupMoveProve = { "type": "coup.prove" };

/** Start as a member of the resistance. */
export type CoupMoveResistance = { "type": "coup.resistance" };

/** Hand the examined card back. */
export type CoupMoveReturn = { "type": "coup.return" };

/** Show this card to the inquisitor. */
export type CoupMoveShow = { "type": "coup.show"; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) };

/** With the captain, take 2 coins from the target, unless it is blocked. */
export type CoupMoveSteal = { "type": "coup.steal"; "target": number };

/** Exchange the examined card for one of the court. */
export type CoupMoveSwap = { "type": "coup.swap" };

/** With the duke, take 3 coins. */
export type CoupMoveTax = { "type": "coup.tax" };

/** The options of a game of Coup, independent of one another. */
export type CoupOptions = { "inquisitor": boolean; "reformation": boolean; "anarchist": boolean; "two_player_setup": "dealt" | "draft" | (string & {}); "starting_player": "previous_winner" | "random" | (string & {}) | number; "previous_winners": Array<number>; "answers": "first" | "sealed" | (string & {}); "waiting": "hidden" | "number" | "public" | (string & {}) };

/** Allow the actions of this player, or this action with any target. */
export type CoupPlanAllow = { "type": "coup.allow"; "player"?: number | null; "action"?: string | null };

/** Allow everything that is not aimed at the owner. */
export type CoupPlanAllowOthers = { "type": "coup.allow-others" };

/** Block this action with this character whenever possible, until the plan is withdrawn; with a player, only theirs. */
export type CoupPlanBlock = { "type": "coup.block"; "action": string; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}); "player"?: number | null; "else_allow"?: boolean };

/** Challenge the next claim to hold this character; with a player, only theirs. */
export type CoupPlanChallenge = { "type": "coup.challenge"; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}); "player"?: number | null };

/** Challenge or accept a block of the owner's action. */
export type CoupPlanIfBlocked = { "type": "coup.if-blocked"; "challenge": boolean };

/** Prove the claim if possible, when challenged; else concede and lose this card, or another one instead. */
export type CoupPlanIfChallenged = { "type": "coup.if-challenged"; "lose": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) };

/** Lose this card, or another one instead, when an influence has to be lost. */
export type CoupPlanIfLosing = { "type": "coup.if-losing"; "lose": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) };

/** Take this action on the owner's next turn, if it is possible then. */
export type CoupPlanNextTurn = { "type": "coup.next-turn"; "move": GameMove };

/** A game of Coup as one seat, a spectator, or after the end everyone may know it. */
export type CoupView = { "rules": "coup"; "viewer": number; "options": CoupOptions; "seats": Array<CoupViewSeatView>; "treasury": number; "reserve": number; "court": number; "turn": number; "asking": "turn" | "challenge" | "block" | "challenge-block" | "proof" | "loss" | "exchange" | "draft" | "party" | "examine" | "show" | "bomb" | (string & {}); "action": CoupViewActionView | null; "block": CoupViewBlock | null; "challenge": CoupViewClaimView | null; "bomb": CoupViewBomb | null; "waiting": number | null; "waiting_for": Array<number> | null; "question": CoupViewQuestion | null; "answer": CoupViewAnswer | null; "drawn": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})> | null; "examined": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null; "winner": number | null; "court_cards": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})> | null };

/** The action of this turn. */
export type CoupViewActionView = { "seat": number; "verb": "income" | "foreign-aid" | "coup" | "tax" | "assassinate" | "steal" | "exchange" | "convert" | "embezzle" | "examine" | "bomb" | (string & {}); "target": number | null };

/** An answer that was given while others are still asked. */
export type CoupViewAnswer = { "seat": number; "answer": "allow" | "challenge" | "block" | "pick" | (string & {}) | null; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) | null };

/** A block of the action of this turn. */
export type CoupViewBlock = { "seat": number; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) };

/** The anarchist, on its way round the table. */
export type CoupViewBomb = { "holder": number; "held": Array<number>; "receiver": number | null };

/** The claim in question, and its challenger. */
export type CoupViewClaimView = { "seat": number; "character": "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}); "denies": boolean; "challenger": number | null };

/** A decision that the game needs from a seat. */
export type CoupViewQuestion = { "id": string; "seat": number; "kind": "turn" | "challenge" | "block" | "challenge-block" | "proof" | "loss" | "exchange" | "draft" | "party" | "examine" | "show" | "bomb" | (string & {}); "reason": "turn" | "draft" | "party" | "challenge" | "coup" | "assassination" | "bomb" | "foreign-aid" | "tax" | "assassinate" | "steal" | "exchange" | "embezzle" | "examine" | "hand" | "defuse" | "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {}) };

/** A player in the view. */
export type CoupViewSeatView = { "seat": number; "coins": number; "cards": number; "hand": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})> | null; "lost": Array<"ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | (string & {})>; "party": "empire" | "resistance" | (string & {}) | null; "alive": boolean };

/** A decision, judged by the facts that the player knew then. */
export type Decision = { "line": number; "asked": string; "chosen": string; "move": { [name: string]: unknown }; "better": BetterMove | null; "likely": Array<string> };

/** The proof that the owner asks: one of the first two fields, and `otp` with a second factor. */
export type DeletionRequest = { "password"?: string; "code"?: string; "otp"?: string };

/** A message to a webhook, and its outcome. */
export type Delivery = { "id": string; "type": string; "timestamp": string; "data": { [name: string]: unknown }; "state": "waiting" | "delivered" | "failed" | (string & {}); "attempts": number; "next_attempt_at": string | null; "tried_at": string | null; "status": number | null; "failure": "address-not-public" | "name-unknown" | "certificate-invalid" | "no-secure-connection" | "no-answer-in-time" | "no-answer" | "not-http" | (string & {}) };

/** A browser that gets pushes. */
export type Device = { "id": string; "name": string; "created_at": string };

/** The usual length of games of one speed and size on this server. */
export type Duration = { "speed": "daily" | "evening" | "live" | "slow" | (string & {}); "people": number; "games": number; "half_within": string; "most_within": string };

/** A player of a tournament. */
export type Entrant = { "number": number; "name": string };

/** Your part in a tournament. */
export type Entry = { "number": number; "division": number | null; "sits_out": Array<number>; "notify": boolean; "withdrawn_at": string | null; "place": number | null; "movement": "up" | "down" | (string & {}); "joined_at": string };

/** Answers of one kind, too many to list. */
export type Form = { "type": string; "verb": string; "label": string; "slots": Array<Slot> };

/** A table, and the game at it. */
export type Game = { "id": string; "code": string | null; "rules": string; "rules_version": number; "options": GameOptions; "seat_count": number; "bots": Array<Bot>; "private": boolean; "club": string | null; "spectator_delay": string | null; "paused_until": string | null; "state": "open" | "starting" | "running" | "over" | "cancelled" | (string & {}); "beacon_round": number | null; "due_at": string | null; "seats": Array<GameSeat>; "seat": number | null; "host": number | null; "commitment": string; "head": string; "deal_list": string; "deal_head": string; "seed": string | null; "rematch": string | null; "arena": boolean; "created_at": string; "started_at": string | null; "ended_at": string | null; "turn_limit": string; "reaction_limit": string; "open_limit": string; "choice_limit": string; "schedule": Schedule; "chat": "all" | "none" | "table" | (string & {}); "pauses": string; "longest_pause": string; "misses": number; "absence": "bot" | "forfeit" | "invite" | (string & {}); "plans": "private" | "quick" | (string & {}); "unprotected": "cancel" | "deal" | (string & {}) };

/** The commitment that binds the server to the chance of a game: SHA-256 of `darbar-2|id|seed`. */
export type GameCommitment = { "id": string; "commitment": string; "deal_head": string };

/** Something that happened: at the table if `type` starts with `table.`, otherwise in the game that `type` starts with. */
export type GameEvent = CoupEventSetUp | CoupEventDealt | CoupEventTurnBegan | CoupEventDeclared | CoupEventWindowOpened | CoupEventAnswered | CoupEventWindowClosed | CoupEventChallenged | CoupEventChallengeDropped | CoupEventProved | CoupEventReplaced | CoupEventConceded | CoupEventRefunded | CoupEventBlocked | CoupEventBlockLapsed | CoupEventStopped | CoupEventLossAsked | CoupEventLost | CoupEventWentOut | CoupEventPurseEmptied | CoupEventGained | CoupEventStole | CoupEventDrew | CoupEventKept | CoupEventResigned | CoupEventAskedAnew | CoupEventGameEnded | CoupEventDraftOpened | CoupEventPicked | CoupEventPutOut | CoupEventPartyAsked | CoupEventPartiesChosen | CoupEventConverted | CoupEventEmbezzled | CoupEventShowAsked | CoupEventShown | CoupEventHandedBack | CoupEventSwapped | CoupEventBombHanded | CoupEventBombClaimed | CoupEventExploded | CoupEventBombReturned | SedlecEventSetUp | SedlecEventCardTurned | SedlecEventTurnBegan | SedlecEventDug | SedlecEventTaken | SedlecEventLaid | SedlecEventResigned | SedlecEventGameEnded | TableEventGameCreated | TableEventJoined | TableEventLeft | TableEventStarted | TableEventPositionCopied | TableEventGameCancelled | TableEventDeadlinesMoved | TableEventEmailOutage | TableEventDueLater | TableEventTimeBankChanged | TableEventResigned | TableEventBotTakeover | TableEventEnded | TableEventDealListed | TableEventSeedsAwaited | TableEventSeedRevealed | TableEventSeedMissing | TableEventBeaconAwaited | TableEventBeaconPublished | TableEventPauseProposed | TableEventPauseAgreed | TableEventPauseDeclined | TableEventPaused | TableEventResumeAgreed | TableEventResumed | TableEventTemporaryTakeover | TableEventSeatOffered | TableEventReturned | TableEventPlayerTakeover | TableEventForfeited | TableEventStandInNamed | TableEventStandInLeft | AnyEvent;

/** A move. */
export type GameMove = CoupMoveIncome | CoupMoveForeignAid | CoupMoveCoup | CoupMoveTax | CoupMoveAssassinate | CoupMoveSteal | CoupMoveExchange | CoupMoveAllow | CoupMoveChallenge | CoupMoveBlock | CoupMoveProve | CoupMoveConcede | CoupMoveLose | CoupMoveKeep | CoupMovePick | CoupMoveEmpire | CoupMoveResistance | CoupMoveConvert | CoupMoveEmbezzle | CoupMoveExamine | CoupMoveShow | CoupMoveReturn | CoupMoveSwap | CoupMoveBomb | CoupMoveExplode | CoupMoveDefuse | CoupMoveHand | SedlecMoveDig | SedlecMoveCollect | SedlecMoveLay | SedlecMoveTake | AnyMove;

/** The options of a game, complete. */
export type GameOptions = CoupOptions | SedlecOptions | OtherOptions;

/** A plan. */
export type GamePlan = CoupPlanAllowOthers | CoupPlanAllow | CoupPlanChallenge | CoupPlanIfChallenged | CoupPlanIfLosing | CoupPlanBlock | CoupPlanIfBlocked | CoupPlanNextTurn | SedlecPlan | AnyPlan;

/** A game to create. */
export type GameRequest = { "rules": string; "options"?: ChosenOptions; "seat_count": number; "bots"?: Array<BotRequest>; "private"?: boolean; "club"?: string | null; "spectator_delay"?: string | null; "seed"?: string; "seed_commitment"?: string; "turn_limit"?: string; "reaction_limit"?: string; "open_limit"?: string; "choice_limit"?: string; "schedule"?: ScheduleRequest; "chat"?: "all" | "none" | "table"; "pauses"?: string; "longest_pause"?: string; "misses"?: number; "absence"?: "bot" | "forfeit" | "invite"; "plans"?: "private" | "quick"; "unprotected"?: "cancel" | "deal" };

/** A taken seat. */
export type GameSeat = { "seat": number; "name": string; "bot": boolean; "bot_account": boolean; "away": boolean; "offered": boolean; "stand_in": string | null; "seed": string; "seed_commitment": string; "player_stats": SeatStats | null; "time_bank": string | null };

/** A game as one viewer may know it; `rules` says which. */
export type GameView = CoupView | SedlecView | AnyView;

/** The access of an app to your account. */
export type Grant = { "app": GrantedApp; "scopes": Array<"games:read" | "games:play" | "chat" | "account" | "webhooks" | (string & {})>; "renewed_at": string; "expires_at": string | null };

/** An app to which you have given access. */
export type GrantedApp = { "client_id": string; "name": string; "owner": string | null; "is_verified": boolean };

/** The chat to which a game, or every game of a club, posts its state. */
export type GroupChat = { "app": "discord" | "matrix" | "slack" | "telegram" | (string & {}); "handle": string; "works": boolean };

/** An invitation, as the players of the game see it. */
export type Invitation = { "id": string; "email": string | null; "inviter": string; "language": "en" | "fa" | (string & {}); "seat": number | null; "state": "open" | "joined" | "declined" | "withdrawn" | "lapsed" | (string & {}); "created_at": string; "answered_at": string | null };

/** An invitation to send. */
export type InvitationRequest = { "email": string; "language": "en" | "fa"; "note"?: string; "seat"?: number };

/** A new token. */
export type IssuedToken = { "token": string; "id": string; "name": string; "scopes": Array<"games:read" | "games:play" | "chat" | "account" | "webhooks" | (string & {})>; "prefix": string; "created_at": string; "expires_at": string | null; "last_used_at": string | null };

/** A webhook with the secret for checking its signatures, which is shown only in this answer. */
export type IssuedWebhook = { "id": string; "url": string; "kinds": Array<"question" | "closed" | "event" | "game" | "chat" | "presence" | (string & {})>; "created_at": string; "disabled_at": string | null; "failing_since": string | null; "secret": string };

/** The club that you want to join. */
export type JoinClubRequest = { "code": string };

/** Your request to join a game. */
export type JoinRequest = { "code"?: string; "seed"?: string; "seed_commitment"?: string };

/** The keys with which messages to a subscription are encrypted. */
export type KeysRequest = { "p256dh": string; "auth": string };

/** A `GameEvent` that this description knows, so that types narrow by `type`. */
export type KnownEvent = CoupEventSetUp | CoupEventDealt | CoupEventTurnBegan | CoupEventDeclared | CoupEventWindowOpened | CoupEventAnswered | CoupEventWindowClosed | CoupEventChallenged | CoupEventChallengeDropped | CoupEventProved | CoupEventReplaced | CoupEventConceded | CoupEventRefunded | CoupEventBlocked | CoupEventBlockLapsed | CoupEventStopped | CoupEventLossAsked | CoupEventLost | CoupEventWentOut | CoupEventPurseEmptied | CoupEventGained | CoupEventStole | CoupEventDrew | CoupEventKept | CoupEventResigned | CoupEventAskedAnew | CoupEventGameEnded | CoupEventDraftOpened | CoupEventPicked | CoupEventPutOut | CoupEventPartyAsked | CoupEventPartiesChosen | CoupEventConverted | CoupEventEmbezzled | CoupEventShowAsked | CoupEventShown | CoupEventHandedBack | CoupEventSwapped | CoupEventBombHanded | CoupEventBombClaimed | CoupEventExploded | CoupEventBombReturned | SedlecEventSetUp | SedlecEventCardTurned | SedlecEventTurnBegan | SedlecEventDug | SedlecEventTaken | SedlecEventLaid | SedlecEventResigned | SedlecEventGameEnded | TableEventGameCreated | TableEventJoined | TableEventLeft | TableEventStarted | TableEventPositionCopied | TableEventGameCancelled | TableEventDeadlinesMoved | TableEventEmailOutage | TableEventDueLater | TableEventTimeBankChanged | TableEventResigned | TableEventBotTakeover | TableEventEnded | TableEventDealListed | TableEventSeedsAwaited | TableEventSeedRevealed | TableEventSeedMissing | TableEventBeaconAwaited | TableEventBeaconPublished | TableEventPauseProposed | TableEventPauseAgreed | TableEventPauseDeclined | TableEventPaused | TableEventResumeAgreed | TableEventResumed | TableEventTemporaryTakeover | TableEventSeatOffered | TableEventReturned | TableEventPlayerTakeover | TableEventForfeited | TableEventStandInNamed | TableEventStandInLeft;

/** A `GameMove` that this description knows, so that types narrow by `type`. */
export type KnownMove = CoupMoveIncome | CoupMoveForeignAid | CoupMoveCoup | CoupMoveTax | CoupMoveAssassinate | CoupMoveSteal | CoupMoveExchange | CoupMoveAllow | CoupMoveChallenge | CoupMoveBlock | CoupMoveProve | CoupMoveConcede | CoupMoveLose | CoupMoveKeep | CoupMovePick | CoupMoveEmpire | CoupMoveResistance | CoupMoveConvert | CoupMoveEmbezzle | CoupMoveExamine | CoupMoveShow | CoupMoveReturn | CoupMoveSwap | CoupMoveBomb | CoupMoveExplode | CoupMoveDefuse | CoupMoveHand | SedlecMoveDig | SedlecMoveCollect | SedlecMoveLay | SedlecMoveTake;

/** A `GamePlan` that this description knows, so that types narrow by `type`. */
export type KnownPlan = CoupPlanAllowOthers | CoupPlanAllow | CoupPlanChallenge | CoupPlanIfChallenged | CoupPlanIfLosing | CoupPlanBlock | CoupPlanIfBlocked | CoupPlanNextTurn | SedlecPlan;

/** A `GameView` that this description knows, so that types narrow by `rules`. */
export type KnownView = CoupView | SedlecView;

/** The last answer of a plan. */
export type LastAnswer = { "at": string; "move": GameMove; "text": string; "label": string };

/** A place in the ranking. */
export type Leader = { "place": number; "name": string | null; "is_bot": boolean; "rules": string; "seat_count": number | null; "with_bots": boolean; "games": number; "wins": number; "rating": number };

/** A player you have blocked, muted or followed. */
export type ListedAccount = { "id": string; "name": string; "created_at": string };

/** A member of a club. */
export type Member = { "id": string; "name": string; "is_bot": boolean; "role": "owner" | "organizer" | "member" | (string & {}); "joined_at": string };

/** An answer to a question: either `move` or `text`, and never both. */
export type MoveRequest = { "question": string; "move"?: GameMove; "text"?: string };

/** A number that a game counts for a player. */
export type NamedCount = { "seat": number; "name": string; "label": string; "count": number };

/** A stand-in of a player. */
export type NamedStandIn = { "seat": number; "player": string; "stand_in": string; "started_at": string; "until": string };

/** The searches for one game in the open lobby. */
export type OpenSeek = { "id": string; "rules": string; "least": number; "most": number; "speed": "live" | "evening" | "daily" | "slow" | (string & {}); "options": ChosenOptions; "fill_after": string | null; "player_count": number; "names": Array<string>; "joined": boolean };

/** A person who has played with a player. */
export type Opponent = { "name": string; "games": number; "won": number; "lost": number };

/** The options of a game that this description does not know yet. */
export type OtherOptions = { "previous_winners"?: Array<number> | null; [name: string]: unknown };

/** An account, as its owner sees it. */
export type PatchedAccountRequest = { "name"?: string; "language"?: "en" | "fa"; "time_zone"?: string; "sleep_from"?: string | null; "sleep_to"?: string | null; "preferences"?: PreferencesRequest; "is_bot"?: boolean; "public_profile"?: boolean; "shows_answer_times"?: boolean; "shows_presence"?: boolean };

/** The changes of a club. */
export type PatchedClubChangesRequest = { "name"?: string; "about"?: string; "notify"?: boolean };

/** The changes of your entry. */
export type PatchedEntryChangesRequest = { "sits_out"?: Array<number>; "notify"?: boolean };

/** Your handle in a chat. */
export type PatchedGroupChatChangesRequest = { "handle"?: string };

/** The changes of a member. */
export type PatchedRoleRequest = { "role"?: "owner" | "organizer" | "member" };

/** The changes of a tournament. */
export type PatchedTournamentChangesRequest = { "name"?: string; "about"?: string; "starts_at"?: string };

/** The changes to a webhook. */
export type PatchedWebhookChangesRequest = { "url"?: string; "kinds"?: Array<"question" | "closed" | "event" | "game" | "chat" | "presence">; "enabled"?: boolean };

/** The state of pauses in a game. */
export type Pause = { "state": "none" | "proposed" | "paused" | (string & {}); "length": string | null; "ends_at": string | null; "agreed": Array<number>; "missing": Array<number>; "longest": string; "left": string };

/** Your answer to a pause. */
export type PauseAnswerRequest = { "wants_pause": boolean };

/** A pause to propose. */
export type PauseRequest = { "length"?: string | null };

/** A plan to make: either `plan` or `text`, and never both. */
export type PlanRequest = { "plan"?: GamePlan; "text"?: string };

/** The public data of a player. */
export type Player = { "name": string; "is_bot": boolean; "reliability": number | null; "answer_times": AnswerTimes | null; "player_stats": Array<PlayerStats>; "results": Array<Result>; "ratings": Array<RatingLine>; "opponents": Array<Opponent>; "against_you": Opponent | null; "bluffs": Array<Bluff> };

/** The number of times that a player bluffed, and was believed. */
export type PlayerBluffs = { "seat": number; "claims": number; "bluffs": number; "believed": number };

/** The finished games of a player in one game, at tables of one kind. */
export type PlayerStats = { "rules": string; "seat_count": number | null; "with_bots": boolean; "games": number; "wins": number; "rating": number };

/** A moment of a finished game, and a seat. */
export type PracticeRequest = { "line": number; "seat": number };

/** The emails that you want from your games, and when. */
export type Preferences = { "mails": boolean; "digest": "at-once" | "hours" | "daily" | (string & {}); "digest_every": number; "digest_at": number; "quiet_from": string | null; "quiet_to": string | null; "reminders": Array<string>; "learns_hours": boolean; "receipts": boolean; "only_aimed": boolean; "news": boolean; "channels": Channels; "addresses": Addresses; "secrets": Secrets; "muted": Array<string> };

/** The emails that you want from your games, and when. */
export type PreferencesRequest = { "mails"?: boolean; "digest"?: "at-once" | "hours" | "daily"; "digest_every"?: number; "digest_at"?: number; "quiet_from"?: string | null; "quiet_to"?: string | null; "reminders"?: Array<string>; "learns_hours"?: boolean; "receipts"?: boolean; "only_aimed"?: boolean; "news"?: boolean; "channels"?: ChannelsRequest; "addresses"?: AddressesRequest; "secrets"?: SecretsRequest; "muted"?: Array<string> };

/** The presence of the players. */
export type Presence = { "all_here": boolean };

/** A refusal (RFC 9457). */
export type Problem = { "type": string; "title": string; "status": number; "code": "malformed" | "illegal" | "question-closed" | "not-found" | "unauthenticated" | "otp-required" | "otp-wrong" | "forbidden" | "conflict" | "limit-reached" | "key-busy" | "key-refused" | "key-reused" | "rate-limited" | "method-not-allowed" | "not-acceptable" | "too-large" | "unsupported-media-type" | "unavailable" | "error" | (string & {}); "detail": string; "move"?: StoredMove; "errors"?: Array<{ "pointer"?: string; "parameter"?: string; "code": "address" | "app-name" | "blank" | "bot" | "cursor" | "date" | "datetime" | "empty" | "enabled" | "handle" | "idempotency-key" | "invalid" | "invalid-choice" | "keys" | "lifetime" | "malformed" | "make-aware" | "max-length" | "max-string-length" | "max-value" | "min-length" | "min-value" | "move-unreadable" | "name-contact" | "name-look-alike" | "name-marks" | "name-notation" | "name-number" | "name-own" | "name-reserved" | "name-taken" | "name-too-long" | "name-unknown" | "name-unprintable" | "not-a-list" | "null" | "null-characters-not-allowed" | "overflow" | "password-context" | "password-entirely-numeric" | "password-too-common" | "password-too-short" | "password-too-similar" | "proof" | "quiet-hours" | "read-only" | "redirect-uri" | "required" | "seat" | "secret" | "sleep" | "step" | "surrogate-characters-not-allowed" | "time-zone" | "twice" | "unknown-field" | "unknown-parameter" | "wrong-code" | "wrong-password" | (string & {}); "detail": string }> };

/** A question that a game asks you. */
export type Question = { "id": string; "game": string; "seat": number; "kind": "turn" | "challenge" | "block" | "challenge-block" | "proof" | "loss" | "exchange" | "draft" | "show" | "examine" | "party" | "bomb" | "take" | (string & {}); "reason": "turn" | "draft" | "party" | "challenge" | "coup" | "assassination" | "bomb" | "foreign-aid" | "tax" | "assassinate" | "steal" | "exchange" | "embezzle" | "examine" | "hand" | "defuse" | "ambassador" | "assassin" | "captain" | "contessa" | "duke" | "inquisitor" | "hand-full" | "enough" | "dug" | (string & {}); "asked_at": string; "due_at": string; "planned_at": string | null; "why": Array<Reason>; "moves": Array<Answer>; "forms": Array<Form> };

/** The ratings of a player in one game at tables of one kind. */
export type RatingLine = { "rules": string; "with_bots": boolean; "ratings": Array<number> };

/** A step that led to a deadline. */
export type Reason = { "code": "turn" | "reaction" | "choice" | "time-bank" | "days-off" | "vacation" | "fixed-hour" | "sleep" | "moved" | (string & {}); "text": string; "until": string };

/** A new app. */
export type RegisteredApp = { "client_id": string; "name": string; "type": "public" | "confidential" | (string & {}); "redirect_uris": Array<string>; "scopes": Array<"games:read" | "games:play" | "chat" | "account" | "webhooks" | (string & {})>; "created_at": string; "client_secret": string | null };

/** The answer of a player of the finished game. */
export type RematchAnswer = { "seat": number; "name": string; "accepted": boolean | null };

/** The offer of a rematch. */
export type RematchOffer = { "state": "offered" | "started" | "lapsed" | (string & {}); "seat": number; "options": ChosenOptions; "until": string; "answers": Array<RematchAnswer>; "game": string | null };

/** Your yes to a rematch, and its changes. */
export type RematchRequest = { "options"?: ChosenOptions; "seed"?: string; "seed_commitment"?: string };

/** A report that you made. */
export type Report = { "id": string; "kind": "message" | "name" | "conduct" | (string & {}); "reason": string; "created_at": string; "state": "open" | "dismissed" | "acted" | (string & {}) };

/** A report to the moderators. */
export type ReportRequest = { "kind": "message" | "name" | "conduct"; "game": string; "message"?: string; "seat"?: number; "reason": string };

/** A player's result in a finished game. */
export type Result = { "game": string; "rules": string; "ended_at": string; "seat_count": number; "won": boolean; "place": number; "rating": number | null };

/** The seed that a player committed to. */
export type RevealRequest = { "seed": string; "head": string };

/** A game that can be played here. */
export type Rules = { "name": string; "version": number; "title": string; "least": number; "most": number };

/** A title, with all that is needed to create a game and to move. */
export type RulesDetail = { "name": string; "version": number; "title": string; "least": number; "most": number; "options": unknown; "moves": unknown; "summary": Array<string>; "durations": Array<Duration> };

/** The schedule of a game: its terms about time beside the limits. */
export type Schedule = { "zone": string; "closes_at": Array<string>; "days_off": Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday" | (string & {})>; "dates_off": Array<string>; "time_bank": TimeBank | null; "sleep": number; "vacation": number };

/** The schedule of a game: its terms about time beside the limits. */
export type ScheduleRequest = { "zone"?: string; "closes_at"?: Array<string>; "days_off"?: Array<"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday">; "dates_off"?: Array<string>; "time_bank"?: TimeBankRequest | null; "sleep"?: number; "vacation"?: number };

/** The place and points of a seat. */
export type SeatResult = { "seat": number; "won": boolean; "place": number; "score": number | null; "team": number | null };

/** The games that a player at a table has finished before: with these rules, at tables of people. */
export type SeatStats = { "games": number; "wins": number; "rating": number | null; "reliability": number | null; "answer_times": AnswerTimes | null };

/** Your secret for each channel that needs one. */
export type Secrets = { "discord": string | null; "gotify": string | null; "matrix": string | null; "ntfy": string | null; "slack": string | null; "telegram": string | null };

/** Your secret for each channel that needs one. */
export type SecretsRequest = { "discord"?: string | null; "gotify"?: string | null; "matrix"?: string | null; "ntfy"?: string | null; "slack"?: string | null; "telegram"?: string | null };

/** The options of a game. */
export type SedlecChosenOptions = { "starting_player"?: "previous_winner" | "random" | (string & {}) | number };

/** The top card of a pile is turned up at set-up (Sedlec S2). */
export type SedlecEventCardTurned = { "type": "sedlec.card-turned"; "pile": number; "card": string; "schema": number };

/** A player turned up the top cards of two piles, or of the only one that was face down. */
export type SedlecEventDug = { "type": "sedlec.dug"; "seat": number; "piles": Array<number>; "cards": Array<string>; "schema": number };

/** Every pyramid is full, or every seat was given up. */
export type SedlecEventGameEnded = { "type": "sedlec.game-ended"; "winners": Array<number>; "scores": Array<SedlecViewScore>; "schema": number };

/** A player laid a card of their hand into their pyramid. */
export type SedlecEventLaid = { "type": "sedlec.laid"; "seat": number; "card": string; "place": "left" | "on 1.1" | "on 1.2" | "on 1.3" | "on 2.1" | "on 2.2" | "right" | (string & {}); "schema": number };

/** A player resigned. */
export type SedlecEventResigned = { "type": "sedlec.resigned"; "seat": number; "schema": number };

/** The cards were shuffled into six piles. */
export type SedlecEventSetUp = { "type": "sedlec.set-up"; "rules": string; "version": number; "seats": number; "options": SedlecOptions; "deck": Array<string>; "piles": Array<Array<string | null>>; "schema": number };

/** A player took the face-up card of a pile into their hand. */
export type SedlecEventTaken = { "type": "sedlec.taken"; "seat": number; "pile": number; "card": string; "schema": number };

/** A seat has the turn. */
export type SedlecEventTurnBegan = { "type": "sedlec.turn-began"; "seat": number; "forfeited": boolean; "schema": number };

/** Take the face-up card of a pile. */
export type SedlecMoveCollect = { "type": "sedlec.collect"; "pile": number };

/** Turn up the top cards of two piles, or of the only one left, and take one of them. */
export type SedlecMoveDig = { "type": "sedlec.dig"; "piles": Array<number> };

/** Put a card of your hand into your pyramid. */
export type SedlecMoveLay = { "type": "sedlec.lay"; "card": string; "place": "left" | "on 1.1" | "on 1.2" | "on 1.3" | "on 2.1" | "on 2.2" | "right" | (string & {}) };

/** Take one of the two cards that were just dug up. */
export type SedlecMoveTake = { "type": "sedlec.take"; "pile": number };

/** The options of a game. */
export type SedlecOptions = { "starting_player": "previous_winner" | "random" | (string & {}) | number; "previous_winners": Array<number> };

/** Make this move on the owner's next turn, if it is possible then. */
export type SedlecPlan = { "type": "sedlec.next-turn"; "move": GameMove; "card"?: string | null };

/** The table as a viewer may know it. */
export type SedlecView = { "rules": "sedlec"; "deck": Array<string>; "piles": Array<SedlecViewPile>; "players": Array<SedlecViewPlayer>; "width": number; "size": number; "turn": number | null; "dug": Array<number>; "winners": Array<number> | null };

/** A pile of the graveyard. */
export type SedlecViewPile = { "face_up": string | null; "face_down": Array<string | null> };

/** The public cards of a player. */
export type SedlecViewPlayer = { "seat": number; "hand": Array<string>; "pyramid": Array<Array<string | null>>; "score": SedlecViewScore; "forfeited": boolean };

/** The points of a pyramid, in total and by kind of skull. */
export type SedlecViewScore = { "total": number; "royal": number; "peasant": number; "priest": number; "lover": number; "sinner": number };

/** A search for players. */
export type Seek = { "id": string; "rules": string; "least": number; "most": number; "speed": "live" | "evening" | "daily" | "slow" | (string & {}); "options": ChosenOptions; "fill_after": string | null; "games_at_once": number | null; "shows_name": boolean; "state": "open" | "matched" | "withdrawn" | "lapsed" | "removed" | (string & {}); "game": string | null; "created_at": string; "until": string; "ended_at": string | null };

/** The game that you want to play. */
export type SeekRequest = { "rules": string; "least": number; "most": number; "speed"?: "live" | "evening" | "daily" | "slow"; "options"?: ChosenOptions; "fill_after"?: string | null; "games_at_once"?: number | null; "shows_name"?: boolean };

/** A game with the view that you may see. */
export type SeenGame = { "game": string; "view": GameView | null };

/** A browser in which you are logged in. */
export type Session = { "id": number; "device": string; "address": string; "created_at": string; "last_seen_at": string };

/** An event as you may know it. */
export type ShownEvent = { "number": number; "at": string | null; "via": string | null; "seat": number | null; "move": string | null; "event": GameEvent; "text": string | null };

/** Other access to end together with the sessions. */
export type SignOutRequest = { "tokens"?: boolean; "grants"?: boolean };

/** A sign-up. */
export type SignUpRequest = { "email": string; "password": string; "name": string; "language"?: "en" | "fa"; "time_zone"?: string; "is_bot"?: boolean };

/** The address to which the code was sent. */
export type SignedUp = { "email": string };

/** A field of a move that you fill in: a number, or words from a list. */
export type Slot = { "name": string; "label": string; "lowest": number | null; "highest": number | null; "choices": Array<SlotChoice> | null; "least": number | null; "most": number | null };

/** A word that a slot may have. */
export type SlotChoice = { "text": string; "label": string };

/** A stand-in for your seat, and the time until which they may answer. */
export type StandInRequest = { "name": string; "until": string };

/** A place in the standings, after the rounds that have ended. */
export type Standing = { "division": number | null; "place": number; "number": number; "name": string; "points": number; "opponents": number; "wins": number; "games": number; "withdrawn": boolean; "movement": "up" | "down" | (string & {}) };

/** The result and the bluffs of a game. */
export type Statistics = { "results": Array<SeatResult>; "claims": Array<Claims>; "challenges": Array<Challenges>; "counts": Array<NamedCount> };

/** A game after one line of its log. */
export type Step = { "number": number; "last": number; "line": ShownEvent | null; "view": GameView | null };

/** A move and its outcome. */
export type StoredMove = { "id": string; "game": string; "question": string; "text": string | null; "move": GameMove | null; "received_at": string; "state": "received" | "applied" | "rejected" | "failed" | (string & {}); "problem": Why | null; "events": Array<ShownEvent> };

/** A plan of your own. */
export type StoredPlan = { "id": string; "number": number; "plan": GamePlan; "text": string; "label": string; "state": "standing" | "carried-out" | "lapsed" | (string & {}); "created_at": string; "done_at": string | null; "times": number; "last": LastAnswer | null };

/** Someone wrote something that you may read. */
export type StreamChat = { "game": string; "message": string; "at"?: string };

/** A question for you is closed. */
export type StreamClosed = { "game": string; "question": string; "at"?: string };

/** A game that can no longer be joined. */
export type StreamClosedGame = { "game": string; "at"?: string };

/** A game has started, ended or been cancelled. */
export type StreamGame = { "game": string; "state": "open" | "starting" | "running" | "over" | "cancelled" | (string & {}); "at"?: string };

/** `ready`: from here on you are told everything; what waits already is at `questions/`. */
export type StreamNotice = { "at"?: string };

/** A public game that can be joined. */
export type StreamOpenGame = { "game": string; "rules": string; "options": GameOptions; "seat_count": number; "free": number; "created_at": string; "at"?: string };

/** Everyone playing is here now, and agreed to show it: see `games/{game}/presence/`. */
export type StreamPresence = { "game": string; "at"?: string };

/** Something happened in a game. */
export type StreamProgress = { "game": string; "number": number; "at"?: string };

/** You are asked something. */
export type StreamQuestion = { "game": string; "question": string; "due_at": string; "at"?: string };

/** A browser's push subscription, as its `toJSON()` returns it, and a name for it. */
export type SubscriptionRequest = { "endpoint": string; "expirationTime"?: number | null; "keys": KeysRequest; "name"?: string };

/** A chat to connect to a game or a club. */
export type TableChannelRequest = { "app": "discord" | "matrix" | "slack" | "telegram"; "address"?: string; "secret": string };

/** The deal waits for this round of the public beacon: the first that is published half a minute after this event, so that the list of the deal can be kept before. */
export type TableEventBeaconAwaited = { "type": "table.beacon-awaited"; "round": number; "key": string; "head": string; "schema": number };

/** The signature of the round, in hexadecimal. */
export type TableEventBeaconPublished = { "type": "table.beacon-published"; "round": number; "signature": string; "schema": number };

/** A bot has taken the seat of a player who left the server. */
export type TableEventBotTakeover = { "type": "table.bot-takeover"; "seat": number; "schema": number };

/** Every open deadline was moved back by this many seconds: the server was down, or its clock was set forward. */
export type TableEventDeadlinesMoved = { "type": "table.deadlines-moved"; "seconds": number; "schema": number };

/** The table is full, and the list that the deal follows from is fixed. */
export type TableEventDealListed = { "type": "table.deal-listed"; "key": string; "head": string; "schema": number };

/** The players have this number of seconds more for the open questions. */
export type TableEventDueLater = { "type": "table.due-later"; "seconds": number; "schema": number };

/** Emails could not be sent for a time: every open deadline was moved back by this many seconds. */
export type TableEventEmailOutage = { "type": "table.email-outage"; "seconds": number; "schema": number };

/** The game is over, and open to everyone who may see the table. */
export type TableEventEnded = { "type": "table.ended"; "winners": Array<number>; "schema": number };

/** A player has missed too many questions, and is out of the game; the events of the rules follow. */
export type TableEventForfeited = { "type": "table.forfeited"; "seat": number; "schema": number };

/** The game was cancelled before it started: all players had left, or its deal could not be protected. */
export type TableEventGameCancelled = { "type": "table.cancelled"; "schema": number };

/** A game was created; its host sits on seat 1. */
export type TableEventGameCreated = { "type": "table.created"; "rules": string; "version": number; "seat_count": number; "bot_count": number; "commitment": string; "terms": TableEventGameTerms; "private": boolean; "spectator_delay": number | null; "arena": boolean; "schema": number };

/** The terms that the players of a game agree on before it starts. */
export type TableEventGameTerms = { "turn_limit": string; "reaction_limit": string; "open_limit": string; "choice_limit": string; "schedule": TableEventSchedule; "chat": "all" | "none" | "table" | (string & {}); "pauses": string; "longest_pause": string; "misses": number; "absence": "bot" | "forfeit" | "invite" | (string & {}); "plans": "private" | "quick" | (string & {}); "unprotected": "cancel" | "deal" | (string & {}) };

/** A player took the next seat, and added a seed of their own to the game's chance. */
export type TableEventJoined = { "type": "table.joined"; "seat": number; "bot": boolean; "level": string; "style": string; "seed": string; "seed_commitment": string; "player": string; "schema": number };

/** A player left before the game started; those after them moved up one seat. */
export type TableEventLeft = { "type": "table.left"; "seat": number; "schema": number };

/** A player agrees to the pause that was proposed. */
export type TableEventPauseAgreed = { "type": "table.pause-agreed"; "seat": number; "schema": number };

/** A player declined, and the proposal is dropped. */
export type TableEventPauseDeclined = { "type": "table.pause-declined"; "schema": number };

/** A player proposes a pause of this many seconds. */
export type TableEventPauseProposed = { "type": "table.pause-proposed"; "seat": number; "seconds": number; "lapses_at": string; "schema": number };

/** The game is paused until then: every open deadline was moved back by this many seconds. */
export type TableEventPaused = { "type": "table.paused"; "seconds": number; "until": string; "schema": number };

/** A new player has taken a seat that was offered; the player before is out of the game for good. */
export type TableEventPlayerTakeover = { "type": "table.player-takeover"; "seat": number; "player": string; "schema": number };

/** A practice game goes on from a finished game, whose events up to a line follow. */
export type TableEventPositionCopied = { "type": "table.position-copied"; "game": string; "line": number; "schema": number };

/** A player resigned; the events of the rules follow. */
export type TableEventResigned = { "type": "table.resigned"; "seat": number; "schema": number };

/** A player wants the game to go on before the pause is over. */
export type TableEventResumeAgreed = { "type": "table.resume-agreed"; "seat": number; "schema": number };

/** The game goes on after this number of seconds. */
export type TableEventResumed = { "type": "table.resumed"; "seconds": number; "schema": number };

/** A player is back, and answers for themselves again. */
export type TableEventReturned = { "type": "table.returned"; "seat": number; "schema": number };

/** Fixed hours, days off, time banks, and how much sleep and vacation move deadlines. */
export type TableEventSchedule = { "zone": string; "closes_at": Array<string>; "days_off": Array<"friday" | "monday" | "saturday" | "sunday" | "thursday" | "tuesday" | "wednesday" | (string & {})>; "dates_off": Array<string>; "time_bank": TableEventTimeBank | null; "sleep": number; "vacation": number };

/** A player has missed too many questions. */
export type TableEventSeatOffered = { "type": "table.seat-offered"; "seat": number; "schema": number };

/** The seed that the player on this seat had promised was not revealed in time. */
export type TableEventSeedMissing = { "type": "table.seed-missing"; "seat": number; "schema": number };

/** A player revealed the seed that they had committed to. */
export type TableEventSeedRevealed = { "type": "table.seed-revealed"; "seat": number; "seed": string; "schema": number };

/** Players who committed to seeds reveal them until then. */
export type TableEventSeedsAwaited = { "type": "table.seeds-awaited"; "until": string; "schema": number };

/** The player no longer has a stand-in. */
export type TableEventStandInLeft = { "type": "table.stand-in-left"; "seat": number; "schema": number };

/** A player has named a stand-in, who may answer for them for some time. */
export type TableEventStandInNamed = { "type": "table.stand-in-named"; "seat": number; "schema": number };

/** The game started with this many seats; the events of its set-up follow. */
export type TableEventStarted = { "type": "table.started"; "seat_count": number; "schema": number };

/** A player has missed too many questions; a bot plays for them until they come back. */
export type TableEventTemporaryTakeover = { "type": "table.temporary-takeover"; "seat": number; "schema": number };

/** A time bank of a seat. */
export type TableEventTimeBank = { "time": string; "increment": string };

/** The time bank of a player after a move, in seconds: the used time is subtracted and the increment added. */
export type TableEventTimeBankChanged = { "type": "table.time-bank-changed"; "seat": number; "seconds": number; "schema": number };

/** A seat at a table of a tournament. */
export type TableSeat = { "seat": number; "number": number; "name": string; "place": number | null; "points": number | null };

/** The time bank that each seat has. */
export type TimeBank = { "time": string; "increment": string };

/** The time bank that each seat has. */
export type TimeBankRequest = { "time": string; "increment": string };

/** A token, without the token itself. */
export type Token = { "id": string; "name": string; "scopes": Array<"games:read" | "games:play" | "chat" | "account" | "webhooks" | (string & {})>; "prefix": string; "created_at": string; "expires_at": string | null; "last_used_at": string | null };

/** A token to create, and the proof of who asks. */
export type TokenRequest = { "email": string; "password": string; "otp"?: string; "name": string; "scopes"?: Array<"games:read" | "games:play" | "chat" | "account" | "webhooks">; "expires_in"?: string | null; "expires_at"?: string | null };

/** The moves that a bot is told to make. */
export type ToldMoves = { "moves": Array<string> };

/** The moves that a bot is told to make. */
export type ToldMovesRequest = { "moves": Array<string> };

/** A tournament. */
export type Tournament = { "id": string; "name": string; "about": string; "club": string | null; "host": string | null; "format": "swiss" | "round-robin" | "knock-out" | "league" | (string & {}); "rules": string; "options": ChosenOptions; "speed": "live" | "evening" | "daily" | "slow" | (string & {}); "spectator_delay": string | null; "table_size": number; "rounds": number | null; "advance": number | null; "league": string | null; "season": number | null; "division_size": number | null; "promoted": number | null; "season_break": string | null; "most": number; "round_length": string; "starts_at": string; "state": "open" | "starting" | "running" | "over" | "cancelled" | (string & {}); "commitment": string; "seed": string | null; "beacon_round": number | null; "beacon_signature": string; "entries": number; "round": number; "round_ends_at": string | null; "number": number | null; "created_at": string; "started_at": string | null; "ended_at": string | null };

/** A tournament to create. */
export type TournamentRequest = { "name": string; "about"?: string; "club"?: string | null; "format": "swiss" | "round-robin" | "knock-out" | "league"; "rules": string; "options"?: ChosenOptions; "speed"?: "live" | "evening" | "daily" | "slow"; "spectator_delay"?: string | null; "table_size": number; "rounds"?: number | null; "advance"?: number | null; "division_size"?: number | null; "promoted"?: number | null; "season_break"?: string | null; "most"?: number | null; "round_length": string; "starts_at": string };

/** A round of a tournament. */
export type TournamentRound = { "number": number; "starts_at": string; "ends_at": string; "ended_at": string | null; "tables": Array<TournamentTable>; "byes": Array<Entrant>; "rests": Array<Entrant> };

/** A table of a round. */
export type TournamentTable = { "table": number; "game": string | null; "seats": Array<TableSeat> };

/** A turn that changed the game. */
export type TurningPoint = { "line": number; "told": string; "why": string };

/** The reason why no email goes to you, and since when. */
export type Unreachable = { "why": "bounced" | "complained" | (string & {}); "since": string };

/** A vacation of your own. */
export type Vacation = { "id": string; "first": string; "last": string };

/** A vacation to plan. */
export type VacationRequest = { "first": string; "last": string };

/** An address to which notifications for you are posted. */
export type Webhook = { "id": string; "url": string; "kinds": Array<"question" | "closed" | "event" | "game" | "chat" | "presence" | (string & {})>; "created_at": string; "disabled_at": string | null; "failing_since": string | null };

/** Someone wrote something that you may read. */
export type WebhookChat = { "type": "chat"; "timestamp": string; "data": StreamChat };

/** A question for you is closed. */
export type WebhookClosed = { "type": "closed"; "timestamp": string; "data": StreamClosed };

/** Something happened in a game. */
export type WebhookEvent = { "type": "event"; "timestamp": string; "data": StreamProgress };

/** A game has started, ended or been cancelled. */
export type WebhookGame = { "type": "game"; "timestamp": string; "data": StreamGame };

/** A message to a webhook, by its `type`. */
export type WebhookMessage = WebhookQuestion | WebhookClosed | WebhookEvent | WebhookGame | WebhookChat | WebhookPresence | WebhookTest;

/** Everyone playing is here now, and agreed to show it: see `games/{game}/presence/`. */
export type WebhookPresence = { "type": "presence"; "timestamp": string; "data": StreamPresence };

/** You are asked something. */
export type WebhookQuestion = { "type": "question"; "timestamp": string; "data": StreamQuestion };

/** An address to register. */
export type WebhookRequest = { "url": string; "kinds": Array<"question" | "closed" | "event" | "game" | "chat" | "presence"> };

/** `ready`: from here on you are told everything; what waits already is at `questions/`. */
export type WebhookTest = { "type": "test"; "timestamp": string; "data": StreamNotice };

/** The reason why a move was not applied. */
export type Why = { "code": "malformed" | "illegal" | "question-closed" | "error" | (string & {}); "status": number; "detail": string; "ruling": string | null };
