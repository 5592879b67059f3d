// Generated from the documents in docs by clients/js/generate.py: do not edit.
import type * as t from "./types.js";
