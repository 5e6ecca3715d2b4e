import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { mergedObjects, orderedObject } from '../../platform/json/ordered-object.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { mentions, type TemplateLanguage } from '../../language/face.js';
import { joinedPath, sameJson } from '../diff/value-changes.js';
import type { MergeAction, MergedActions } from './merge-actions.js';
import { mapValues } from '../export/export-form.js';
import { inputValue } from '../agents/mentions/action-inputs.js';
import { otherName } from './merge-links.js';
import { slugOfAction } from './shared-names.js';
import { type PartMaps, textOrEmpty, threeOf } from './merge-parts.js';
import type { ConflictBook, MergePlace } from './conflict-book.js';
import { type Side, type Three, under, UNKNOWN, viewed } from './three-way.js';

/** A value of an action that may hold templates. */
interface Templates extends Pick<MergePlace, 'kind'> {
  path: string;
  in: (action: MergeAction) => JsonValue | undefined;
  /** Returns the action with this value; undefined: without one. */
  put: (action: MergeAction, value: JsonValue | undefined) => MergeAction;
  /** Returns the value as it is rendered. */
  read: (value: JsonValue) => JsonValue;
}

const asWritten = (value: JsonValue): JsonValue => value;

const TEMPLATES: readonly Templates[] = [
  {
    kind: 'option',
    path: 'options',
    in: ({ columns }) => columns.options,
    put: (action, options = {}) => ({ ...action, columns: { ...action.columns, options } }),
    read: asWritten,
  },
  {
    kind: 'action',
    path: 'record_writers',
    in: ({ extra }) => extra.record_writers,
    put: (action, writers = []) => ({
      ...action,
      extra: mergedObjects(action.extra, { record_writers: writers }),
    }),
    read: asWritten,
  },
  {
    kind: 'action',
    path: 'integrations',
    in: ({ inputs }) => inputs,
    put: (action, inputs) => ({ ...action, inputs: Array.isArray(inputs) ? inputs : undefined }),
    read: withInputValues,
  },
];

/** The side whose new texts are searched, and the names that the other side has taken away. */
interface Search {
  side: Side;
  lost: ReadonlySet<string>;
  language: TemplateLanguage;
  book: ConflictBook;
  read: Templates['read'];
}

/**
 * Makes a conflict of each new text of one side that refers to an action by a name that the other side has taken away, by
 * renaming or removing it: the reference would find nothing.
 */
export function nameLostReferences(
  actions: PartMaps<MergeAction>,
  result: MergedActions,
  { language, book }: Pick<Search, 'language' | 'book'>,
): void {
  for (const side of ['live', 'draft'] as const) {
    const lost = lostNames(actions, result, side);
    if (lost.size === 0) continue;
    for (const [guid, action] of result.all) {
      const states = threeOf(actions, guid);
      if (states[side] !== undefined)
        result.all.set(guid, searchedAction(action, states, { side, lost, language, book }));
    }
  }
}

function searchedAction(
  action: MergeAction,
  states: Three<MergeAction>,
  search: Omit<Search, 'read'>,
): MergeAction {
  let found = action;
  for (const { kind, path, in: valueIn, put, read } of TEMPLATES) {
    const place: MergePlace = {
      kind,
      part: textOrEmpty(action.columns.guid),
      action: textOrEmpty(action.columns.name),
      path,
    };
    const value = valueIn(action);
    const chosen = searched(value, viewed(states, valueIn), place, { ...search, read });
    if (chosen !== value) found = put(found, chosen);
  }
  return found;
}

/** Returns the names that this side uses as the base did, that the other one has taken away, and that nobody has in the result. */
function lostNames(
  { base, ...sides }: PartMaps<MergeAction>,
  result: MergedActions,
  side: Side,
): Set<string> {
  const present = new Set([...result.all.values()].map(slugOfAction));
  const names = [...(base ?? [])].flatMap(([guid, was]) => {
    const name = slugOfAction(was);
    const [kept, taken] = [sides[side].get(guid), sides[otherSide(side)].get(guid)];
    const isKept = kept !== undefined && slugOfAction(kept) === name;
    const isTaken = taken === undefined || slugOfAction(taken) !== name;
    return isKept && isTaken ? [name] : [];
  });
  return new Set(names.filter((name) => name !== '' && !present.has(name)));
}

function otherSide(side: Side): Side {
  return side === 'live' ? 'draft' : 'live';
}

/** Returns the value as it was chosen: a text that was new on the side is kept, or is as on the other side. */
function searched(
  value: JsonValue | undefined,
  three: Three,
  place: MergePlace,
  search: Search,
): JsonValue | undefined {
  const { side } = search;
  const isNew = three.base === UNKNOWN || !sameJson(three.base, three[side]);
  if (value === undefined || !isNew || sameJson(value, three[otherSide(side)])) return value;
  if (isJsonObject(value)) return searchedObject(value, three, place, search);
  if (!Array.isArray(value)) {
    const text = sameJson(value, three[side]) ? value : undefined;
    return chosen(value, lostIn(text, search), { three, place, search });
  }
  const lists = [three.base, three.live, three.draft];
  if (lists.every((list) => Array.isArray(list) && list.length === value.length)) {
    return value.map((item, index) => {
      const items = viewed(three, (list) => (Array.isArray(list) ? list[index] : undefined));
      return searched(item, items, { ...place, path: `${place.path ?? ''}[${index}]` }, search) ?? null;
    });
  }
  const known = new Set(itemsOf(three.base).map((item) => stringifyJson(item)));
  const made = itemsOf(three[side]).filter((item) => !known.has(stringifyJson(item)));
  return chosen(value, lostIn(made, search), { three, place, search });
}

function itemsOf(list: Three['base']): JsonValue[] {
  return Array.isArray(list) ? list : [];
}

function searchedObject(object: JsonObject, three: Three, place: MergePlace, search: Search): JsonObject {
  const entries = Object.entries(object).flatMap(([key, item]): [string, JsonValue][] => {
    const path = joinedPath(place.path ?? '', key);
    const found = searched(item, under(three, key), { ...place, path }, search);
    return found === undefined ? [] : [[key, found]];
  });
  return orderedObject(entries);
}

function chosen(
  value: JsonValue,
  name: string | undefined,
  { three, place, search }: { three: Three; place: MergePlace; search: Search },
): JsonValue | undefined {
  if (name === undefined) return value;
  const because = `it refers to "${name}", which ${otherName(search.side)} has removed`;
  return search.book.settle(place, three, because) === search.side ? value : three[otherSide(search.side)];
}

/** Returns the first lost name that a text in the value refers to. */
function lostIn(value: JsonValue | undefined, { lost, language, read }: Search): string | undefined {
  if (value === undefined) return undefined;
  const { slugs } = mentions({ value: read(value) }, language);
  const text = stringifyJson(value);
  return [...lost].find((name) => (slugs === 'all' ? text.includes(name) : slugs.has(name)));
}

/** The texts of inputs may be the JSON of an option, whose templates are in it. */
function withInputValues(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withInputValues);
  if (!isJsonObject(value)) return inputValue(value);
  return mapValues(value, withInputValues);
}
