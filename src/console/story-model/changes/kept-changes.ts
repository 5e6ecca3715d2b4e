import type { Change, Changes } from './draft-changes.js';
import { mergedValue } from './merged-value.js';
import { isSame } from '../same-value.js';
import { isStoredAction, isStoredNote } from '../stored-form.js';
import { type DraftLink, type Keyed, keyOfLink, type StoryDraft } from '../story-draft.js';

/** Changes that a browser keeps, which the server may have taken already. */
export interface KeptChanges {
  changes: Changes;
  /** Those of them that were sent before and never answered, newest first. */
  sent: readonly Changes[];
}

/**
 * Returns the changes that a stored story still lacks. A write may have had its effect without a response: parts that it
 * added are there under keys of the server then, and parts that it changed are no change of somebody else.
 */
export function changesSince({ changes, sent }: KeptChanges, stored: StoryDraft): Changes {
  const versions = [changes, ...sent];
  const actions = lackingIn(stored.actions, {
    changes: changes.actions,
    versions: versions.flatMap((each) => each.actions),
    isStored: isStoredAction,
  });
  const notes = lackingIn(stored.notes, {
    changes: changes.notes,
    versions: versions.flatMap((each) => each.notes),
    isStored: isStoredNote,
  });
  const links = changes.links.map((change) => withKeys(change, actions.keys));
  return {
    actions: actions.changes,
    links: links.filter(({ key, before }) => before !== undefined || !stored.links.has(key)),
    notes: notes.changes,
  };
}

interface KeptParts<Item> {
  changes: readonly Change<Item>[];
  /** The same changes as they were at each write. */
  versions: readonly Change<Item>[];
  isStored: (stored: Item, sent: Item) => boolean;
}

function lackingIn<Item extends { id?: number | null }>(
  stored: Keyed<Item>,
  { changes, versions, isStored }: KeptParts<Item>,
): { changes: Change<Item>[]; keys: ReadonlyMap<string, string> } {
  const keys = new Map<string, string>();
  const own = new Set(changes.filter(({ before }) => before !== undefined).map(({ key }) => key));
  /** Finds what became of a change: the part that is stored, and the form in which it was sent. */
  const find = ({ key, before }: Change<Item>) => {
    const forms = versions.flatMap((each) => (each.key === key && each.after ? [each.after] : []));
    const places = before === undefined ? [...stored.keys()].filter((each) => !own.has(each)) : [key];
    for (const place of places) {
      const item = stored.get(place);
      // What was added has an id of the server, whatever it had before it was removed once.
      const form = item && forms.find((each) => isStored(item, before ? each : { ...each, id: undefined }));
      if (item !== undefined && form !== undefined) return { place, item, form };
    }
    return undefined;
  };
  const lacking = changes.flatMap((change): Change<Item>[] => {
    const found = change.after === undefined ? undefined : find(change);
    if (found === undefined || change.after === undefined) return [change];
    const { place, item, form } = found;
    own.add(place);
    keys.set(change.key, place);
    const after = mergedValue(item, { before: form, after: change.after }, 'change');
    return isSame(item, after) ? [] : [{ ...change, key: place, before: item, after }];
  });
  return { changes: lacking, keys };
}

function withKeys(change: Change<DraftLink>, keys: ReadonlyMap<string, string>): Change<DraftLink> {
  const { source, receiver } = change.after ?? change.before ?? { source: '', receiver: '' };
  if (!keys.has(source) && !keys.has(receiver)) return change;
  const renamed = (link: DraftLink | undefined) =>
    link && {
      ...link,
      source: keys.get(link.source) ?? link.source,
      receiver: keys.get(link.receiver) ?? link.receiver,
    };
  const [before, after] = [renamed(change.before), renamed(change.after)];
  const named = after ?? before;
  return { ...change, key: named === undefined ? change.key : keyOfLink(named), before, after };
}
