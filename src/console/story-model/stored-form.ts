import type { GraphAction, GraphNote, StoryGraphChanges } from '../../../clients/typescript/api.js';
import { WEBHOOK_TYPE } from './commands/link-commands.js';
import { isAlike, isSame } from './same-value.js';

/**
 * Whether a stored action is what the server makes of one that was sent. It gives a new one an id, a guid and the fields that
 * it lacks, and a new webhook an address.
 */
export function isStoredAction(stored: GraphAction, sent: GraphAction): boolean {
  if (sent.id) return isAlike(stored, sent);
  const { id: _id, guid: _guid, options, ...fields } = sent;
  const areOptions = sent.type === WEBHOOK_TYPE ? hasAll : isAlike;
  return hasAll(stored, fields) && areOptions(stored.options, options);
}

/** Whether a stored note is what the server makes of one that was sent. */
export function isStoredNote(stored: GraphNote, sent: GraphNote): boolean {
  if (sent.id) return isAlike(stored, sent);
  const { id: _id, guid: _guid, ...fields } = sent;
  return hasAll(stored, fields);
}

/** Whether a stored story is what the server makes of this body, part by part. */
export function isStoredStory(stored: StoryGraphChanges, sent: StoryGraphChanges): boolean {
  return (
    areStored(stored.agents, sent.agents, isStoredAction) &&
    areStored(stored.links, sent.links, hasAll) &&
    areStored(stored.notes ?? [], sent.notes ?? [], isStoredNote)
  );
}

function areStored<Item>(
  stored: readonly Item[],
  sent: readonly Item[],
  isStored: (stored: Item, sent: Item) => boolean,
): boolean {
  return stored.length === sent.length && sent.every((item, at) => isStored(stored[at] as Item, item));
}

/** Whether an object has each of these values. */
function hasAll(object: object, values: object): boolean {
  return Object.entries(values).every(([key, value]) => isSame(Reflect.get(object, key), value));
}
