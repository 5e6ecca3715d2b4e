import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { orderedObject } from '../../platform/json/ordered-object.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import type { StoredStory } from '../export/story-export-store.js';
import { joinedPath } from '../diff/value-changes.js';
import { TEST_LIMITS, TESTS_KEY } from '../tests/story-test.js';
import { isGuidKey } from '../import/plan/guid-map.js';
import type { MergedActions } from './merge-actions.js';
import { bringBack, type LinkEnds, otherName } from './merge-links.js';
import { partsByKey, keptSide, mergedOrder, textOrEmpty, threeOf } from './merge-parts.js';
import { mergeValue } from './merge-value.js';
import type { ConflictBook, MergePlace } from './conflict-book.js';
import { changedBy, type Three, under, UNKNOWN, viewed } from './three-way.js';

type Stories = Three<StoredStory> & { live: StoredStory; draft: StoredStory };

/** Columns of a story that a draft may change. */
const COLUMNS = ['description', 'schema_version', 'keep_events_for', 'synchronous_webhooks_enabled'];
/** Settings that belong to actions: they are completed from those of the result. */
const COMPLETED = new Set(['diagram_layout', 'integrations']);
/** Lists without an order: what both have added is in the result. */
const SETS = new Set(['tags', 'recipients', 'shared_team_slugs']);

/** Returns the columns of the result; the others are those of the live story. */
export function mergeColumns(stories: Stories, book: ConflictBook): JsonObject {
  const entries = COLUMNS.map((key): [string, JsonValue] => {
    const three = viewed(stories, ({ columns }) => columns[key]);
    return [key, mergeValue(three, settingAt(key), book) ?? null];
  });
  return { ...stories.live.columns, ...Object.fromEntries(entries) };
}

/**
 * Returns the settings, notes and pages of the result. The layout and the inputs of actions are those of the side that has
 * changed them, to be completed.
 */
export function mergeExtra(
  stories: Stories,
  returned: MergedActions['returned'],
  book: ConflictBook,
): JsonObject {
  const [live, draft] = [stories.live.extra, stories.draft.extra];
  const extras = viewed(stories, ({ extra }): JsonValue => extra);
  const isDraftUnchanged = keysOf(extras.base) === keysOf(draft);
  const [first, second] = isDraftUnchanged ? [live, draft] : [draft, live];
  const keys = new Set([...Object.keys(first), ...Object.keys(second)]);
  const entries = [...keys].flatMap((key): [string, JsonValue][] => {
    const three = under(extras, key);
    const value = mergeSetting(key, three, book);
    const whole = isGuidKey(key) ? withReturned(value, three, returned) : value;
    return whole === undefined ? [] : [[key, whole]];
  });
  return orderedObject(entries);
}

function keysOf(extra: Three['base']): string {
  return isJsonObject(extra) ? Object.keys(extra).join('\n') : '';
}

function mergeSetting(key: string, three: Three, book: ConflictBook): JsonValue | undefined {
  if (key === 'guid') return three.live;
  if (COMPLETED.has(key)) return changedBy(three) === 'live' ? three.live : three.draft;
  if (key === 'diagram_notes') return mergeNotes(three, book);
  if (key === TESTS_KEY) return mergeTests(three, book);
  const isSet = (SETS.has(key) || isGuidKey(key)) && changedBy(three) === 'both';
  return (isSet ? mergeSet(three) : undefined) ?? mergeValue(three, settingAt(key), book);
}

/** Returns the setting with the actions that it named, that one side had removed from it with the action, and that come back. */
function withReturned(
  value: JsonValue | undefined,
  three: Three,
  returned: MergedActions['returned'],
): JsonValue | undefined {
  const before = new Set(guidsIn(three.base));
  let whole = value;
  for (const [guid, side] of returned) {
    const own = three[side];
    if (!before.has(guid) || !guidsIn(own).includes(guid) || guidsIn(whole).includes(guid)) continue;
    if (Array.isArray(whole) && Array.isArray(own)) whole = insertedAsIn(own, guid, whole);
    else whole ??= own;
  }
  return whole;
}

/** Returns the list with the item behind those that it follows in the other list. */
function insertedAsIn(other: JsonValue[], item: string, list: JsonValue[]): JsonValue[] {
  const earlier = other.slice(0, other.indexOf(item));
  const at = list.findLastIndex((each) => earlier.includes(each)) + 1;
  return list.toSpliced(at, 0, item);
}

function settingAt(path: string): MergePlace {
  return { kind: 'setting', part: '', action: null, path };
}

