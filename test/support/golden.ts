import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject, JsonValue } from '../../src/platform/json.js';

const GOLDEN_FOLDER = path.resolve(__dirname, '../golden');

/** One run of a real export, and what must come of it, written by hand from the story's own logic. */
export interface GoldenFile {
  /** The export's file name. */
  story: string;
  why: string;
  start: { agent: string; payload: JsonValue; headers?: JsonObject };
  values: { resources?: Record<string, JsonValue>; credentials?: Record<string, string> };
  answers: JsonValue[];
  requests: { method: string; url: JsonValue; body?: JsonValue }[];
  mails: JsonObject[];
  events: { agent: string; payload: JsonValue }[];
  exits: string[];
  deadLetters: { agent: string; error: JsonValue }[];
}

const KEYS = [
  'story',
  'why',
  'start',
  'values',
  'answers',
  'requests',
  'mails',
  'events',
  'exits',
  'deadLetters',
];

/** The golden files as `[file name without .json, content]`. */
export function goldenFiles(): [string, GoldenFile][] {
  return readdirSync(GOLDEN_FOLDER)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => [file.replace(/\.json$/, ''), readGolden(file)]);
}

function readGolden(file: string): GoldenFile {
  const golden = JSON.parse(readFileSync(path.join(GOLDEN_FOLDER, file), 'utf8')) as GoldenFile;
  const keys = Object.keys(golden);
  const wrong = [...KEYS.filter((key) => !keys.includes(key)), ...keys.filter((key) => !KEYS.includes(key))];
  if (wrong.length > 0) throw new Error(`${file}: missing or unknown keys: ${wrong.join(', ')}`);
  return golden;
}

/** IdempotencyKeys a place in an expectation that fits more than one value. */
type Matcher = { $any: true } | { $matches: string };

function isMatcher(value: unknown): value is Matcher {
  return typeof value === 'object' && value !== null && ('$any' in value || '$matches' in value);
}

/**
 * The actual value as it has to stand beside `expected`: where a matcher fits, the matcher itself, so that `toEqual`
 * shows what does not fit and nothing else.
 */
export function fitted(actual: unknown, expected: unknown): unknown {
  if (isMatcher(expected)) return fits(actual, expected) ? expected : actual;
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((item, index) => fitted(item, expected[index]));
  }
  if (isObject(actual) && isObject(expected)) {
    return Object.fromEntries(
      Object.entries(actual).map(([key, value]) => [key, fitted(value, expected[key])]),
    );
  }
  return actual;
}

function fits(actual: unknown, matcher: Matcher): boolean {
  if ('$any' in matcher) return actual !== undefined;
  return typeof actual === 'string' && new RegExp(matcher.$matches, 'su').test(actual);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
