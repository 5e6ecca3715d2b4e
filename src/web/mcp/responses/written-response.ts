import { PayloadTooLarge } from '../../../platform/errors.js';
import type { JsonObject } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { choiceOf, chosen, leadsSomewhere } from './chosen-fields.js';
import { type Shortened, shortenedJson } from '../../../platform/json/shortened-json.js';

/** Characters of a response: about a fourth as many tokens of an assistant. */
export const CHARACTERS = { least: 1_000, unlessAsked: 60_000, most: 400_000 };
/** The notes beside a shortened response take no more than this, or half of a short one. */
const NOTE_CHARACTERS = 3_000;
/** So many places of each kind are named at most. */
const MAX_PLACES = 20;

/** The wanted form of a response. */
export interface ResponseForm {
  /** The paths of the parts that are wanted; undefined: all. */
  paths: readonly string[] | undefined;
  maxCharacters: number;
}

/** The response of a route. */
export interface ToolResponse {
  /** JSON; empty without a body. */
  text: string;
  /** Entries of the list that are not in the text: it would have been too long. */
  unkept: number;
}

/** A response, and what it is to be like. */
export interface ResponseOrder {
  /** An object as JSON. */
  response: ToolResponse;
  form: ResponseForm;
  /** The name of its list, if it is a page of one. */
  list: string | undefined;
  /** A page may have fewer entries. */
  hasPages: boolean;
  /** It is read to be sent back. */
  isSentBack: boolean;
}

/**
 * Returns the JSON of a response, or of the parts of it that were asked for. One that is too long is shortened, and says so.
 * Pure, so that a thread can run it.
 * @throws PayloadTooLarge instead, if it is a response that is read to be sent back.
 */
export function writtenResponse(order: ResponseOrder): string {
  const { response, form, list, isSentBack } = order;
  const isShort = response.text.length <= form.maxCharacters && response.unkept === 0;
  if (isShort && form.paths === undefined) return response.text;
  const isWhole = isSentBack && list === undefined;
  if (isWhole && form.paths === undefined) requireShort(response.text.length, form);
  const wanted = withFields(parseJson(response.text) as JsonObject, form);
  const text = stringifyJson(wanted);
  if (text.length <= form.maxCharacters && response.unkept === 0) return text;
  if (isWhole) requireShort(text.length, form);
  return shortText(wanted, text.length, order);
}

/** The parts that were asked for. The schema does not know the names in a payload: those that are nowhere are told. */
function withFields(response: JsonObject, { paths }: ResponseForm): JsonObject {
  if (paths === undefined) return response;
  const missing = paths.filter((path) => !leadsSomewhere(response, path));
  const parts = chosen(response, choiceOf(paths)) as JsonObject;
  return missing.length === 0 ? parts : { fields_not_found: missing, ...parts };
}

function requireShort(characters: number, { maxCharacters }: ResponseForm): void {
  if (characters <= maxCharacters) return;
  throw new PayloadTooLarge(
    `The response has ${characters} characters, and "max_chars" is ${maxCharacters}. It is not shortened, because it may be sent back: ${waysOn(maxCharacters)}.`,
  );
}

function shortText(response: JsonObject, characters: number, order: ResponseOrder): string {
  const { form, list, hasPages, isSentBack } = order;
  const { maxCharacters } = form;
  const { unkept } = order.response;
  const noteRoom = Math.min(NOTE_CHARACTERS, maxCharacters / 2);
  const whole = isSentBack ? list : undefined;
  const { value, ...places } = shortenedJson(response, { room: maxCharacters - noteRoom, whole });
  const entries = list === undefined ? undefined : value[list];
  const kept = Array.isArray(entries) ? entries.length : 0;
  if (whole !== undefined && kept === 0) requireShort(characters, form);
  if (list !== undefined && unkept > 0) places.leftOut.set(list, (places.leftOut.get(list) ?? 0) + unkept);
  const isCutPage = list !== undefined && places.leftOut.has(list) && hasPages;
  const why = `The full response has ${unkept > 0 ? 'more than ' : ''}${characters} characters, and "max_chars" is ${maxCharacters}.`;
  const rest = `For the rest ${waysOn(maxCharacters, isCutPage ? Math.max(1, kept) : undefined)}.`;
  const note = noteOf({ why, rest }, places, noteRoom - NOTE_MEMBER.length);
  return stringifyJson({ shortened: note, ...value });
}

const NOTE_MEMBER = '"shortened":,';

/** Names as many places as there is room for. */
function noteOf(words: { why: string; rest: string }, { cutTexts, leftOut }: Shortened, room: number) {
  for (let most = MAX_PLACES; most > 0; most -= 1) {
    const note = {
      why: words.why,
      ...(cutTexts.size > 0 && { cut_texts: [...cutTexts].slice(0, most) }),
      ...(leftOut.size > 0 && { left_out: Object.fromEntries(placesOf(leftOut).slice(0, most)) }),
      ...(Math.max(cutTexts.size, leftOut.size) > most && { more_places: true }),
      rest: words.rest,
    };
    if (stringifyJson(note).length <= room) return note;
  }
  return words;
}

function placesOf(leftOut: ReadonlyMap<string, number>): [string, number][] {
  return [...leftOut].map(([path, count]) => [path === '' ? 'the answer' : path, count]);
}

/** How to get what is not in a response; `entries`: as many as a page may have. */
function waysOn(maxCharacters: number, entries?: number): string {
  const ways = [
    ...(entries === undefined ? [] : [`request pages with "per_page": ${entries}`]),
    'choose "fields"',
    ...(maxCharacters < CHARACTERS.most ? [`use a larger "max_chars" (at most ${CHARACTERS.most})`] : []),
    'request less',
  ];
  return ways.join(', or ');
}
