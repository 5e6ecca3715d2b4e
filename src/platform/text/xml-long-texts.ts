import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';

/** Texts from this length on are extracted: the parser concatenates texts character by character, 32 bytes each. */
const LONG_TEXT = 256;
/** Most characters of one tag with its attributes, and of a document type: the parser reads them one by one too. */
const MAX_TAG = 512 * 1024;
const MAX_DOCTYPE = 64 * 1024;

const OPEN = '\uE000';
const CLOSE = '\uE001';
const MARK = /\uE000(\d+)\uE001/g;

/** A document whose long texts are replaced by placeholders, and these texts. */
export interface ShortDocument {
  document: string;
  texts: string[];
}

/** Extracts the long texts of a document; returns undefined if a tag or document type is too long. */
export function takeLongTexts(document: string): ShortDocument | undefined {
  // Its own private-use characters could not be distinguished from placeholders.
  if (document.includes(OPEN) || document.includes(CLOSE))
    return isReadable(document) ? { document, texts: [] } : undefined;
  const texts: string[] = [];
  const parts: string[] = [];
  for (let at = 0; at < document.length; ) {
    const markup = markupAt(document, at);
    if (markup === undefined) return undefined;
    const { start, contentStart, contentEnd, end } = markup;
    parts.push(
      ...document
        .slice(at, start)
        .split(/(?=&)/)
        .map((text) => marked(text, texts)),
      document.slice(start, contentStart),
      marked(document.slice(contentStart, contentEnd), texts),
      document.slice(contentEnd, end),
    );
    at = end;
  }
  return { document: parts.join(''), texts };
}

/** Inserts the long texts again into the parsed document. */
export function withLongTexts(value: JsonValue, texts: readonly string[]): JsonValue {
  if (texts.length === 0) return value;
  if (typeof value === 'string') return value.replace(MARK, (_, index: string) => texts[Number(index)] ?? '');
  if (Array.isArray(value)) return value.map((item) => withLongTexts(item, texts));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withLongTexts(item, texts)]);
  return Object.fromEntries(entries) as JsonObject;
}

/** Replaces a long text by a placeholder. Keeps white space at its ends, which the parser trims, and a leading reference. */
function marked(text: string, texts: string[]): string {
  if (text.length < LONG_TEXT) return text;
  const reference = /^&[^;<>\s]{0,40};?/.exec(text)?.[0].length ?? 0;
  const rest = text.slice(reference);
  const middle = rest.trim();
  if (middle === '') return text;
  const start = rest.indexOf(middle);
  texts.push(middle);
  const mark = `${OPEN}${texts.length - 1}${CLOSE}`;
  return text.slice(0, reference) + rest.slice(0, start) + mark + rest.slice(start + middle.length);
}

interface Markup {
  start: number;
  /** Start of the text inside it, such as that of a CDATA section. */
  contentStart: number;
  contentEnd: number;
  end: number;
}

/** Returns the next markup, or the document's end; undefined if the markup is too long. */
function markupAt(document: string, from: number): Markup | undefined {
  const start = document.indexOf('<', from);
  if (start === -1) return plain(document.length, document.length);
  if (document.startsWith('<![CDATA[', start)) {
    const end = endOf(document, ']]>', start);
    const contentStart = start + '<![CDATA['.length;
    return { start, contentStart, contentEnd: Math.max(contentStart, end - ']]>'.length), end };
  }
  if (document.startsWith('<!--', start)) return plain(start, endOf(document, '-->', start + 4));
  const isDoctype = document.startsWith('<!', start);
  const end = isDoctype ? endOfDoctype(document, start) : endOfTag(document, start);
  return end - start > (isDoctype ? MAX_DOCTYPE : MAX_TAG) ? undefined : plain(start, end);
}

function plain(start: number, end: number): Markup {
  return { start, contentStart: end, contentEnd: end, end };
}

function endOf(document: string, mark: string, from: number): number {
  const at = document.indexOf(mark, from);
  return at === -1 ? document.length : at + mark.length;
}

function endOfDoctype(document: string, start: number): number {
  const end = endOf(document, '>', start);
  return document.slice(start, end).includes('[')
    ? endOf(document, '>', endOf(document, ']', start) - 1)
    : end;
}

/** A `>` within quotes does not end a tag. */
function endOfTag(document: string, start: number): number {
  const mark = /["'>]/g;
  mark.lastIndex = start;
  for (let found = mark.exec(document); found !== null; found = mark.exec(document)) {
    if (found[0] === '>') return found.index + 1;
    const closed = document.indexOf(found[0], found.index + 1);
    if (closed === -1) break;
    mark.lastIndex = closed + 1;
  }
  return document.length;
}

function isReadable(document: string): boolean {
  for (let at = 0; at < document.length; ) {
    const markup = markupAt(document, at);
    if (markup === undefined) return false;
    at = markup.end;
  }
  return document.length <= MAX_TAG;
}
