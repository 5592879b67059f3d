"""The operations of the API, one method each.

Generated from docs/openapi.yaml by clients/python/generate.py: do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from darbar_client._generated import types as t


class AsyncOperations(Protocol):
    """Every operation of the API; ``call`` is how one is asked for."""

    async def call(
        self, method: str, path: str, *, query: Mapping[str, Any], headers: Mapping[str, str | None], body: Any
    ) -> Any:
        """The answer to a request."""
        ...

    async def sign_up(self, body: t.SignUpRequest) -> t.SignedUp:
        """Ask for an account."""
        answer: t.SignedUp = await self.call("POST", f"/api/v1/accounts/", query={}, headers={}, body=body)
        return answer

    async def confirm(self, body: t.ConfirmRequest) -> t.Account:
        """Confirm a sign-up with the code that was sent for it, and its password."""
        answer: t.Account = await self.call("POST", f"/api/v1/accounts/confirm/", query={}, headers={}, body=body)
        return answer

    async def list_games(self, *, cursor: str | None = None, followed: bool | None = None, ids: str | None = None, limit: int | None = None, mine: bool | None = None, rules: Literal['coup', 'sedlec'] | None = None, state: Literal['open', 'starting', 'running', 'over', 'cancelled'] | None = None, if_none_match: str | None = None) -> t.PaginatedGameList:
        """Public tables and those at which I sit, the newest first."""
        answer: t.PaginatedGameList = await self.call("GET", f"/api/v1/games/", query={"cursor": cursor, "followed": followed, "ids": ids, "limit": limit, "mine": mine, "rules": rules, "state": state}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    async def create_game(self, body: t.GameRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Create a game, with me on seat 1."""
        answer: t.Game = await self.call("POST", f"/api/v1/games/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_game(self, game: str, *, if_none_match: str | None = None) -> t.Game:
        """A table and who sits at it."""
        answer: t.Game = await self.call("GET", f"/api/v1/games/{game}/", query={}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    async def come_back(self, game: str, body: t.NothingRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Say that I am there: a bot who sits in for me goes, and what I missed is counted anew."""
        answer: t.Game = await self.call("POST", f"/api/v1/games/{game}/back/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_table_channel(self, game: str) -> t.TableChannel:
        """Return the app of the chat in which this game tells how it stands; 404 where it has none."""
        answer: t.TableChannel = await self.call("GET", f"/api/v1/games/{game}/channel/", query={}, headers={}, body=None)
        return answer

    async def connect_table_channel(self, game: str, body: t.TableChannelRequest) -> t.TableChannel:
        """Let the game tell in a chat how it stands, in place of any other chat."""
        answer: t.TableChannel = await self.call("PUT", f"/api/v1/games/{game}/channel/", query={}, headers={}, body=body)
        return answer

    async def disconnect_table_channel(self, game: str) -> None:
        """Tell nothing more in the chat."""
        await self.call("DELETE", f"/api/v1/games/{game}/channel/", query={}, headers={}, body=None)

    async def list_chat_messages(self, game: str, *, after: str | None = None, limit: int | None = None) -> t.ChatMessages:
        """List the messages that I may read, oldest first: those to all, and the private ones that I wrote or got."""
        answer: t.ChatMessages = await self.call("GET", f"/api/v1/games/{game}/chat/", query={"after": after, "limit": limit}, headers={}, body=None)
        return answer

    async def send_chat_message(self, game: str, body: t.ChatMessageRequest, *, idempotency_key: str | None = None) -> t.ChatMessage:
        """Send a message to everybody at my table, or a private one to one seat, as the game's `chat` allows."""
        answer: t.ChatMessage = await self.call("POST", f"/api/v1/games/{game}/chat/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_chat_message(self, game: str, message: str) -> t.ChatMessage:
        """Get a message that I may read."""
        answer: t.ChatMessage = await self.call("GET", f"/api/v1/games/{game}/chat/{message}/", query={}, headers={}, body=None)
        return answer

    async def get_commitment(self, game: str) -> t.GameCommitment:
        """The commitment that was published when the table opened."""
        answer: t.GameCommitment = await self.call("GET", f"/api/v1/games/{game}/commitment/", query={}, headers={}, body=None)
        return answer

    async def list_events(self, game: str, *, after: int | None = None, limit: int | None = None, if_none_match: str | None = None) -> t.EventPage:
        """The events of the table and the game, from the first on, numbered for me."""
        answer: t.EventPage = await self.call("GET", f"/api/v1/games/{game}/events/", query={"after": after, "limit": limit}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    async def export_events(self, game: str, *, after: int | None = None, if_none_match: str | None = None) -> str:
        """All events of a game as I may know them, each as a line of JSON."""
        answer: str = await self.call("GET", f"/api/v1/games/{game}/events/export/", query={"after": after}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    async def list_invitations(self, game: str) -> list[t.Invitation]:
        """Return who was invited to a table at which I sit, and what came of it, the first invitation first."""
        answer: list[t.Invitation] = await self.call("GET", f"/api/v1/games/{game}/invitations/", query={}, headers={}, body=None)
        return answer

    async def invite(self, game: str, body: t.InvitationRequest, *, idempotency_key: str | None = None) -> t.Invitation:
        """Invite someone by email to a game at which I sit: an open one, or a seat that is offered."""
        answer: t.Invitation = await self.call("POST", f"/api/v1/games/{game}/invitations/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_invitation(self, game: str, invitation: str) -> t.Invitation:
        """An invitation to a table at which I sit."""
        answer: t.Invitation = await self.call("GET", f"/api/v1/games/{game}/invitations/{invitation}/", query={}, headers={}, body=None)
        return answer

    async def withdraw_invitation(self, game: str, invitation: str) -> None:
        """Take an invitation of mine back, unless it has been accepted."""
        await self.call("DELETE", f"/api/v1/games/{game}/invitations/{invitation}/", query={}, headers={}, body=None)

    async def join_game(self, game: str, body: t.JoinRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Take the next free seat."""
        answer: t.Game = await self.call("POST", f"/api/v1/games/{game}/join/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def leave_game(self, game: str, body: t.NothingRequest, *, idempotency_key: str | None = None) -> None:
        """Leave a table whose game has not begun."""
        await self.call("POST", f"/api/v1/games/{game}/leave/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)

    async def send_move(self, game: str, body: t.MoveRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> t.StoredMove:
        """Answer a question."""
        answer: t.StoredMove = await self.call("POST", f"/api/v1/games/{game}/moves/", query={}, headers={"Idempotency-Key": idempotency_key, "Prefer": prefer}, body=body)
        return answer

    async def get_move(self, game: str, move: str) -> t.StoredMove:
        """Return what became of a move."""
        answer: t.StoredMove = await self.call("GET", f"/api/v1/games/{game}/moves/{move}/", query={}, headers={}, body=None)
        return answer

    async def get_pause(self, game: str) -> t.Pause:
        """Return whether a pause is proposed or on, who agrees, and how much time for pauses the table has left."""
        answer: t.Pause = await self.call("GET", f"/api/v1/games/{game}/pause/", query={}, headers={}, body=None)
        return answer

    async def propose_pause(self, game: str, body: t.PauseRequest, *, idempotency_key: str | None = None) -> t.Pause:
        """Propose a pause."""
        answer: t.Pause = await self.call("POST", f"/api/v1/games/{game}/pause/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def agree_to_pause(self, game: str, body: t.NothingRequest, *, idempotency_key: str | None = None) -> t.Pause:
        """Agree to the pause that is proposed."""
        answer: t.Pause = await self.call("POST", f"/api/v1/games/{game}/pause/agree/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def decline_pause(self, game: str, body: t.NothingRequest, *, idempotency_key: str | None = None) -> t.Pause:
        """Do not agree: the proposal has come to nothing."""
        answer: t.Pause = await self.call("POST", f"/api/v1/games/{game}/pause/decline/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def end_pause(self, game: str, body: t.NothingRequest, *, idempotency_key: str | None = None) -> t.Pause:
        """Agree to go on before the pause is over; the clocks do once everybody alive agrees."""
        answer: t.Pause = await self.call("POST", f"/api/v1/games/{game}/pause/resume/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_picture(self, game: str, *, if_none_match: str | None = None) -> str:
        """Return what the view shows, drawn in my language."""
        answer: str = await self.call("GET", f"/api/v1/games/{game}/picture.svg", query={}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    async def list_plans(self, game: str) -> list[t.StoredPlan]:
        """My plans and what they did."""
        answer: list[t.StoredPlan] = await self.call("GET", f"/api/v1/games/{game}/plans/", query={}, headers={}, body=None)
        return answer

    async def create_plan(self, game: str, body: t.PlanRequest, *, idempotency_key: str | None = None) -> t.StoredPlan:
        """Make a plan that answers for me whenever something is asked; what is open now is answered at once."""
        answer: t.StoredPlan = await self.call("POST", f"/api/v1/games/{game}/plans/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_plan(self, game: str, plan: str) -> t.StoredPlan:
        """A plan of mine; 404 once it was withdrawn."""
        answer: t.StoredPlan = await self.call("GET", f"/api/v1/games/{game}/plans/{plan}/", query={}, headers={}, body=None)
        return answer

    async def change_plan(self, game: str, plan: str, body: t.PlanRequest) -> t.StoredPlan:
        """Put another plan in the place of one that stands; 409 once it is done."""
        answer: t.StoredPlan = await self.call("PUT", f"/api/v1/games/{game}/plans/{plan}/", query={}, headers={}, body=body)
        return answer

    async def withdraw_plan(self, game: str, plan: str) -> None:
        """Take a plan back; 409 once it is done."""
        await self.call("DELETE", f"/api/v1/games/{game}/plans/{plan}/", query={}, headers={}, body=None)

    async def list_game_questions(self, game: str, *, if_none_match: str | None = None, prefer: str | None = None) -> list[t.Question]:
        """Return what this game asks me, with the answers it offers."""
        answer: list[t.Question] = await self.call("GET", f"/api/v1/games/{game}/questions/", query={}, headers={"If-None-Match": if_none_match, "Prefer": prefer}, body=None)
        return answer

    async def get_record(self, game: str, *, if_none_match: str | None = None) -> dict[str, Any]:
        """The record of a game that is over: options, seats, seeds, every move and every event, all open."""
        answer: dict[str, Any] = await self.call("GET", f"/api/v1/games/{game}/record/", query={}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    async def rematch_game(self, game: str, body: t.RematchRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Seat the same people on the same seats and begin, with the same options but those named."""
        answer: t.Game = await self.call("POST", f"/api/v1/games/{game}/rematch/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_step(self, game: str, number: str, *, seat: int | None = None) -> t.Step:
        """A game that is over, after line `number` of its log: as it is seen now, or as a player saw it then."""
        answer: t.Step = await self.call("GET", f"/api/v1/games/{game}/replay/{number}/", query={"seat": seat}, headers={}, body=None)
        return answer

    async def resign(self, game: str, body: t.NothingRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> t.StoredMove:
        """Give up the game, for good."""
        answer: t.StoredMove = await self.call("POST", f"/api/v1/games/{game}/resign/", query={}, headers={"Idempotency-Key": idempotency_key, "Prefer": prefer}, body=body)
        return answer

    async def get_bot_moves(self, game: str, seat: str) -> t.ToldMoves:
        """Return what a bot at my table is still to answer."""
        answer: t.ToldMoves = await self.call("GET", f"/api/v1/games/{game}/sandbox/bots/{seat}/", query={}, headers={}, body=None)
        return answer

    async def tell_bot(self, game: str, seat: str, body: t.ToldMovesRequest) -> t.ToldMoves:
        """Tell a bot at my table what to answer, in place of what it was told before."""
        answer: t.ToldMoves = await self.call("PUT", f"/api/v1/games/{game}/sandbox/bots/{seat}/", query={}, headers={}, body=body)
        return answer

    async def forward_clock(self, game: str, body: t.ClockRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Let time pass in a game at which I sit: everything due comes nearer by as much."""
        answer: t.Game = await self.call("POST", f"/api/v1/games/{game}/sandbox/clock/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def reveal_seed(self, game: str, body: t.RevealRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Reveal the seed I committed to when I joined."""
        answer: t.Game = await self.call("POST", f"/api/v1/games/{game}/seed/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_stand_in(self, game: str) -> t.NamedStandIn:
        """The stand-in at this table that is mine, as the player or as the stand-in; 404 where there is none."""
        answer: t.NamedStandIn = await self.call("GET", f"/api/v1/games/{game}/stand-in/", query={}, headers={}, body=None)
        return answer

    async def name_stand_in(self, game: str, body: t.StandInRequest, *, idempotency_key: str | None = None) -> t.NamedStandIn:
        """Let somebody answer for my seat too until a time, in place of whoever did before."""
        answer: t.NamedStandIn = await self.call("POST", f"/api/v1/games/{game}/stand-in/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def withdraw_stand_in(self, game: str) -> None:
        """End it, as the player or as the stand-in."""
        await self.call("DELETE", f"/api/v1/games/{game}/stand-in/", query={}, headers={}, body=None)

    async def start_game(self, game: str, body: t.NothingRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Begin with those who sit here and the bots."""
        answer: t.Game = await self.call("POST", f"/api/v1/games/{game}/start/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_statistics(self, game: str) -> t.Statistics:
        """Places and points, claims, lies and challenges, and what else the game counts, of a game that is over."""
        answer: t.Statistics = await self.call("GET", f"/api/v1/games/{game}/statistics/", query={}, headers={}, body=None)
        return answer

    async def get_transcript(self, game: str, *, seat: int | None = None) -> str:
        """A game that is over, a line a turn, in my language: all of it, or what a player was told."""
        answer: str = await self.call("GET", f"/api/v1/games/{game}/transcript/", query={"seat": seat}, headers={}, body=None)
        return answer

    async def get_view(self, game: str, *, if_none_match: str | None = None) -> t.GameView:
        """Return what my seat knows; without a seat, what is public; after the end, everything."""
        answer: t.GameView = await self.call("GET", f"/api/v1/games/{game}/view/", query={}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    async def export_games(self, *, cursor: str | None = None, followed: bool | None = None, ids: str | None = None, limit: int | None = None, mine: bool | None = None, rules: Literal['coup', 'sedlec'] | None = None, state: Literal['open', 'starting', 'running', 'over', 'cancelled'] | None = None, if_none_match: str | None = None) -> str:
        """Games as `games/` lists them, each as a line of JSON."""
        answer: str = await self.call("GET", f"/api/v1/games/export/", query={"cursor": cursor, "followed": followed, "ids": ids, "limit": limit, "mine": mine, "rules": rules, "state": state}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    async def list_leaders(self, *, rules: Literal['coup', 'sedlec'] | None = None, seat_count: int | None = None, with_bots: bool | None = None) -> list[t.Leader]:
        """The best 100 of those who have finished at least 5 games of this kind, the best first."""
        answer: list[t.Leader] = await self.call("GET", f"/api/v1/leaders/", query={"rules": rules, "seat_count": seat_count, "with_bots": with_bots}, headers={}, body=None)
        return answer

    async def get_me(self) -> t.Account:
        """The account whose token this is."""
        answer: t.Account = await self.call("GET", f"/api/v1/me/", query={}, headers={}, body=None)
        return answer

    async def change_me(self, body: t.PatchedAccountRequest) -> t.Account:
        """Change my name, language, time zone or preferences."""
        answer: t.Account = await self.call("PATCH", f"/api/v1/me/", query={}, headers={}, body=body)
        return answer

    async def list_apps(self) -> list[t.App]:
        """My apps, the newest first."""
        answer: list[t.App] = await self.call("GET", f"/api/v1/me/apps/", query={}, headers={}, body=None)
        return answer

    async def create_app(self, body: t.AppRequest, *, idempotency_key: str | None = None) -> t.RegisteredApp:
        """Make an app known, which may then ask people for tokens: OAuth 2, authorization code with PKCE (S256)."""
        answer: t.RegisteredApp = await self.call("POST", f"/api/v1/me/apps/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_app(self, client_id: str) -> t.App:
        """One of my apps, without its secret."""
        answer: t.App = await self.call("GET", f"/api/v1/me/apps/{client_id}/", query={}, headers={}, body=None)
        return answer

    async def delete_app(self, client_id: str) -> None:
        """Delete an app."""
        await self.call("DELETE", f"/api/v1/me/apps/{client_id}/", query={}, headers={}, body=None)

    async def list_blocks(self) -> list[t.ListedAccount]:
        """The people whom I have blocked, in the order in which I did."""
        answer: list[t.ListedAccount] = await self.call("GET", f"/api/v1/me/blocks/", query={}, headers={}, body=None)
        return answer

    async def block(self, body: t.AccountNameRequest, *, idempotency_key: str | None = None) -> t.ListedAccount:
        """Block a player: I read none of their messages, get no invitation of theirs, and we share no public table."""
        answer: t.ListedAccount = await self.call("POST", f"/api/v1/me/blocks/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_block(self, id: str) -> t.ListedAccount:
        """Get a player whom I have blocked; 404 once I have unblocked them."""
        answer: t.ListedAccount = await self.call("GET", f"/api/v1/me/blocks/{id}/", query={}, headers={}, body=None)
        return answer

    async def unblock(self, id: str) -> None:
        """Unblock a player."""
        await self.call("DELETE", f"/api/v1/me/blocks/{id}/", query={}, headers={}, body=None)

    async def ask_for_confirmation(self) -> t.Unreachable | None:
        """Send the one email to my address that can be sent while `unreachable` is set: its link confirms it."""
        answer: t.Unreachable | None = await self.call("POST", f"/api/v1/me/confirmation/", query={}, headers={}, body=None)
        return answer

    async def delete_me(self, body: t.DeletionRequest) -> None:
        """Delete my account, at once and for good."""
        await self.call("POST", f"/api/v1/me/deletion/", query={}, headers={}, body=body)

    async def send_deletion_code(self) -> t.SignedUp:
        """Email me a code with which I can delete my account: for those who have no password."""
        answer: t.SignedUp = await self.call("POST", f"/api/v1/me/deletion/code/", query={}, headers={}, body=None)
        return answer

    async def list_devices(self) -> t.DeviceList:
        """My devices, the oldest first, and the public key that a browser subscribes with."""
        answer: t.DeviceList = await self.call("GET", f"/api/v1/me/devices/", query={}, headers={}, body=None)
        return answer

    async def add_device(self, body: t.SubscriptionRequest, *, idempotency_key: str | None = None) -> t.Device:
        """Show me what waits on this device."""
        answer: t.Device = await self.call("POST", f"/api/v1/me/devices/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_device(self, id: str) -> t.Device:
        """One of my devices; 404 once it is gone."""
        answer: t.Device = await self.call("GET", f"/api/v1/me/devices/{id}/", query={}, headers={}, body=None)
        return answer

    async def delete_device(self, id: str) -> None:
        """Show nothing there any more."""
        await self.call("DELETE", f"/api/v1/me/devices/{id}/", query={}, headers={}, body=None)

    async def export_me(self) -> t.AccountData:
        """Everything that is kept about me, in one piece."""
        answer: t.AccountData = await self.call("GET", f"/api/v1/me/export/", query={}, headers={}, body=None)
        return answer

    async def list_follows(self) -> list[t.ListedAccount]:
        """The people whom I follow, in the order in which I began."""
        answer: list[t.ListedAccount] = await self.call("GET", f"/api/v1/me/follows/", query={}, headers={}, body=None)
        return answer

    async def follow(self, body: t.AccountNameRequest, *, idempotency_key: str | None = None) -> t.ListedAccount:
        """Follow a player: `games/?followed=true` lists the games that they play and I may see."""
        answer: t.ListedAccount = await self.call("POST", f"/api/v1/me/follows/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_follow(self, id: str) -> t.ListedAccount:
        """Get a player whom I follow; 404 once I have unfollowed them."""
        answer: t.ListedAccount = await self.call("GET", f"/api/v1/me/follows/{id}/", query={}, headers={}, body=None)
        return answer

    async def unfollow(self, id: str) -> None:
        """Unfollow a player."""
        await self.call("DELETE", f"/api/v1/me/follows/{id}/", query={}, headers={}, body=None)

    async def list_grants(self) -> list[t.Grant]:
        """The apps that act for me, and what they may do."""
        answer: list[t.Grant] = await self.call("GET", f"/api/v1/me/grants/", query={}, headers={}, body=None)
        return answer

    async def delete_grant(self, client_id: str) -> None:
        """Take all its tokens away from an app, at once."""
        await self.call("DELETE", f"/api/v1/me/grants/{client_id}/", query={}, headers={}, body=None)

    async def list_mutes(self) -> list[t.ListedAccount]:
        """The people whom I have muted, in the order in which I did."""
        answer: list[t.ListedAccount] = await self.call("GET", f"/api/v1/me/mutes/", query={}, headers={}, body=None)
        return answer

    async def mute(self, body: t.AccountNameRequest, *, idempotency_key: str | None = None) -> t.ListedAccount:
        """Mute a player: I read none of their messages, neither in chats nor in emails."""
        answer: t.ListedAccount = await self.call("POST", f"/api/v1/me/mutes/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_mute(self, id: str) -> t.ListedAccount:
        """Get a player whom I have muted; 404 once I have unmuted them."""
        answer: t.ListedAccount = await self.call("GET", f"/api/v1/me/mutes/{id}/", query={}, headers={}, body=None)
        return answer

    async def unmute(self, id: str) -> None:
        """Unmute a player."""
        await self.call("DELETE", f"/api/v1/me/mutes/{id}/", query={}, headers={}, body=None)

    async def list_sessions(self) -> list[t.Session]:
        """List the browsers in which I am logged in, the one that was used last first."""
        answer: list[t.Session] = await self.call("GET", f"/api/v1/me/sessions/", query={}, headers={}, body=None)
        return answer

    async def delete_session(self, session: str) -> None:
        """Log a browser out at once."""
        await self.call("DELETE", f"/api/v1/me/sessions/{session}/", query={}, headers={}, body=None)

    async def sign_out_everywhere(self, body: t.SignOutRequest) -> None:
        """Log every browser out at once, and on request end my tokens and what apps may do."""
        await self.call("POST", f"/api/v1/me/sign-out-everywhere/", query={}, headers={}, body=body)

    async def list_vacations(self) -> list[t.Vacation]:
        """My vacations of this year and to come, the earliest first."""
        answer: list[t.Vacation] = await self.call("GET", f"/api/v1/me/vacations/", query={}, headers={}, body=None)
        return answer

    async def announce_vacation(self, body: t.VacationRequest, *, idempotency_key: str | None = None) -> t.Vacation:
        """Announce days on which my time does not run, in every game as far as it allows that."""
        answer: t.Vacation = await self.call("POST", f"/api/v1/me/vacations/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_vacation(self, id: str) -> t.Vacation:
        """One of my vacations."""
        answer: t.Vacation = await self.call("GET", f"/api/v1/me/vacations/{id}/", query={}, headers={}, body=None)
        return answer

    async def withdraw_vacation(self, id: str) -> None:
        """Take a vacation back that has not begun, and that no deadline of mine is later for."""
        await self.call("DELETE", f"/api/v1/me/vacations/{id}/", query={}, headers={}, body=None)

    async def list_webhooks(self) -> list[t.Webhook]:
        """My webhooks, the oldest first, without their secrets."""
        answer: list[t.Webhook] = await self.call("GET", f"/api/v1/me/webhooks/", query={}, headers={}, body=None)
        return answer

    async def create_webhook(self, body: t.WebhookRequest, *, idempotency_key: str | None = None) -> t.IssuedWebhook:
        """Register an address that is told what concerns me."""
        answer: t.IssuedWebhook = await self.call("POST", f"/api/v1/me/webhooks/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_webhook(self, id: str) -> t.Webhook:
        """One of my webhooks, without its secret."""
        answer: t.Webhook = await self.call("GET", f"/api/v1/me/webhooks/{id}/", query={}, headers={}, body=None)
        return answer

    async def change_webhook(self, id: str, body: t.PatchedWebhookChangesRequest) -> t.Webhook:
        """Change its address or what it is told, or switch it on again."""
        answer: t.Webhook = await self.call("PATCH", f"/api/v1/me/webhooks/{id}/", query={}, headers={}, body=body)
        return answer

    async def delete_webhook(self, id: str) -> None:
        """Post nothing to it any more, not even what waits."""
        await self.call("DELETE", f"/api/v1/me/webhooks/{id}/", query={}, headers={}, body=None)

    async def list_webhook_deliveries(self, id: str) -> list[t.Delivery]:
        """The latest 100 messages and what came of them, the latest first."""
        answer: list[t.Delivery] = await self.call("GET", f"/api/v1/me/webhooks/{id}/deliveries/", query={}, headers={}, body=None)
        return answer

    async def rotate_webhook_secret(self, id: str, body: t.NothingRequest) -> t.WebhookSecret:
        """Give it a new secret, shown this once."""
        answer: t.WebhookSecret = await self.call("POST", f"/api/v1/me/webhooks/{id}/secret/", query={}, headers={}, body=body)
        return answer

    async def test_webhook(self, id: str, body: t.NothingRequest) -> t.Delivery:
        """Post a message of the type `test` at once."""
        answer: t.Delivery = await self.call("POST", f"/api/v1/me/webhooks/{id}/test/", query={}, headers={}, body=body)
        return answer

    async def get_player(self, name: str) -> t.Player:
        """Return what somebody who sits or sat at a table has played."""
        answer: t.Player = await self.call("GET", f"/api/v1/players/{name}/", query={}, headers={}, body=None)
        return answer

    async def list_questions(self, *, if_none_match: str | None = None, prefer: str | None = None) -> list[t.Question]:
        """Everything that waits for me, the most urgent first, with the answers it offers."""
        answer: list[t.Question] = await self.call("GET", f"/api/v1/questions/", query={}, headers={"If-None-Match": if_none_match, "Prefer": prefer}, body=None)
        return answer

    async def list_reports(self) -> list[t.Report]:
        """My reports, the newest first, and whether a moderator has dealt with them."""
        answer: list[t.Report] = await self.call("GET", f"/api/v1/reports/", query={}, headers={}, body=None)
        return answer

    async def report(self, body: t.ReportRequest, *, idempotency_key: str | None = None) -> t.Report:
        """Report a chat message, a name, or how somebody behaves; a copy of what I saw goes with it."""
        answer: t.Report = await self.call("POST", f"/api/v1/reports/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_report(self, report: str) -> t.Report:
        """One of my reports."""
        answer: t.Report = await self.call("GET", f"/api/v1/reports/{report}/", query={}, headers={}, body=None)
        return answer

    async def list_rules(self) -> list[t.Rules]:
        """The games that can be played here."""
        answer: list[t.Rules] = await self.call("GET", f"/api/v1/rules/", query={}, headers={}, body=None)
        return answer

    async def get_rules(self, name: str, *, options: t.ChosenOptions | None = None, seat_count: int | None = None) -> t.RulesDetail:
        """A game: its options and moves as JSON Schema, and the summary card for a table of so many seats."""
        answer: t.RulesDetail = await self.call("GET", f"/api/v1/rules/{name}/", query={"options": options, "seat_count": seat_count}, headers={}, body=None)
        return answer

    async def list_seeks(self) -> list[t.Seek]:
        """List my searches for players, the newest first, 50 at most."""
        answer: list[t.Seek] = await self.call("GET", f"/api/v1/seeks/", query={}, headers={}, body=None)
        return answer

    async def create_seek(self, body: t.SeekRequest, *, idempotency_key: str | None = None) -> t.Seek:
        """Look for players who want the same game: a public one begins as soon as there are enough."""
        answer: t.Seek = await self.call("POST", f"/api/v1/seeks/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    async def get_seek(self, seek: str) -> t.Seek:
        """Get one of my searches, and its game if it was matched."""
        answer: t.Seek = await self.call("GET", f"/api/v1/seeks/{seek}/", query={}, headers={}, body=None)
        return answer

    async def withdraw_seek(self, seek: str) -> None:
        """Stop a search."""
        await self.call("DELETE", f"/api/v1/seeks/{seek}/", query={}, headers={}, body=None)

    async def list_tokens(self) -> list[t.Token]:
        """My tokens, the newest first, without what makes them work."""
        answer: list[t.Token] = await self.call("GET", f"/api/v1/tokens/", query={}, headers={}, body=None)
        return answer

    async def create_token(self, body: t.TokenRequest) -> t.IssuedToken:
        """A new token for whoever knows the password."""
        answer: t.IssuedToken = await self.call("POST", f"/api/v1/tokens/", query={}, headers={}, body=body)
        return answer

    async def delete_token(self, public_id: str) -> None:
        """Revoke a token at once, the one in the request included."""
        await self.call("DELETE", f"/api/v1/tokens/{public_id}/", query={}, headers={}, body=None)

    async def list_views(self, *, games: str | None = None, if_none_match: str | None = None) -> list[t.SeenGame]:
        """Return the views of many games at once, in any order."""
        answer: list[t.SeenGame] = await self.call("GET", f"/api/v1/views/", query={"games": games}, headers={"If-None-Match": if_none_match}, body=None)
        return answer
