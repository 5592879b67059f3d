// Generated from the documents in docs by clients/js/generate.py: do not edit.
import type * as t from "./types.js";

export interface Options {
    idempotencyKey?: string;
    prefer?: string;
    ifNoneMatch?: string;
    signal?: AbortSignal;
}

export interface Operations {
    /** List the bots in the arena, by game, best first. */
    listArenaBots(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.ArenaBot> }>;
    /** List the clubs that you are in, by name. */
    listClubs(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Club> }>;
    /** Create a club, which you own. */
    createClub(body: t.ClubRequest, options?: Options): Promise<t.Club>;
    /** Get a club that you are in. */
    getClub(club: string, options?: Options): Promise<t.Club>;
    /** Change the name or the description of a club, or your own notifications of its games. */
    changeClub(club: string, body: t.PatchedClubChangesRequest, options?: Options): Promise<t.Club>;
    /** Close a club. */
    deleteClub(club: string, options?: Options): Promise<undefined>;
    /** List the members who have finished games of the club with other people, the best first. */
    listClubLeaders(club: string, options?: Options & { cursor?: string; days?: number; limit?: number }): Promise<{ "next": string | null; "results": Array<t.ClubLeader> }>;
    /** Give a club a new code. */
    renewClubLink(club: string, body: Record<string, unknown>, options?: Options): Promise<t.Club>;
    /** List the owner, the organizers and the other members of a club, each by the time of joining. */
    listMembers(club: string, options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Member> }>;
    /** Give a member another role. */
    changeRole(club: string, member: string, body: t.PatchedRoleRequest, options?: Options): Promise<t.Member>;
    /** Leave a club, or remove a member. */
    deleteMember(club: string, member: string, options?: Options): Promise<undefined>;
    /** Join a club by the code in its link. */
    joinClub(body: t.JoinClubRequest, options?: Options): Promise<t.Club>;
    /** List public games, those of your clubs and those that you play, the newest first. */
    listGames(options?: Options & { arena?: boolean; club?: string; cursor?: string; followed?: boolean; ids?: string; limit?: number; mine?: boolean; rules?: "coup" | "sedlec"; state?: "open" | "starting" | "running" | "over" | "cancelled" }): Promise<{ "next": string | null; "results": Array<t.Game> }>;
    /** Create a game, with you on seat 1. */
    createGame(body: t.GameRequest, options?: Options): Promise<t.Game>;
    /** Get a game and its players. */
    getGame(game: string, options?: Options): Promise<t.Game>;
    /** Get the decisions of a player in a finished game, with better moves if there are any. */
    getAnalysis(game: string, options?: Options & { seat?: number }): Promise<t.Analysis>;
    /** Come back to your seat: the bot that plays for you leaves, and your missed questions are counted from zero again. */
    returnToSeat(game: string, body: Record<string, unknown>, options?: Options): Promise<t.Game>;
    /** List the messages that you may read, the oldest first: those to all, and private ones from you or to you. */
    listChatMessages(game: string, options?: Options & { after?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.ChatMessage> }>;
    /** Send a message to all players of your game, or a private one to one seat, as the game's `chat` allows. */
    sendChatMessage(game: string, body: t.ChatMessageRequest, options?: Options): Promise<t.ChatMessage>;
    /** Get a message that you may read. */
    getChatMessage(game: string, message: string, options?: Options): Promise<t.ChatMessage>;
    /** Get the commitment that was published when the game was created. */
    getCommitment(game: string, options?: Options): Promise<t.GameCommitment>;
    /** List the events of a game, from the first on, numbered for you. */
    listEvents(game: string, options?: Options & { after?: number; limit?: number }): Promise<{ "next": string | null; "results": Array<t.ShownEvent> }>;
    /** Export all events of a game that you may know, each as a line of JSON. */
    exportEvents(game: string, options?: Options & { after?: number }): Promise<string>;
    /** List the invitations to a game that you play, and what became of each, the first one first. */
    listInvitations(game: string, options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Invitation> }>;
    /** Invite someone by email to a game that you play: to an open one, or to a seat that is offered. */
    createInvitation(game: string, body: t.InvitationRequest, options?: Options): Promise<t.Invitation>;
    /** Get an invitation to a game that you play. */
    getInvitation(game: string, invitation: string, options?: Options): Promise<t.Invitation>;
    /** Withdraw an invitation that you sent, unless it was accepted. */
    deleteInvitation(game: string, invitation: string, options?: Options): Promise<undefined>;
    /** Take the next free seat. */
    joinGame(game: string, body: t.JoinRequest, options?: Options): Promise<t.Game>;
    /** Leave a game that has not started. */
    leaveGame(game: string, body: Record<string, unknown>, options?: Options): Promise<undefined>;
    /** Make a move: answer a question. */
    sendMove(game: string, body: t.MoveRequest, options?: Options): Promise<t.StoredMove>;
    /** Get the outcome of a move. */
    getMove(game: string, move: string, options?: Options): Promise<t.StoredMove>;
    /** Get the pause that is proposed or under way, who agrees, and how much time for pauses is left. */
    getPause(game: string, options?: Options): Promise<t.Pause>;
    /** Propose a pause. */
    proposePause(game: string, body: t.PauseRequest, options?: Options): Promise<t.Pause>;
    /** Say whether you want the pause that is proposed or under way. */
    answerPause(game: string, body: t.PauseAnswerRequest, options?: Options): Promise<t.Pause>;
    /** Get the view as a picture, in your language. */
    getPicture(game: string, options?: Options): Promise<string>;
    /** List your plans and their uses. */
    listPlans(game: string, options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.StoredPlan> }>;
    /** Make a plan that answers for you whenever it fits; it also answers your open questions. */
    createPlan(game: string, body: t.PlanRequest, options?: Options): Promise<t.StoredPlan>;
    /** Get one of your plans; 404 once it was withdrawn. */
    getPlan(game: string, plan: string, options?: Options): Promise<t.StoredPlan>;
    /** Replace an active plan by another; 409 once it is done. */
    changePlan(game: string, plan: string, body: t.PlanRequest, options?: Options): Promise<t.StoredPlan>;
    /** Withdraw a plan; 409 once it is done. */
    deletePlan(game: string, plan: string, options?: Options): Promise<undefined>;
    /** Try again from a moment of a finished game: a new game in the same position, with bots in the other seats. */
    practiceGame(game: string, body: t.PracticeRequest, options?: Options): Promise<t.Game>;
    /** Get whether all players are here now. */
    getPresence(game: string, options?: Options): Promise<t.Presence>;
    /** Say that you have the game open. */
    notePresence(game: string, body: Record<string, unknown>, options?: Options): Promise<t.Presence>;
    /** List what this game asks you, with the answers it offers. */
    listGameQuestions(game: string, options?: Options): Promise<{ "next": string | null; "results": Array<t.Question> }>;
    /** Get the record of a game that is over: options, seats, seeds, every move and every event, all open. */
    getRecord(game: string, options?: Options): Promise<{ [name: string]: unknown }>;
    /** Get the offer of a rematch of a game that you played, with the answers of its players. */
    getRematch(game: string, options?: Options): Promise<t.RematchOffer>;
    /** Offer a rematch of a game that is over, or accept the offer of another player. */
    rematchGame(game: string, body: t.RematchRequest, options?: Options): Promise<t.RematchOffer>;
    /** Decline a rematch, or withdraw your acceptance before it starts. */
    declineRematch(game: string, options?: Options): Promise<undefined>;
    /** Get a finished game after line `number` of its log: with everything open, or as a player saw it then. */
    getStep(game: string, number: string, options?: Options & { seat?: number }): Promise<t.Step>;
    /** Resign from the game, for good. */
    resignGame(game: string, body: Record<string, unknown>, options?: Options): Promise<t.StoredMove>;
    /** Reveal the seed that you committed to when you joined. */
    revealSeed(game: string, body: t.RevealRequest, options?: Options): Promise<t.Game>;
    /** Get the stand-in of your seat, or the seat for which you are the stand-in; 404 if there is none. */
    getStandIn(game: string, options?: Options): Promise<t.NamedStandIn>;
    /** Name a stand-in, who may also answer for your seat until a given time. */
    createStandIn(game: string, body: t.StandInRequest, options?: Options): Promise<t.NamedStandIn>;
    /** End the stand-in, as the player or as the stand-in. */
    deleteStandIn(game: string, options?: Options): Promise<undefined>;
    /** Start with those who sit here and the bots. */
    startGame(game: string, body: Record<string, unknown>, options?: Options): Promise<t.Game>;
    /** Get the places, points, claims, lies and challenges of a game that is over, and what else it counts. */
    getStatistics(game: string, options?: Options): Promise<t.Statistics>;
    /** Get the story of a game that is over, a line a turn, in your language: all of it, or what a player was told. */
    getTranscript(game: string, options?: Options & { seat?: number }): Promise<string>;
    /** Get the game as your seat sees it; without a seat, its public part; after the end, everything. */
    getView(game: string, options?: Options): Promise<t.GameView>;
    /** Export games as `games/` lists them, each as a line of JSON. */
    exportGames(options?: Options & { arena?: boolean; club?: string; cursor?: string; followed?: boolean; ids?: string; limit?: number; mine?: boolean; rules?: "coup" | "sedlec"; state?: "open" | "starting" | "running" | "over" | "cancelled" }): Promise<string>;
    /** Get the chat to which a game, or every game of a club, posts its state; 404 if it has none. */
    getGroupChat(group: string, place: string, options?: Options): Promise<t.GroupChat>;
    /** Let a game, or every game of a club, post its state to a chat, in place of any other one. */
    connectGroupChat(group: string, place: string, body: t.TableChannelRequest, options?: Options): Promise<t.GroupChat>;
    /** Let reminders in the chat mention you by your handle there: in a game that you play, or in all games of your club. */
    changeGroupChat(group: string, place: string, body: t.PatchedGroupChatChangesRequest, options?: Options): Promise<t.GroupChat>;
    /** Stop posting to the chat. */
    deleteGroupChat(group: string, place: string, options?: Options): Promise<undefined>;
    /** List the players who have finished at least 5 games with these rules, the best first. */
    listLeaders(options?: Options & { cursor?: string; limit?: number; rules?: "coup" | "sedlec"; seat_count?: number; with_bots?: boolean }): Promise<{ "next": string | null; "results": Array<t.Leader> }>;
    /** Get the account whose token this is. */
    getMe(options?: Options): Promise<t.Account>;
    /** Change your name, language, time zone or preferences. */
    changeMe(body: t.PatchedAccountRequest, options?: Options): Promise<t.Account>;
    /** List the players you have blocked or muted, or follow, in the order in which you added them. */
    listPeople(relation: string, options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.ListedAccount> }>;
    /** Block, mute or follow a player. */
    addPerson(relation: string, body: t.AccountNameRequest, options?: Options): Promise<t.ListedAccount>;
    /** Get a player on a list; 404 once they are off it. */
    getPerson(person: string, relation: string, options?: Options): Promise<t.ListedAccount>;
    /** Unblock, unmute or unfollow a player. */
    deletePerson(person: string, relation: string, options?: Options): Promise<undefined>;
    /** List your vacations of this year and later, the earliest first. */
    listVacations(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Vacation> }>;
    /** Plan a vacation: days on which your time does not run, in every game as far as its schedule allows. */
    createVacation(body: t.VacationRequest, options?: Options): Promise<t.Vacation>;
    /** Get one of your vacations. */
    getVacation(vacation: string, options?: Options): Promise<t.Vacation>;
    /** Cancel a vacation that has not started, unless a deadline was moved for it. */
    deleteVacation(vacation: string, options?: Options): Promise<undefined>;
    /** List your webhooks, the oldest first, without their secrets. */
    listWebhooks(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Webhook> }>;
    /** Register an address to which notifications for you are posted. */
    createWebhook(body: t.WebhookRequest, options?: Options): Promise<t.IssuedWebhook>;
    /** Get one of your webhooks, without its secret. */
    getWebhook(webhook: string, options?: Options): Promise<t.Webhook>;
    /** Change the address or the events of a webhook, or switch it on again. */
    changeWebhook(webhook: string, body: t.PatchedWebhookChangesRequest, options?: Options): Promise<t.Webhook>;
    /** Delete a webhook. */
    deleteWebhook(webhook: string, options?: Options): Promise<undefined>;
    /** List the messages and their outcomes, the latest first. */
    listWebhookDeliveries(webhook: string, options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Delivery> }>;
    /** Post a message again now, with the same `webhook-id`. */
    retryWebhookDelivery(delivery: string, webhook: string, body: Record<string, unknown>, options?: Options): Promise<t.Delivery>;
    /** Give a webhook a new secret, shown only in this answer. */
    rotateWebhookSecret(webhook: string, body: Record<string, unknown>, options?: Options): Promise<t.IssuedWebhook>;
    /** Post a message of the type `test` now. */
    testWebhook(webhook: string, body: Record<string, unknown>, options?: Options): Promise<t.Delivery>;
    /** Get a player with their stats and finished games. */
    getPlayer(player: string, options?: Options): Promise<t.Player>;
    /** List your open questions, most urgent first, with the possible answers. */
    listQuestions(options?: Options): Promise<{ "next": string | null; "results": Array<t.Question> }>;
    /** List your reports, the newest first, and whether a moderator has dealt with them. */
    listReports(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Report> }>;
    /** Report a chat message, a name, or the behaviour of a player. */
    createReport(body: t.ReportRequest, options?: Options): Promise<t.Report>;
    /** Get one of your reports. */
    getReport(report: string, options?: Options): Promise<t.Report>;
    /** List the titles that can be played here. */
    listRules(options?: Options): Promise<{ "next": string | null; "results": Array<t.Rules> }>;
    /** Get a title: its options and moves as JSON Schema, and the summary card for a given number of players. */
    getRules(rules: string, options?: Options & { options?: t.ChosenOptions; seat_count?: number }): Promise<t.RulesDetail>;
    /** List your searches for players, the newest first. */
    listSeeks(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Seek> }>;
    /** Look for players who want the same game: a public one starts as soon as there are enough. */
    createSeek(body: t.SeekRequest, options?: Options): Promise<t.Seek>;
    /** Get one of your searches, and its game if it was matched. */
    getSeek(seek: string, options?: Options): Promise<t.Seek>;
    /** Stop a search, or leave the arena. */
    deleteSeek(seek: string, options?: Options): Promise<undefined>;
    /** List all searches for players, those for the same game together. */
    listOpenSeeks(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.OpenSeek> }>;
    /** Join a search: you look for the same game, as `POST seeks/` does. */
    joinSeek(entry: string, body: Record<string, unknown>, options?: Options): Promise<t.Seek>;
    /** List public tournaments and those of your clubs, the newest first. */
    listTournaments(options?: Options & { club?: string; cursor?: string; league?: string; limit?: number; mine?: boolean; state?: "open" | "starting" | "running" | "over" | "cancelled" }): Promise<{ "next": string | null; "results": Array<t.Tournament> }>;
    /** Create a tournament. */
    createTournament(body: t.TournamentRequest, options?: Options): Promise<t.Tournament>;
    /** Get a tournament. */
    getTournament(tournament: string, options?: Options): Promise<t.Tournament>;
    /** Change the name, the description or the start of a tournament. */
    changeTournament(tournament: string, body: t.PatchedTournamentChangesRequest, options?: Options): Promise<t.Tournament>;
    /** Cancel a tournament. */
    cancelTournament(tournament: string, body: Record<string, unknown>, options?: Options): Promise<t.Tournament>;
    /** Get your part in a tournament; 404 if you take none. */
    getEntry(tournament: string, options?: Options): Promise<t.Entry>;
    /** Enter a tournament that is open. */
    enterTournament(tournament: string, body: Record<string, unknown>, options?: Options): Promise<t.Entry>;
    /** Announce which rounds you sit out, and choose whether you get notifications of rounds. */
    changeEntry(tournament: string, body: t.PatchedEntryChangesRequest, options?: Options): Promise<t.Entry>;
    /** Leave a tournament for good. */
    deleteEntry(tournament: string, options?: Options): Promise<undefined>;
    /** List the rounds that are drawn, the newest first, with their tables and results. */
    listRounds(tournament: string, options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.TournamentRound> }>;
    /** List all players, the best first, by the results of the rounds that have ended. */
    listStandings(tournament: string, options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Standing> }>;
    /** Start with those who have entered, before the published time. */
    startTournament(tournament: string, body: Record<string, unknown>, options?: Options): Promise<t.Tournament>;
    /** Get the views of many games, in any order. */
    listViews(options?: Options & { games?: string }): Promise<{ "next": string | null; "results": Array<t.SeenGame> }>;
    /** Ask for an account. */
    createAccount(body: t.SignUpRequest, options?: Options): Promise<t.SignedUp>;
    /** Confirm a sign-up with the code that was sent for it, and its password. */
    confirmAccount(body: t.ConfirmRequest, options?: Options): Promise<t.Account>;
    /** List the moves that a bot of your game will still make. */
    getBotMoves(game: string, seat: string, options?: Options): Promise<t.ToldMoves>;
    /** Tell a bot of your game which moves to make, in place of any earlier ones. */
    tellBot(game: string, seat: string, body: t.ToldMovesRequest, options?: Options): Promise<t.ToldMoves>;
    /** Let time pass in a game that you play: every deadline comes nearer by that much. */
    forwardClock(game: string, body: t.ClockRequest, options?: Options): Promise<t.Game>;
    /** List your apps, the newest first. */
    listApps(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.App> }>;
    /** Register an app, which may then ask people for tokens: OAuth 2, authorization code with PKCE (S256). */
    createApp(body: t.AppRequest, options?: Options): Promise<t.RegisteredApp>;
    /** Get one of your apps, without its secret. */
    getApp(app: string, options?: Options): Promise<t.App>;
    /** Delete an app. */
    deleteApp(app: string, options?: Options): Promise<undefined>;
    /** Send the only email that your address may get while `unreachable` is set: its link confirms the address. */
    sendConfirmation(options?: Options): Promise<t.Unreachable | undefined>;
    /** Delete your account, immediately and for good. */
    deleteMe(body: t.DeletionRequest, options?: Options): Promise<undefined>;
    /** Send yourself a code with which you can delete your account, if you have no password. */
    sendDeletionCode(options?: Options): Promise<t.SignedUp>;
    /** List your devices, the oldest first. */
    listDevices(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Device> }>;
    /** Register a device on which you are shown what waits for you. */
    createDevice(body: t.SubscriptionRequest, options?: Options): Promise<t.Device>;
    /** Get one of your devices; 404 once it is gone. */
    getDevice(device: string, options?: Options): Promise<t.Device>;
    /** Remove a device: nothing more is shown on it. */
    deleteDevice(device: string, options?: Options): Promise<undefined>;
    /** Export everything that is kept about you, in one document. */
    exportMe(options?: Options): Promise<t.AccountData>;
    /** List the apps that may act for you, with their rights. */
    listGrants(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Grant> }>;
    /** Revoke all tokens that an app has from you. */
    deleteGrant(app: string, options?: Options): Promise<undefined>;
    /** List the browsers in which you are logged in, the last used first. */
    listSessions(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Session> }>;
    /** Log out a browser immediately. */
    deleteSession(session: string, options?: Options): Promise<undefined>;
    /** Log out every browser immediately, and on request revoke your tokens and what you allowed apps. */
    endAllSessions(body: t.SignOutRequest, options?: Options): Promise<undefined>;
    /** List your tokens, the newest first, without the tokens themselves. */
    listTokens(options?: Options & { cursor?: string; limit?: number }): Promise<{ "next": string | null; "results": Array<t.Token> }>;
    /** Create a token with your address and password. */
    createToken(body: t.TokenRequest, options?: Options): Promise<t.IssuedToken>;
    /** Revoke a token immediately. */
    deleteToken(token: string, options?: Options): Promise<undefined>;
}
