"""The operations of the API, one method each.

Generated from the documents in docs by clients/python/generate.py: do not edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from darbar_client._generated import types as t


class Operations(Protocol):
    """Every operation of the API; ``call`` is how one is asked for."""

    def call(
        self, method: str, path: str, *, query: Mapping[str, Any], headers: Mapping[str, str | None], body: Any
    ) -> Any:
        """The answer to a request."""
        ...

    def list_arena_bots(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.ArenaBot]:
        """List the bots in the arena, by game, best first."""
        answer: t.Page[t.ArenaBot] = self.call("GET", f"/api/v1/arena/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def list_clubs(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Club]:
        """List the clubs that you are in, by name."""
        answer: t.Page[t.Club] = self.call("GET", f"/api/v1/clubs/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def create_club(self, body: t.ClubRequest, *, idempotency_key: str | None = None) -> t.Club:
        """Create a club, which you own."""
        answer: t.Club = self.call("POST", f"/api/v1/clubs/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_club(self, club: str) -> t.Club:
        """Get a club that you are in."""
        answer: t.Club = self.call("GET", f"/api/v1/clubs/{club}/", query={}, headers={}, body=None)
        return answer

    def change_club(self, club: str, body: t.PatchedClubChangesRequest) -> t.Club:
        """Change the name or the description of a club, or your own notifications of its games."""
        answer: t.Club = self.call("PATCH", f"/api/v1/clubs/{club}/", query={}, headers={}, body=body)
        return answer

    def delete_club(self, club: str) -> None:
        """Close a club."""
        self.call("DELETE", f"/api/v1/clubs/{club}/", query={}, headers={}, body=None)

    def list_club_leaders(self, club: str, *, cursor: str | None = None, days: int | None = None, limit: int | None = None) -> t.Page[t.ClubLeader]:
        """List the members who have finished games of the club with other people, the best first."""
        answer: t.Page[t.ClubLeader] = self.call("GET", f"/api/v1/clubs/{club}/leaders/", query={"cursor": cursor, "days": days, "limit": limit}, headers={}, body=None)
        return answer

    def renew_club_link(self, club: str, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.Club:
        """Give a club a new code."""
        answer: t.Club = self.call("POST", f"/api/v1/clubs/{club}/link/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def list_members(self, club: str, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Member]:
        """List the owner, the organizers and the other members of a club, each by the time of joining."""
        answer: t.Page[t.Member] = self.call("GET", f"/api/v1/clubs/{club}/members/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def change_role(self, club: str, member: str, body: t.PatchedRoleRequest) -> t.Member:
        """Give a member another role."""
        answer: t.Member = self.call("PATCH", f"/api/v1/clubs/{club}/members/{member}/", query={}, headers={}, body=body)
        return answer

    def delete_member(self, club: str, member: str) -> None:
        """Leave a club, or remove a member."""
        self.call("DELETE", f"/api/v1/clubs/{club}/members/{member}/", query={}, headers={}, body=None)

    def join_club(self, body: t.JoinClubRequest, *, idempotency_key: str | None = None) -> t.Club:
        """Join a club by the code in its link."""
        answer: t.Club = self.call("POST", f"/api/v1/clubs/join/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def list_games(self, *, arena: bool | None = None, club: str | None = None, cursor: str | None = None, followed: bool | None = None, ids: str | None = None, limit: int | None = None, mine: bool | None = None, rules: Literal['coup', 'sedlec'] | None = None, state: Literal['open', 'starting', 'running', 'over', 'cancelled'] | None = None, if_none_match: str | None = None) -> t.Page[t.Game]:
        """List public games, those of your clubs and those that you play, the newest first."""
        answer: t.Page[t.Game] = self.call("GET", f"/api/v1/games/", query={"arena": arena, "club": club, "cursor": cursor, "followed": followed, "ids": ids, "limit": limit, "mine": mine, "rules": rules, "state": state}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def create_game(self, body: t.GameRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Create a game, with you on seat 1."""
        answer: t.Game = self.call("POST", f"/api/v1/games/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_game(self, game: str, *, if_none_match: str | None = None) -> t.Game:
        """Get a game and its players."""
        answer: t.Game = self.call("GET", f"/api/v1/games/{game}/", query={}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def get_analysis(self, game: str, *, seat: int | None = None) -> t.Analysis:
        """Get the decisions of a player in a finished game, with better moves if there are any."""
        answer: t.Analysis = self.call("GET", f"/api/v1/games/{game}/analysis/", query={"seat": seat}, headers={}, body=None)
        return answer

    def return_to_seat(self, game: str, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.Game:
        """Come back to your seat: the bot that plays for you leaves, and your missed questions are counted from zero again."""
        answer: t.Game = self.call("POST", f"/api/v1/games/{game}/back/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def list_chat_messages(self, game: str, *, after: str | None = None, limit: int | None = None) -> t.Page[t.ChatMessage]:
        """List the messages that you may read, the oldest first: those to all, and private ones from you or to you."""
        answer: t.Page[t.ChatMessage] = self.call("GET", f"/api/v1/games/{game}/chat/", query={"after": after, "limit": limit}, headers={}, body=None)
        return answer

    def send_chat_message(self, game: str, body: t.ChatMessageRequest, *, idempotency_key: str | None = None) -> t.ChatMessage:
        """Send a message to all players of your game, or a private one to one seat, as the game's `chat` allows."""
        answer: t.ChatMessage = self.call("POST", f"/api/v1/games/{game}/chat/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_chat_message(self, game: str, message: str) -> t.ChatMessage:
        """Get a message that you may read."""
        answer: t.ChatMessage = self.call("GET", f"/api/v1/games/{game}/chat/{message}/", query={}, headers={}, body=None)
        return answer

    def get_commitment(self, game: str) -> t.GameCommitment:
        """Get the commitment that was published when the game was created."""
        answer: t.GameCommitment = self.call("GET", f"/api/v1/games/{game}/commitment/", query={}, headers={}, body=None)
        return answer

    def list_events(self, game: str, *, after: int | None = None, limit: int | None = None, if_none_match: str | None = None) -> t.Page[t.ShownEvent]:
        """List the events of a game, from the first on, numbered for you."""
        answer: t.Page[t.ShownEvent] = self.call("GET", f"/api/v1/games/{game}/events/", query={"after": after, "limit": limit}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def export_events(self, game: str, *, after: int | None = None, if_none_match: str | None = None) -> str:
        """Export all events of a game that you may know, each as a line of JSON."""
        answer: str = self.call("GET", f"/api/v1/games/{game}/events/export/", query={"after": after}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def list_invitations(self, game: str, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Invitation]:
        """List the invitations to a game that you play, and what became of each, the first one first."""
        answer: t.Page[t.Invitation] = self.call("GET", f"/api/v1/games/{game}/invitations/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def create_invitation(self, game: str, body: t.InvitationRequest, *, idempotency_key: str | None = None) -> t.Invitation:
        """Invite someone by email to a game that you play: to an open one, or to a seat that is offered."""
        answer: t.Invitation = self.call("POST", f"/api/v1/games/{game}/invitations/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_invitation(self, game: str, invitation: str) -> t.Invitation:
        """Get an invitation to a game that you play."""
        answer: t.Invitation = self.call("GET", f"/api/v1/games/{game}/invitations/{invitation}/", query={}, headers={}, body=None)
        return answer

    def delete_invitation(self, game: str, invitation: str) -> None:
        """Withdraw an invitation that you sent, unless it was accepted."""
        self.call("DELETE", f"/api/v1/games/{game}/invitations/{invitation}/", query={}, headers={}, body=None)

    def join_game(self, game: str, body: t.JoinRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Take the next free seat."""
        answer: t.Game = self.call("POST", f"/api/v1/games/{game}/join/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def leave_game(self, game: str, body: dict[str, Any], *, idempotency_key: str | None = None) -> None:
        """Leave a game that has not started."""
        self.call("POST", f"/api/v1/games/{game}/leave/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)

    def send_move(self, game: str, body: t.MoveRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> t.StoredMove:
        """Make a move: answer a question."""
        answer: t.StoredMove = self.call("POST", f"/api/v1/games/{game}/moves/", query={}, headers={"Idempotency-Key": idempotency_key, "Prefer": prefer}, body=body)
        return answer

    def get_move(self, game: str, move: str) -> t.StoredMove:
        """Get the outcome of a move."""
        answer: t.StoredMove = self.call("GET", f"/api/v1/games/{game}/moves/{move}/", query={}, headers={}, body=None)
        return answer

    def get_pause(self, game: str) -> t.Pause:
        """Get the pause that is proposed or under way, who agrees, and how much time for pauses is left."""
        answer: t.Pause = self.call("GET", f"/api/v1/games/{game}/pause/", query={}, headers={}, body=None)
        return answer

    def propose_pause(self, game: str, body: t.PauseRequest, *, idempotency_key: str | None = None) -> t.Pause:
        """Propose a pause."""
        answer: t.Pause = self.call("POST", f"/api/v1/games/{game}/pause/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def answer_pause(self, game: str, body: t.PauseAnswerRequest) -> t.Pause:
        """Say whether you want the pause that is proposed or under way."""
        answer: t.Pause = self.call("PUT", f"/api/v1/games/{game}/pause/", query={}, headers={}, body=body)
        return answer

    def get_picture(self, game: str, *, if_none_match: str | None = None) -> str:
        """Get the view as a picture, in your language."""
        answer: str = self.call("GET", f"/api/v1/games/{game}/picture.svg", query={}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def list_plans(self, game: str, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.StoredPlan]:
        """List your plans and their uses."""
        answer: t.Page[t.StoredPlan] = self.call("GET", f"/api/v1/games/{game}/plans/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def create_plan(self, game: str, body: t.PlanRequest, *, idempotency_key: str | None = None) -> t.StoredPlan:
        """Make a plan that answers for you whenever it fits; it also answers your open questions."""
        answer: t.StoredPlan = self.call("POST", f"/api/v1/games/{game}/plans/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_plan(self, game: str, plan: str) -> t.StoredPlan:
        """Get one of your plans; 404 once it was withdrawn."""
        answer: t.StoredPlan = self.call("GET", f"/api/v1/games/{game}/plans/{plan}/", query={}, headers={}, body=None)
        return answer

    def change_plan(self, game: str, plan: str, body: t.PlanRequest) -> t.StoredPlan:
        """Replace an active plan by another; 409 once it is done."""
        answer: t.StoredPlan = self.call("PUT", f"/api/v1/games/{game}/plans/{plan}/", query={}, headers={}, body=body)
        return answer

    def delete_plan(self, game: str, plan: str) -> None:
        """Withdraw a plan; 409 once it is done."""
        self.call("DELETE", f"/api/v1/games/{game}/plans/{plan}/", query={}, headers={}, body=None)

    def practice_game(self, game: str, body: t.PracticeRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Try again from a moment of a finished game: a new game in the same position, with bots in the other seats."""
        answer: t.Game = self.call("POST", f"/api/v1/games/{game}/practice/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_presence(self, game: str) -> t.Presence:
        """Get whether all players are here now."""
        answer: t.Presence = self.call("GET", f"/api/v1/games/{game}/presence/", query={}, headers={}, body=None)
        return answer

    def note_presence(self, game: str, body: dict[str, Any]) -> t.Presence:
        """Say that you have the game open."""
        answer: t.Presence = self.call("PUT", f"/api/v1/games/{game}/presence/", query={}, headers={}, body=body)
        return answer

    def list_game_questions(self, game: str, *, if_none_match: str | None = None, prefer: str | None = None) -> t.Page[t.Question]:
        """List what this game asks you, with the answers it offers."""
        answer: t.Page[t.Question] = self.call("GET", f"/api/v1/games/{game}/questions/", query={}, headers={"If-None-Match": if_none_match, "Prefer": prefer}, body=None)
        return answer

    def get_record(self, game: str, *, if_none_match: str | None = None) -> dict[str, Any]:
        """Get the record of a game that is over: options, seats, seeds, every move and every event, all open."""
        answer: dict[str, Any] = self.call("GET", f"/api/v1/games/{game}/record/", query={}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def get_rematch(self, game: str) -> t.RematchOffer:
        """Get the offer of a rematch of a game that you played, with the answers of its players."""
        answer: t.RematchOffer = self.call("GET", f"/api/v1/games/{game}/rematch/", query={}, headers={}, body=None)
        return answer

    def rematch_game(self, game: str, body: t.RematchRequest, *, idempotency_key: str | None = None) -> t.RematchOffer:
        """Offer a rematch of a game that is over, or accept the offer of another player."""
        answer: t.RematchOffer = self.call("POST", f"/api/v1/games/{game}/rematch/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def decline_rematch(self, game: str) -> None:
        """Decline a rematch, or withdraw your acceptance before it starts."""
        self.call("DELETE", f"/api/v1/games/{game}/rematch/", query={}, headers={}, body=None)

    def get_step(self, game: str, number: str, *, seat: int | None = None) -> t.Step:
        """Get a finished game after line `number` of its log: with everything open, or as a player saw it then."""
        answer: t.Step = self.call("GET", f"/api/v1/games/{game}/replay/{number}/", query={"seat": seat}, headers={}, body=None)
        return answer

    def resign_game(self, game: str, body: dict[str, Any], *, idempotency_key: str | None = None, prefer: str | None = None) -> t.StoredMove:
        """Resign from the game, for good."""
        answer: t.StoredMove = self.call("POST", f"/api/v1/games/{game}/resign/", query={}, headers={"Idempotency-Key": idempotency_key, "Prefer": prefer}, body=body)
        return answer

    def reveal_seed(self, game: str, body: t.RevealRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Reveal the seed that you committed to when you joined."""
        answer: t.Game = self.call("POST", f"/api/v1/games/{game}/seed/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_stand_in(self, game: str) -> t.NamedStandIn:
        """Get the stand-in of your seat, or the seat for which you are the stand-in; 404 if there is none."""
        answer: t.NamedStandIn = self.call("GET", f"/api/v1/games/{game}/stand-in/", query={}, headers={}, body=None)
        return answer

    def create_stand_in(self, game: str, body: t.StandInRequest, *, idempotency_key: str | None = None) -> t.NamedStandIn:
        """Name a stand-in, who may also answer for your seat until a given time."""
        answer: t.NamedStandIn = self.call("POST", f"/api/v1/games/{game}/stand-in/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def delete_stand_in(self, game: str) -> None:
        """End the stand-in, as the player or as the stand-in."""
        self.call("DELETE", f"/api/v1/games/{game}/stand-in/", query={}, headers={}, body=None)

    def start_game(self, game: str, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.Game:
        """Start with those who sit here and the bots."""
        answer: t.Game = self.call("POST", f"/api/v1/games/{game}/start/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_statistics(self, game: str) -> t.Statistics:
        """Get the places, points, claims, lies and challenges of a game that is over, and what else it counts."""
        answer: t.Statistics = self.call("GET", f"/api/v1/games/{game}/statistics/", query={}, headers={}, body=None)
        return answer

    def get_transcript(self, game: str, *, seat: int | None = None) -> str:
        """Get the story of a game that is over, a line a turn, in your language: all of it, or what a player was told."""
        answer: str = self.call("GET", f"/api/v1/games/{game}/transcript/", query={"seat": seat}, headers={}, body=None)
        return answer

    def get_view(self, game: str, *, if_none_match: str | None = None) -> t.GameView:
        """Get the game as your seat sees it; without a seat, its public part; after the end, everything."""
        answer: t.GameView = self.call("GET", f"/api/v1/games/{game}/view/", query={}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def export_games(self, *, arena: bool | None = None, club: str | None = None, cursor: str | None = None, followed: bool | None = None, ids: str | None = None, limit: int | None = None, mine: bool | None = None, rules: Literal['coup', 'sedlec'] | None = None, state: Literal['open', 'starting', 'running', 'over', 'cancelled'] | None = None, if_none_match: str | None = None) -> str:
        """Export games as `games/` lists them, each as a line of JSON."""
        answer: str = self.call("GET", f"/api/v1/games/export/", query={"arena": arena, "club": club, "cursor": cursor, "followed": followed, "ids": ids, "limit": limit, "mine": mine, "rules": rules, "state": state}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def get_group_chat(self, group: str, place: str) -> t.GroupChat:
        """Get the chat to which a game, or every game of a club, posts its state; 404 if it has none."""
        answer: t.GroupChat = self.call("GET", f"/api/v1/group-chats/{place}/{group}/", query={}, headers={}, body=None)
        return answer

    def connect_group_chat(self, group: str, place: str, body: t.TableChannelRequest) -> t.GroupChat:
        """Let a game, or every game of a club, post its state to a chat, in place of any other one."""
        answer: t.GroupChat = self.call("PUT", f"/api/v1/group-chats/{place}/{group}/", query={}, headers={}, body=body)
        return answer

    def change_group_chat(self, group: str, place: str, body: t.PatchedGroupChatChangesRequest) -> t.GroupChat:
        """Let reminders in the chat mention you by your handle there: in a game that you play, or in all games of your club."""
        answer: t.GroupChat = self.call("PATCH", f"/api/v1/group-chats/{place}/{group}/", query={}, headers={}, body=body)
        return answer

    def delete_group_chat(self, group: str, place: str) -> None:
        """Stop posting to the chat."""
        self.call("DELETE", f"/api/v1/group-chats/{place}/{group}/", query={}, headers={}, body=None)

    def list_leaders(self, *, cursor: str | None = None, limit: int | None = None, rules: Literal['coup', 'sedlec'] | None = None, seat_count: int | None = None, with_bots: bool | None = None) -> t.Page[t.Leader]:
        """List the players who have finished at least 5 games with these rules, the best first."""
        answer: t.Page[t.Leader] = self.call("GET", f"/api/v1/leaders/", query={"cursor": cursor, "limit": limit, "rules": rules, "seat_count": seat_count, "with_bots": with_bots}, headers={}, body=None)
        return answer

    def get_me(self) -> t.Account:
        """Get the account whose token this is."""
        answer: t.Account = self.call("GET", f"/api/v1/me/", query={}, headers={}, body=None)
        return answer

    def change_me(self, body: t.PatchedAccountRequest) -> t.Account:
        """Change your name, language, time zone or preferences."""
        answer: t.Account = self.call("PATCH", f"/api/v1/me/", query={}, headers={}, body=body)
        return answer

    def list_people(self, relation: str, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.ListedAccount]:
        """List the players you have blocked or muted, or follow, in the order in which you added them."""
        answer: t.Page[t.ListedAccount] = self.call("GET", f"/api/v1/me/people/{relation}/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def add_person(self, relation: str, body: t.AccountNameRequest, *, idempotency_key: str | None = None) -> t.ListedAccount:
        """Block, mute or follow a player."""
        answer: t.ListedAccount = self.call("POST", f"/api/v1/me/people/{relation}/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_person(self, person: str, relation: str) -> t.ListedAccount:
        """Get a player on a list; 404 once they are off it."""
        answer: t.ListedAccount = self.call("GET", f"/api/v1/me/people/{relation}/{person}/", query={}, headers={}, body=None)
        return answer

    def delete_person(self, person: str, relation: str) -> None:
        """Unblock, unmute or unfollow a player."""
        self.call("DELETE", f"/api/v1/me/people/{relation}/{person}/", query={}, headers={}, body=None)

    def list_vacations(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Vacation]:
        """List your vacations of this year and later, the earliest first."""
        answer: t.Page[t.Vacation] = self.call("GET", f"/api/v1/me/vacations/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def create_vacation(self, body: t.VacationRequest, *, idempotency_key: str | None = None) -> t.Vacation:
        """Plan a vacation: days on which your time does not run, in every game as far as its schedule allows."""
        answer: t.Vacation = self.call("POST", f"/api/v1/me/vacations/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_vacation(self, vacation: str) -> t.Vacation:
        """Get one of your vacations."""
        answer: t.Vacation = self.call("GET", f"/api/v1/me/vacations/{vacation}/", query={}, headers={}, body=None)
        return answer

    def delete_vacation(self, vacation: str) -> None:
        """Cancel a vacation that has not started, unless a deadline was moved for it."""
        self.call("DELETE", f"/api/v1/me/vacations/{vacation}/", query={}, headers={}, body=None)

    def list_webhooks(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Webhook]:
        """List your webhooks, the oldest first, without their secrets."""
        answer: t.Page[t.Webhook] = self.call("GET", f"/api/v1/me/webhooks/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def create_webhook(self, body: t.WebhookRequest, *, idempotency_key: str | None = None) -> t.IssuedWebhook:
        """Register an address to which notifications for you are posted."""
        answer: t.IssuedWebhook = self.call("POST", f"/api/v1/me/webhooks/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_webhook(self, webhook: str) -> t.Webhook:
        """Get one of your webhooks, without its secret."""
        answer: t.Webhook = self.call("GET", f"/api/v1/me/webhooks/{webhook}/", query={}, headers={}, body=None)
        return answer

    def change_webhook(self, webhook: str, body: t.PatchedWebhookChangesRequest) -> t.Webhook:
        """Change the address or the events of a webhook, or switch it on again."""
        answer: t.Webhook = self.call("PATCH", f"/api/v1/me/webhooks/{webhook}/", query={}, headers={}, body=body)
        return answer

    def delete_webhook(self, webhook: str) -> None:
        """Delete a webhook."""
        self.call("DELETE", f"/api/v1/me/webhooks/{webhook}/", query={}, headers={}, body=None)

    def list_webhook_deliveries(self, webhook: str, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Delivery]:
        """List the messages and their outcomes, the latest first."""
        answer: t.Page[t.Delivery] = self.call("GET", f"/api/v1/me/webhooks/{webhook}/deliveries/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def retry_webhook_delivery(self, delivery: str, webhook: str, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.Delivery:
        """Post a message again now, with the same `webhook-id`."""
        answer: t.Delivery = self.call("POST", f"/api/v1/me/webhooks/{webhook}/deliveries/{delivery}/retry/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def rotate_webhook_secret(self, webhook: str, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.IssuedWebhook:
        """Give a webhook a new secret, shown only in this answer."""
        answer: t.IssuedWebhook = self.call("POST", f"/api/v1/me/webhooks/{webhook}/secret/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def test_webhook(self, webhook: str, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.Delivery:
        """Post a message of the type `test` now."""
        answer: t.Delivery = self.call("POST", f"/api/v1/me/webhooks/{webhook}/test/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_player(self, player: str) -> t.Player:
        """Get a player with their stats and finished games."""
        answer: t.Player = self.call("GET", f"/api/v1/players/{player}/", query={}, headers={}, body=None)
        return answer

    def list_questions(self, *, if_none_match: str | None = None, prefer: str | None = None) -> t.Page[t.Question]:
        """List your open questions, most urgent first, with the possible answers."""
        answer: t.Page[t.Question] = self.call("GET", f"/api/v1/questions/", query={}, headers={"If-None-Match": if_none_match, "Prefer": prefer}, body=None)
        return answer

    def list_reports(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Report]:
        """List your reports, the newest first, and whether a moderator has dealt with them."""
        answer: t.Page[t.Report] = self.call("GET", f"/api/v1/reports/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def create_report(self, body: t.ReportRequest, *, idempotency_key: str | None = None) -> t.Report:
        """Report a chat message, a name, or the behaviour of a player."""
        answer: t.Report = self.call("POST", f"/api/v1/reports/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_report(self, report: str) -> t.Report:
        """Get one of your reports."""
        answer: t.Report = self.call("GET", f"/api/v1/reports/{report}/", query={}, headers={}, body=None)
        return answer

    def list_rules(self, *, if_none_match: str | None = None) -> t.Page[t.Rules]:
        """List the titles that can be played here."""
        answer: t.Page[t.Rules] = self.call("GET", f"/api/v1/rules/", query={}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def get_rules(self, rules: str, *, options: t.ChosenOptions | None = None, seat_count: int | None = None, if_none_match: str | None = None) -> t.RulesDetail:
        """Get a title: its options and moves as JSON Schema, and the summary card for a given number of players."""
        answer: t.RulesDetail = self.call("GET", f"/api/v1/rules/{rules}/", query={"options": options, "seat_count": seat_count}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def list_seeks(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Seek]:
        """List your searches for players, the newest first."""
        answer: t.Page[t.Seek] = self.call("GET", f"/api/v1/seeks/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def create_seek(self, body: t.SeekRequest, *, idempotency_key: str | None = None) -> t.Seek:
        """Look for players who want the same game: a public one starts as soon as there are enough."""
        answer: t.Seek = self.call("POST", f"/api/v1/seeks/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_seek(self, seek: str) -> t.Seek:
        """Get one of your searches, and its game if it was matched."""
        answer: t.Seek = self.call("GET", f"/api/v1/seeks/{seek}/", query={}, headers={}, body=None)
        return answer

    def delete_seek(self, seek: str) -> None:
        """Stop a search, or leave the arena."""
        self.call("DELETE", f"/api/v1/seeks/{seek}/", query={}, headers={}, body=None)

    def list_open_seeks(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.OpenSeek]:
        """List all searches for players, those for the same game together."""
        answer: t.Page[t.OpenSeek] = self.call("GET", f"/api/v1/seeks/open/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def join_seek(self, entry: str, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.Seek:
        """Join a search: you look for the same game, as `POST seeks/` does."""
        answer: t.Seek = self.call("POST", f"/api/v1/seeks/open/{entry}/join/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def list_tournaments(self, *, club: str | None = None, cursor: str | None = None, league: str | None = None, limit: int | None = None, mine: bool | None = None, state: Literal['open', 'starting', 'running', 'over', 'cancelled'] | None = None) -> t.Page[t.Tournament]:
        """List public tournaments and those of your clubs, the newest first."""
        answer: t.Page[t.Tournament] = self.call("GET", f"/api/v1/tournaments/", query={"club": club, "cursor": cursor, "league": league, "limit": limit, "mine": mine, "state": state}, headers={}, body=None)
        return answer

    def create_tournament(self, body: t.TournamentRequest, *, idempotency_key: str | None = None) -> t.Tournament:
        """Create a tournament."""
        answer: t.Tournament = self.call("POST", f"/api/v1/tournaments/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_tournament(self, tournament: str) -> t.Tournament:
        """Get a tournament."""
        answer: t.Tournament = self.call("GET", f"/api/v1/tournaments/{tournament}/", query={}, headers={}, body=None)
        return answer

    def change_tournament(self, tournament: str, body: t.PatchedTournamentChangesRequest) -> t.Tournament:
        """Change the name, the description or the start of a tournament."""
        answer: t.Tournament = self.call("PATCH", f"/api/v1/tournaments/{tournament}/", query={}, headers={}, body=body)
        return answer

    def cancel_tournament(self, tournament: str, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.Tournament:
        """Cancel a tournament."""
        answer: t.Tournament = self.call("POST", f"/api/v1/tournaments/{tournament}/cancel/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_entry(self, tournament: str) -> t.Entry:
        """Get your part in a tournament; 404 if you take none."""
        answer: t.Entry = self.call("GET", f"/api/v1/tournaments/{tournament}/entry/", query={}, headers={}, body=None)
        return answer

    def enter_tournament(self, tournament: str, body: dict[str, Any]) -> t.Entry:
        """Enter a tournament that is open."""
        answer: t.Entry = self.call("PUT", f"/api/v1/tournaments/{tournament}/entry/", query={}, headers={}, body=body)
        return answer

    def change_entry(self, tournament: str, body: t.PatchedEntryChangesRequest) -> t.Entry:
        """Announce which rounds you sit out, and choose whether you get notifications of rounds."""
        answer: t.Entry = self.call("PATCH", f"/api/v1/tournaments/{tournament}/entry/", query={}, headers={}, body=body)
        return answer

    def delete_entry(self, tournament: str) -> None:
        """Leave a tournament for good."""
        self.call("DELETE", f"/api/v1/tournaments/{tournament}/entry/", query={}, headers={}, body=None)

    def list_rounds(self, tournament: str, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.TournamentRound]:
        """List the rounds that are drawn, the newest first, with their tables and results."""
        answer: t.Page[t.TournamentRound] = self.call("GET", f"/api/v1/tournaments/{tournament}/rounds/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def list_standings(self, tournament: str, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Standing]:
        """List all players, the best first, by the results of the rounds that have ended."""
        answer: t.Page[t.Standing] = self.call("GET", f"/api/v1/tournaments/{tournament}/standings/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def start_tournament(self, tournament: str, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.Tournament:
        """Start with those who have entered, before the published time."""
        answer: t.Tournament = self.call("POST", f"/api/v1/tournaments/{tournament}/start/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def list_views(self, *, games: str | None = None, if_none_match: str | None = None) -> t.Page[t.SeenGame]:
        """Get the views of many games, in any order."""
        answer: t.Page[t.SeenGame] = self.call("GET", f"/api/v1/views/", query={"games": games}, headers={"If-None-Match": if_none_match}, body=None)
        return answer

    def create_account(self, body: t.SignUpRequest) -> t.SignedUp:
        """Ask for an account."""
        answer: t.SignedUp = self.call("POST", f"/api/v1/accounts/", query={}, headers={}, body=body)
        return answer

    def confirm_account(self, body: t.ConfirmRequest) -> t.Account:
        """Confirm a sign-up with the code that was sent for it, and its password."""
        answer: t.Account = self.call("POST", f"/api/v1/accounts/confirm/", query={}, headers={}, body=body)
        return answer

    def get_bot_moves(self, game: str, seat: str) -> t.ToldMoves:
        """List the moves that a bot of your game will still make."""
        answer: t.ToldMoves = self.call("GET", f"/api/v1/games/{game}/sandbox/bots/{seat}/", query={}, headers={}, body=None)
        return answer

    def tell_bot(self, game: str, seat: str, body: t.ToldMovesRequest) -> t.ToldMoves:
        """Tell a bot of your game which moves to make, in place of any earlier ones."""
        answer: t.ToldMoves = self.call("PUT", f"/api/v1/games/{game}/sandbox/bots/{seat}/", query={}, headers={}, body=body)
        return answer

    def forward_clock(self, game: str, body: t.ClockRequest, *, idempotency_key: str | None = None) -> t.Game:
        """Let time pass in a game that you play: every deadline comes nearer by that much."""
        answer: t.Game = self.call("POST", f"/api/v1/games/{game}/sandbox/clock/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def list_apps(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.App]:
        """List your apps, the newest first."""
        answer: t.Page[t.App] = self.call("GET", f"/api/v1/me/apps/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def create_app(self, body: t.AppRequest, *, idempotency_key: str | None = None) -> t.RegisteredApp:
        """Register an app, which may then ask people for tokens: OAuth 2, authorization code with PKCE (S256)."""
        answer: t.RegisteredApp = self.call("POST", f"/api/v1/me/apps/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_app(self, app: str) -> t.App:
        """Get one of your apps, without its secret."""
        answer: t.App = self.call("GET", f"/api/v1/me/apps/{app}/", query={}, headers={}, body=None)
        return answer

    def delete_app(self, app: str) -> None:
        """Delete an app."""
        self.call("DELETE", f"/api/v1/me/apps/{app}/", query={}, headers={}, body=None)

    def send_confirmation(self, *, idempotency_key: str | None = None) -> t.Unreachable | None:
        """Send the only email that your address may get while `unreachable` is set: its link confirms the address."""
        answer: t.Unreachable | None = self.call("POST", f"/api/v1/me/confirmation/", query={}, headers={"Idempotency-Key": idempotency_key}, body=None)
        return answer

    def delete_me(self, body: t.DeletionRequest) -> None:
        """Delete your account, immediately and for good."""
        self.call("POST", f"/api/v1/me/deletion/", query={}, headers={}, body=body)

    def send_deletion_code(self, *, idempotency_key: str | None = None) -> t.SignedUp:
        """Send yourself a code with which you can delete your account, if you have no password."""
        answer: t.SignedUp = self.call("POST", f"/api/v1/me/deletion/code/", query={}, headers={"Idempotency-Key": idempotency_key}, body=None)
        return answer

    def list_devices(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Device]:
        """List your devices, the oldest first."""
        answer: t.Page[t.Device] = self.call("GET", f"/api/v1/me/devices/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def create_device(self, body: t.SubscriptionRequest, *, idempotency_key: str | None = None) -> t.Device:
        """Register a device on which you are shown what waits for you."""
        answer: t.Device = self.call("POST", f"/api/v1/me/devices/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)
        return answer

    def get_device(self, device: str) -> t.Device:
        """Get one of your devices; 404 once it is gone."""
        answer: t.Device = self.call("GET", f"/api/v1/me/devices/{device}/", query={}, headers={}, body=None)
        return answer

    def delete_device(self, device: str) -> None:
        """Remove a device: nothing more is shown on it."""
        self.call("DELETE", f"/api/v1/me/devices/{device}/", query={}, headers={}, body=None)

    def export_me(self) -> t.AccountData:
        """Export everything that is kept about you, in one document."""
        answer: t.AccountData = self.call("GET", f"/api/v1/me/export/", query={}, headers={}, body=None)
        return answer

    def list_grants(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Grant]:
        """List the apps that may act for you, with their rights."""
        answer: t.Page[t.Grant] = self.call("GET", f"/api/v1/me/grants/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def delete_grant(self, app: str) -> None:
        """Revoke all tokens that an app has from you."""
        self.call("DELETE", f"/api/v1/me/grants/{app}/", query={}, headers={}, body=None)

    def list_sessions(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Session]:
        """List the browsers in which you are logged in, the last used first."""
        answer: t.Page[t.Session] = self.call("GET", f"/api/v1/me/sessions/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def delete_session(self, session: str) -> None:
        """Log out a browser immediately."""
        self.call("DELETE", f"/api/v1/me/sessions/{session}/", query={}, headers={}, body=None)

    def end_all_sessions(self, body: t.SignOutRequest, *, idempotency_key: str | None = None) -> None:
        """Log out every browser immediately, and on request revoke your tokens and what you allowed apps."""
        self.call("POST", f"/api/v1/me/sign-out-everywhere/", query={}, headers={"Idempotency-Key": idempotency_key}, body=body)

    def list_tokens(self, *, cursor: str | None = None, limit: int | None = None) -> t.Page[t.Token]:
        """List your tokens, the newest first, without the tokens themselves."""
        answer: t.Page[t.Token] = self.call("GET", f"/api/v1/tokens/", query={"cursor": cursor, "limit": limit}, headers={}, body=None)
        return answer

    def create_token(self, body: t.TokenRequest) -> t.IssuedToken:
        """Create a token with your address and password."""
        answer: t.IssuedToken = self.call("POST", f"/api/v1/tokens/", query={}, headers={}, body=body)
        return answer

    def delete_token(self, token: str) -> None:
        """Revoke a token immediately."""
        self.call("DELETE", f"/api/v1/tokens/{token}/", query={}, headers={}, body=None)