/** Returns the list without what either side removed, with what either added; undefined unless all are lists of texts. */
function mergeSet({ base, live, draft }: Three): JsonValue[] | undefined {
  if (base === UNKNOWN) return undefined;
  const lists = [base ?? [], live ?? [], draft ?? []];
  if (!lists.every((list) => Array.isArray(list) && list.every(isText))) return undefined;
  const [was, ours, theirs] = lists as [string[], string[], string[]];
  const removed = new Set(was.filter((item) => !ours.includes(item) || !theirs.includes(item)));
  return [...new Set([...theirs, ...ours])].filter((item) => !removed.has(item));
}

function isText(value: JsonValue): boolean {
  return typeof value === 'string';
}

function mergeNotes(three: Three, book: ConflictBook): JsonValue | undefined {
  const { base, live, draft } = three;
  const areLists = isList(base) && isList(live) && isList(draft);
  if (!areLists || changedBy(three) !== 'both') {
    return mergeValue(three, settingAt('diagram_notes'), book);
  }
  const maps = {
    base: base === UNKNOWN ? undefined : notesOf(base),
    live: notesOf(live),
    draft: notesOf(draft),
  };
  return mergedOrder(maps).flatMap((key) => {
    const note = threeOf(maps, key);
    const place: MergePlace = { kind: 'note', part: key, action: null, path: null };
    const side = keptSide(note, { place, shown: note }, book);
    if (side === 'none') return [];
    return (side === 'both' ? mergeValue(note, place, book) : note[side]) ?? [];
  });
}

/** Tests are known by their names: two that different people have added are both in the result. */
function mergeTests(three: Three, book: ConflictBook): JsonValue | undefined {
  const { base, live, draft } = three;
  const areLists = isList(base) && isList(live) && isList(draft);
  if (!areLists || changedBy(three) !== 'both') return mergeValue(three, settingAt(TESTS_KEY), book);
  const maps = {
    base: base === UNKNOWN ? undefined : testsOf(base),
    live: testsOf(live),
    draft: testsOf(draft),
  };
  const merged = mergedOrder(maps).flatMap((name) => {
    const test = threeOf(maps, name);
    const place: MergePlace = { kind: 'test', part: name, action: null, path: joinedPath('', name) };
    const side = keptSide(test, { place, shown: test }, book);
    if (side === 'none') return [];
    return (side === 'both' ? mergeValue(test, place, book) : test[side]) ?? [];
  });
  if (merged.length > TEST_LIMITS.tests) {
    const names = viewed(three, (tests): JsonValue => [...testsOf(tests).keys()]);
    const because = `together they would be ${merged.length} tests, and a story can have ${TEST_LIMITS.tests}`;
    return three[book.settle(settingAt(TESTS_KEY), names, because)];
  }
  return merged.length === 0 && (live === undefined || draft === undefined) ? undefined : merged;
}

function testsOf(tests: JsonValue | undefined): Map<string, JsonValue> {
  return partsByKey(Array.isArray(tests) ? tests : [], (test) =>
    isJsonObject(test) && typeof test.name === 'string' ? test.name : stringifyJson(test),
  );
}

/** A note without a guid is known by its text: when it is changed, it is another one. */
function isList(notes: Three['base']): boolean {
  return notes === UNKNOWN || notes === undefined || Array.isArray(notes);
}

function notesOf(notes: JsonValue | undefined): Map<string, JsonValue> {
  const list = Array.isArray(notes) ? notes : [];
  return partsByKey(list, (note) => {
    const guid = isJsonObject(note) ? textOrEmpty(note.guid) : '';
    return guid === '' ? stringifyJson(note) : guid;
  });
}

/**
 * Brings back the actions that a setting of one side names anew and that the other side removed, if that is chosen: each
 * such setting is a conflict.
 */
export function keepNamedActions(stories: Stories, ends: LinkEnds, book: ConflictBook): void {
  const extras = viewed(stories, ({ extra }): JsonValue => extra);
  const known = new Set([...ends.actions.live.keys(), ...ends.actions.draft.keys()]);
  for (const key of new Set([...Object.keys(stories.live.extra), ...Object.keys(stories.draft.extra)])) {
    if (!isGuidKey(key)) continue;
    const three = under(extras, key);
    for (const side of ['live', 'draft'] as const) {
      const before = new Set(guidsIn(three.base));
      const named = guidsIn(three[side]).filter((guid) => known.has(guid) && !before.has(guid));
      const missing = named.filter((guid) => !ends.merged.all.has(guid) && !ends.merged.decided.has(guid));
      if (missing.length === 0) continue;
      const because = `${otherName(side)} has removed an action that this setting refers to`;
      const chosen = book.settle(settingAt(key), three, because);
      for (const guid of missing) bringBack(guid, chosen === side ? side : undefined, ends);
    }
  }
}

function guidsIn(value: Three['base']): string[] {
  return [value === UNKNOWN ? [] : (value ?? [])]
    .flat()
    .filter((each): each is string => typeof each === 'string');
}
