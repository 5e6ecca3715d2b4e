import type { Actor, ReadAccess } from '../api/face.js';

/** A resource or a credential, as far as templates of actions find it. */
export interface MentionedThing {
  teamId: number;
  slug: string;
  readAccess: ReadAccess;
}

/** Returns a function that gives the ids of the actions that name a thing; only those that the actor may see. */
export type FindMentions = (
  actor: Actor,
  things: readonly MentionedThing[],
) => Promise<(thing: MentionedThing) => number[]>;
