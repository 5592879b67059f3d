// Generated from the documents in docs by clients/js/generate.py: do not edit.
import type * as t from "./types.js";
/** Returns whether this client knows the shape of this event, so that its type narrows. */
export function isKnownEvent(event: t.GameEvent): event is t.KnownEvent;
/** Returns whether this client knows the shape of this move, so that its type narrows. */
export function isKnownMove(move: t.GameMove): move is t.KnownMove;
/** Returns whether this client knows the shape of this plan, so that its type narrows. */
export function isKnownPlan(plan: t.GamePlan): plan is t.KnownPlan;
/** Returns whether this client knows the shape of this view, so that its type narrows. */
export function isKnownView(view: t.GameView): view is t.KnownView;
