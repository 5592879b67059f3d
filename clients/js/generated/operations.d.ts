// Generated from docs/openapi.yaml by clients/js/generate.py: do not edit.
import type * as t from "./types.js";

export interface Options {
    idempotencyKey?: string;
    prefer?: string;
    ifNoneMatch?: string;
    signal?: AbortSignal;
}

export interface Operations {
    /** Ask for an account. */
    signUp(body: t.SignUpRequest, options?: Options): Promise<t.SignedUp>;
    /** Confirm a sign-up with the code that was sent for it, and its password. */
    confirm(body: t.ConfirmRequest, options?: Options): Promise<t.Account>;
    /** Public tables and those at which I sit, the newest first. */
    listGames(options?: Options & { cursor?: string; followed?: boolean; ids?: string; limit?: number; mine?: boolean; rules?: "coup" | "sedlec"; state?: "open" | "starting" | "running" | "over" | "cancelled" }): Promise<t.PaginatedGameList>;
    /** Create a game, with me on seat 1. */
    createGame(body: t.GameRequest, options?: Options): Promise<t.Game>;
    /** A table and who sits at it. */
    getGame(game: string, options?: Options): Promise<t.Game>;
    /** Say that I am there: a bot who sits in for me goes, and what I missed is counted anew. */
    comeBack(game: string, body: t.NothingRequest, options?: Options): Promise<t.Game>;
    /** Return the app of the chat in which this game tells how it stands; 404 where it has none. */
    getTableChannel(game: string, options?: Options): Promise<t.TableChannel>;
    /** Let the game tell in a chat how it stands, in place of any other chat. */
    connectTableChannel(game: string, body: t.TableChannelRequest, options?: Options): Promise<t.TableChannel>;
    /** Tell nothing more in the chat. */
    disconnectTableChannel(game: string, options?: Options): Promise<undefined>;
    /** List the messages that I may read, oldest first: those to all, and the private ones that I wrote or got. */
    listChatMessages(game: string, options?: Options & { after?: string; limit?: number }): Promise<t.ChatMessages>;
    /** Send a message to everybody at my table, or a private one to one seat, as the game's `chat` allows. */
    sendChatMessage(game: string, body: t.ChatMessageRequest, options?: Options): Promise<t.ChatMessage>;
    /** Get a message that I may read. */
    getChatMessage(game: string, message: string, options?: Options): Promise<t.ChatMessage>;
    /** The commitment that was published when the table opened. */
    getCommitment(game: string, options?: Options): Promise<t.GameCommitment>;
    /** The events of the table and the game, from the first on, numbered for me. */
    listEvents(game: string, options?: Options & { after?: number; limit?: number }): Promise<t.EventPage>;
    /** All events of a game as I may know them, each as a line of JSON. */
    exportEvents(game: string, options?: Options & { after?: number }): Promise<string>;
    /** Return who was invited to a table at which I sit, and what came of it, the first invitation first. */
    listInvitations(game: string, options?: Options): Promise<Array<t.Invitation>>;
    /** Invite someone by email to a game at which I sit: an open one, or a seat that is offered. */
    invite(game: string, body: t.InvitationRequest, options?: Options): Promise<t.Invitation>;
    /** An invitation to a table at which I sit. */
    getInvitation(game: string, invitation: string, options?: Options): Promise<t.Invitation>;
    /** Take an invitation of mine back, unless it has been accepted. */
    withdrawInvitation(game: string, invitation: string, options?: Options): Promise<undefined>;
    /** Take the next free seat. */
    joinGame(game: string, body: t.JoinRequest, options?: Options): Promise<t.Game>;
    /** Leave a table whose game has not begun. */
    leaveGame(game: string, body: t.NothingRequest, options?: Options): Promise<undefined>;
    /** Answer a question. */
    sendMove(game: string, body: t.MoveRequest, options?: Options): Promise<t.StoredMove>;
    /** Return what became of a move. */
    getMove(game: string, move: string, options?: Options): Promise<t.StoredMove>;
    /** Return whether a pause is proposed or on, who agrees, and how much time for pauses the table has left. */
    getPause(game: string, options?: Options): Promise<t.Pause>;
    /** Propose a pause. */
    proposePause(game: string, body: t.PauseRequest, options?: Options): Promise<t.Pause>;
    /** Agree to the pause that is proposed. */
    agreeToPause(game: string, body: t.NothingRequest, options?: Options): Promise<t.Pause>;
    /** Do not agree: the proposal has come to nothing. */
    declinePause(game: string, body: t.NothingRequest, options?: Options): Promise<t.Pause>;
    /** Agree to go on before the pause is over; the clocks do once everybody alive agrees. */
    endPause(game: string, body: t.NothingRequest, options?: Options): Promise<t.Pause>;
    /** Return what the view shows, drawn in my language. */
    getPicture(game: string, options?: Options): Promise<string>;
    /** My plans and what they did. */
    listPlans(game: string, options?: Options): Promise<Array<t.StoredPlan>>;
    /** Make a plan that answers for me whenever something is asked; what is open now is answered at once. */
    createPlan(game: string, body: t.PlanRequest, options?: Options): Promise<t.StoredPlan>;
    /** A plan of mine; 404 once it was withdrawn. */
    getPlan(game: string, plan: string, options?: Options): Promise<t.StoredPlan>;
    /** Put another plan in the place of one that stands; 409 once it is done. */
    changePlan(game: string, plan: string, body: t.PlanRequest, options?: Options): Promise<t.StoredPlan>;
    /** Take a plan back; 409 once it is done. */
    withdrawPlan(game: string, plan: string, options?: Options): Promise<undefined>;
    /** Return what this game asks me, with the answers it offers. */
    listGameQuestions(game: string, options?: Options): Promise<Array<t.Question>>;
    /** The record of a game that is over: options, seats, seeds, every move and every event, all open. */
    getRecord(game: string, options?: Options): Promise<{ [name: string]: unknown }>;
    /** Seat the same people on the same seats and begin, with the same options but those named. */
    rematchGame(game: string, body: t.RematchRequest, options?: Options): Promise<t.Game>;
    /** A game that is over, after line `number` of its log: as it is seen now, or as a player saw it then. */
    getStep(game: string, number: string, options?: Options & { seat?: number }): Promise<t.Step>;
    /** Give up the game, for good. */
    resign(game: string, body: t.NothingRequest, options?: Options): Promise<t.StoredMove>;
    /** Return what a bot at my table is still to answer. */
    getBotMoves(game: string, seat: string, options?: Options): Promise<t.ToldMoves>;
    /** Tell a bot at my table what to answer, in place of what it was told before. */
    tellBot(game: string, seat: string, body: t.ToldMovesRequest, options?: Options): Promise<t.ToldMoves>;
    /** Let time pass in a game at which I sit: everything due comes nearer by as much. */
    forwardClock(game: string, body: t.ClockRequest, options?: Options): Promise<t.Game>;
    /** Reveal the seed I committed to when I joined. */
    revealSeed(game: string, body: t.RevealRequest, options?: Options): Promise<t.Game>;
    /** The stand-in at this table that is mine, as the player or as the stand-in; 404 where there is none. */
    getStandIn(game: string, options?: Options): Promise<t.NamedStandIn>;
    /** Let somebody answer for my seat too until a time, in place of whoever did before. */
    nameStandIn(game: string, body: t.StandInRequest, options?: Options): Promise<t.NamedStandIn>;
    /** End it, as the player or as the stand-in. */
    withdrawStandIn(game: string, options?: Options): Promise<undefined>;
    /** Begin with those who sit here and the bots. */
    startGame(game: string, body: t.NothingRequest, options?: Options): Promise<t.Game>;
    /** Places and points, claims, lies and challenges, and what else the game counts, of a game that is over. */
    getStatistics(game: string, options?: Options): Promise<t.Statistics>;
    /** A game that is over, a line a turn, in my language: all of it, or what a player was told. */
    getTranscript(game: string, options?: Options & { seat?: number }): Promise<string>;
    /** Return what my seat knows; without a seat, what is public; after the end, everything. */
    getView(game: string, options?: Options): Promise<t.GameView>;
    /** Games as `games/` lists them, each as a line of JSON. */
    exportGames(options?: Options & { cursor?: string; followed?: boolean; ids?: string; limit?: number; mine?: boolean; rules?: "coup" | "sedlec"; state?: "open" | "starting" | "running" | "over" | "cancelled" }): Promise<string>;
    /** The best 100 of those who have finished at least 5 games of this kind, the best first. */
    listLeaders(options?: Options & { rules?: "coup" | "sedlec"; seat_count?: number; with_bots?: boolean }): Promise<Array<t.Leader>>;
    /** The account whose token this is. */
    getMe(options?: Options): Promise<t.Account>;
    /** Change my name, language, time zone or preferences. */
    changeMe(body: t.PatchedAccountRequest, options?: Options): Promise<t.Account>;
    /** My apps, the newest first. */
    listApps(options?: Options): Promise<Array<t.App>>;
    /** Make an app known, which may then ask people for tokens: OAuth 2, authorization code with PKCE (S256). */
    createApp(body: t.AppRequest, options?: Options): Promise<t.RegisteredApp>;
    /** One of my apps, without its secret. */
    getApp(client_id: string, options?: Options): Promise<t.App>;
    /** Delete an app. */
    deleteApp(client_id: string, options?: Options): Promise<undefined>;
    /** The people whom I have blocked, in the order in which I did. */
    listBlocks(options?: Options): Promise<Array<t.ListedAccount>>;
    /** Block a player: I read none of their messages, get no invitation of theirs, and we share no public table. */
    block(body: t.AccountNameRequest, options?: Options): Promise<t.ListedAccount>;
    /** Get a player whom I have blocked; 404 once I have unblocked them. */
    getBlock(id: string, options?: Options): Promise<t.ListedAccount>;
    /** Unblock a player. */
    unblock(id: string, options?: Options): Promise<undefined>;
    /** Send the one email to my address that can be sent while `unreachable` is set: its link confirms it. */
    askForConfirmation(options?: Options): Promise<t.Unreachable | undefined>;
    /** Delete my account, at once and for good. */
    deleteMe(body: t.DeletionRequest, options?: Options): Promise<undefined>;
    /** Email me a code with which I can delete my account: for those who have no password. */
    sendDeletionCode(options?: Options): Promise<t.SignedUp>;
    /** My devices, the oldest first, and the public key that a browser subscribes with. */
    listDevices(options?: Options): Promise<t.DeviceList>;
    /** Show me what waits on this device. */
    addDevice(body: t.SubscriptionRequest, options?: Options): Promise<t.Device>;
    /** One of my devices; 404 once it is gone. */
    getDevice(id: string, options?: Options): Promise<t.Device>;
    /** Show nothing there any more. */
    deleteDevice(id: string, options?: Options): Promise<undefined>;
    /** Everything that is kept about me, in one piece. */
    exportMe(options?: Options): Promise<t.AccountData>;
    /** The people whom I follow, in the order in which I began. */
    listFollows(options?: Options): Promise<Array<t.ListedAccount>>;
    /** Follow a player: `games/?followed=true` lists the games that they play and I may see. */
    follow(body: t.AccountNameRequest, options?: Options): Promise<t.ListedAccount>;
    /** Get a player whom I follow; 404 once I have unfollowed them. */
    getFollow(id: string, options?: Options): Promise<t.ListedAccount>;
    /** Unfollow a player. */
    unfollow(id: string, options?: Options): Promise<undefined>;
    /** The apps that act for me, and what they may do. */
    listGrants(options?: Options): Promise<Array<t.Grant>>;
    /** Take all its tokens away from an app, at once. */
    deleteGrant(client_id: string, options?: Options): Promise<undefined>;
    /** The people whom I have muted, in the order in which I did. */
    listMutes(options?: Options): Promise<Array<t.ListedAccount>>;
    /** Mute a player: I read none of their messages, neither in chats nor in emails. */
    mute(body: t.AccountNameRequest, options?: Options): Promise<t.ListedAccount>;
    /** Get a player whom I have muted; 404 once I have unmuted them. */
    getMute(id: string, options?: Options): Promise<t.ListedAccount>;
    /** Unmute a player. */
    unmute(id: string, options?: Options): Promise<undefined>;
    /** List the browsers in which I am logged in, the one that was used last first. */
    listSessions(options?: Options): Promise<Array<t.Session>>;
    /** Log a browser out at once. */
    deleteSession(session: string, options?: Options): Promise<undefined>;
    /** Log every browser out at once, and on request end my tokens and what apps may do. */
    signOutEverywhere(body: t.SignOutRequest, options?: Options): Promise<undefined>;
    /** My vacations of this year and to come, the earliest first. */
    listVacations(options?: Options): Promise<Array<t.Vacation>>;
    /** Announce days on which my time does not run, in every game as far as it allows that. */
    announceVacation(body: t.VacationRequest, options?: Options): Promise<t.Vacation>;
    /** One of my vacations. */
    getVacation(id: string, options?: Options): Promise<t.Vacation>;
    /** Take a vacation back that has not begun, and that no deadline of mine is later for. */
    withdrawVacation(id: string, options?: Options): Promise<undefined>;
    /** My webhooks, the oldest first, without their secrets. */
    listWebhooks(options?: Options): Promise<Array<t.Webhook>>;
    /** Register an address that is told what concerns me. */
    createWebhook(body: t.WebhookRequest, options?: Options): Promise<t.IssuedWebhook>;
    /** One of my webhooks, without its secret. */
    getWebhook(id: string, options?: Options): Promise<t.Webhook>;
    /** Change its address or what it is told, or switch it on again. */
    changeWebhook(id: string, body: t.PatchedWebhookChangesRequest, options?: Options): Promise<t.Webhook>;
    /** Post nothing to it any more, not even what waits. */
    deleteWebhook(id: string, options?: Options): Promise<undefined>;
    /** The latest 100 messages and what came of them, the latest first. */
    listWebhookDeliveries(id: string, options?: Options): Promise<Array<t.Delivery>>;
    /** Give it a new secret, shown this once. */
    rotateWebhookSecret(id: string, body: t.NothingRequest, options?: Options): Promise<t.WebhookSecret>;
    /** Post a message of the type `test` at once. */
    testWebhook(id: string, body: t.NothingRequest, options?: Options): Promise<t.Delivery>;
    /** Return what somebody who sits or sat at a table has played. */
    getPlayer(name: string, options?: Options): Promise<t.Player>;
    /** Everything that waits for me, the most urgent first, with the answers it offers. */
    listQuestions(options?: Options): Promise<Array<t.Question>>;
    /** My reports, the newest first, and whether a moderator has dealt with them. */
    listReports(options?: Options): Promise<Array<t.Report>>;
    /** Report a chat message, a name, or how somebody behaves; a copy of what I saw goes with it. */
    report(body: t.ReportRequest, options?: Options): Promise<t.Report>;
    /** One of my reports. */
    getReport(report: string, options?: Options): Promise<t.Report>;
    /** The games that can be played here. */
    listRules(options?: Options): Promise<Array<t.Rules>>;
    /** A game: its options and moves as JSON Schema, and the summary card for a table of so many seats. */
    getRules(name: string, options?: Options & { options?: t.ChosenOptions; seat_count?: number }): Promise<t.RulesDetail>;
    /** List my searches for players, the newest first, 50 at most. */
    listSeeks(options?: Options): Promise<Array<t.Seek>>;
    /** Look for players who want the same game: a public one begins as soon as there are enough. */
    createSeek(body: t.SeekRequest, options?: Options): Promise<t.Seek>;
    /** Get one of my searches, and its game if it was matched. */
    getSeek(seek: string, options?: Options): Promise<t.Seek>;
    /** Stop a search. */
    withdrawSeek(seek: string, options?: Options): Promise<undefined>;
    /** My tokens, the newest first, without what makes them work. */
    listTokens(options?: Options): Promise<Array<t.Token>>;
    /** A new token for whoever knows the password. */
    createToken(body: t.TokenRequest, options?: Options): Promise<t.IssuedToken>;
    /** Revoke a token at once, the one in the request included. */
    deleteToken(public_id: string, options?: Options): Promise<undefined>;
    /** Return the views of many games at once, in any order. */
    listViews(options?: Options & { games?: string }): Promise<Array<t.SeenGame>>;
}
