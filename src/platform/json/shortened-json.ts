import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import { shortened as quoted } from '../text/shortened.js';
import { stringifyJson } from './exact-number.js';
import { orderedObject } from './ordered-object.js';

/** The characters that an entry of a list has at least before later entries are left out. */
const ENTRY_ROOM = { least: 500, most: 2_000 };
/** The same for a value of an object. */
const VALUE_ROOM = 200;
const MAX_PATH = 200;
/** Stands in each text that was cut. A text with it is not taken back. */
const CUT = /\[truncated by Fabula; the full text has \d+ characters\]/;

/** What was shortened of an object, by its place: `events[].payload.body`. */
export interface Shortened {
  /** The places of texts that were cut. */
  cutTexts: Set<string>;
  /** How many entries of lists and values of objects were left out behind the first ones. */
  leftOut: Map<string, number>;
}

/** Whether a JSON text holds a text that was cut here. */
export function holdsCutText(json: string): boolean {
  return CUT.test(json);
}

/**
 * Returns the object with so much left out that its JSON has at most `room` characters. What is short stays whole; the rest
 * is shared among what is long. Entries of the list named `whole` are left out, and not shortened themselves.
 */
export function shortenedJson(
  object: JsonObject,
  { room, whole }: { room: number; whole?: string | undefined },
): Shortened & { value: JsonObject } {
  const work = {
    sizeOf: createSizes(),
    whole,
    cutTexts: new Set<string>(),
    leftOut: new Map<string, number>(),
  };
  const value = fitObject(object, { space: room, path: '' }, work);
  return { value, cutTexts: work.cutTexts, leftOut: work.leftOut };
}

interface Work extends Shortened {
  sizeOf: (value: JsonValue) => number;
  /** The list whose entries are not shortened. */
  whole: string | undefined;
}

/** Where a value stands, and the characters that it may have there. */
interface Place {
  space: number;
  path: string;
}

/** Returns undefined for a value of which nothing fits. */
function fit(value: JsonValue, place: Place, work: Work): JsonValue | undefined {
  if (work.sizeOf(value) <= place.space) return value;
  if (typeof value === 'string') return fitText(value, place, work);
  if (place.space < EMPTY) return undefined;
  if (Array.isArray(value)) return fitList(value, place, work);
  return isJsonObject(value) ? fitObject(value, place, work) : undefined;
}

function fitText(text: string, { space, path }: Place, { cutTexts }: Work): string | undefined {
  const cut = cutText(text, space);
  if (cut !== undefined) cutTexts.add(path);
  return cut;
}

function fitList(list: JsonValue[], { space, path }: Place, work: Work): JsonValue[] {
  const sizes = list.map((entry) => work.sizeOf(entry) + COMMA);
  const least = path === work.whole ? Infinity : entryRoom(space);
  const count = countThatFits(
    sizes.map((size) => Math.min(size, least)),
    space - EMPTY,
  );
  const spaces = shared(sizes.slice(0, count), space - EMPTY);
  const kept = list.slice(0, count).flatMap((entry, index) => {
    const fitted = fit(entry, { space: (spaces[index] ?? 0) - COMMA, path: `${path}[]` }, work);
    return fitted === undefined ? [] : [fitted];
  });
  noteLeftOut(path, list.length - kept.length, work);
  return kept;
}

function fitObject(object: JsonObject, { space, path }: Place, work: Work): JsonObject {
  const members = Object.entries(object).map(([key, value]) => {
    const keySize = stringifyJson(key).length + COLON + COMMA;
    return { key, value, keySize, size: work.sizeOf(value) };
  });
  const held = membersThatFit(members, space - EMPTY);
  const keySizes = held.reduce((sum, { keySize }) => sum + keySize, 0);
  const spaces = shared(
    held.map(({ size }) => size),
    space - EMPTY - keySizes,
  );
  const kept = held.flatMap(({ key, value }, index): [string, JsonValue][] => {
    const fitted = fit(value, { space: spaces[index] ?? 0, path: pathOf(path, key) }, work);
    return fitted === undefined ? [] : [[key, fitted]];
  });
  noteLeftOut(path, members.length - kept.length, work);
  return orderedObject(kept);
}

/** Returns those that fit together if each has little room; one with a key that is too long is passed over. */
function membersThatFit<Member extends { keySize: number; size: number }>(
  members: readonly Member[],
  space: number,
): Member[] {
  let free = space;
  return members.filter(({ keySize, size }) => {
    const least = keySize + Math.min(size, VALUE_ROOM);
    const fits = least <= free;
    if (fits) free -= least;
    return fits;
  });
}

function noteLeftOut(path: string, count: number, { leftOut }: Work): void {
  if (count > 0) leftOut.set(path, (leftOut.get(path) ?? 0) + count);
}

/** Characters of `[]` and `{}`, of `,` and of `:`. */
const EMPTY = 2;
const COMMA = 1;
const COLON = 1;

function pathOf(path: string, key: string): string {
  return quoted(path === '' ? key : `${path}.${key}`, MAX_PATH);
}

function entryRoom(space: number): number {
  return Math.max(Math.min(space / 4, ENTRY_ROOM.most), Math.min(space, ENTRY_ROOM.least));
}

/** How many of the first sizes fit together. */
function countThatFits(sizes: readonly number[], space: number): number {
  let free = space;
  const first = sizes.findIndex((size) => (free -= size) < 0);
  return first === -1 ? sizes.length : first;
}

/** Shares the space: what needs less than an equal part of it gets what it needs, and leaves the rest to the others. */
function shared(sizes: readonly number[], space: number): number[] {
  let rest = space;
  let count = sizes.length;
  let level = Infinity;
  for (const size of sizes.toSorted((left, right) => left - right)) {
    level = Math.floor(rest / count);
    if (size > level) break;
    rest -= size;
    count -= 1;
    level = Infinity;
  }
  return sizes.map((size) => Math.min(size, level));
}

/** Returns the beginning of a text with a mark, in `space` characters of JSON; undefined if not even the mark fits. */
function cutText(text: string, space: number): string | undefined {
  const mark = `… [truncated by Fabula; the full text has ${text.length} characters]`;
  const free = space - stringifyJson(mark).length;
  if (free < 0) return undefined;
  let start = text.slice(0, free);
  for (let size = sizeInside(start); size > free; size = sizeInside(start)) {
    start = text.slice(0, Math.min(start.length - 1, Math.floor((start.length * free) / size)));
  }
  return start.replace(/[\uD800-\uDBFF]$/, '') + mark;
}

/** Characters of a text in JSON, without its quotes. */
function sizeInside(text: string): number {
  return stringifyJson(text).length - 2;
}

/** Returns a function that says how many characters the JSON of a value has. It looks once into each. */
function createSizes(): (value: JsonValue) => number {
  const known = new WeakMap<object, number>();
  const sizeOf = (value: JsonValue): number => {
    if (!Array.isArray(value) && !isJsonObject(value)) return stringifyJson(value).length;
    const size = known.get(value) ?? total(Array.isArray(value) ? value.map(sizeOf) : sizesIn(value));
    known.set(value, size);
    return size;
  };
  const sizesIn = (object: JsonObject) =>
    Object.entries(object).map(([key, part]) => stringifyJson(key).length + COLON + sizeOf(part));
  return sizeOf;
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size + COMMA, EMPTY);
}
