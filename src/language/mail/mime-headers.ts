import { bytesOf } from '../../platform/text/byte-text.js';
import { decodeLeniently } from '../../platform/text/charsets/decode-bytes.js';
import { decodeWords } from './mime-words.js';

export interface MimeHeader {
  name: string;
  /** The unfolded value, bytes as latin-1 text. */
  raw: string;
}

const MAX_HEADERS = 1_000;
/** Most characters of one header, its continuation lines included; the rest is ignored. */
const MAX_HEADER_CHARACTERS = 100_000;
const MAX_PARAMETERS = 500;

/** Returns the headers at the start of a part and the index of its body. Expects bytes as latin-1 text. */
export function readHeaders(
  latin1: string,
  checkTime: () => void,
): { headers: MimeHeader[]; bodyStart: number } {
  const headers: MimeHeader[] = [];
  let position = 0;
  while (position < latin1.length && headers.length < MAX_HEADERS) {
    checkTime();
    const lineEnd = endOfLine(latin1, position);
    const line = latin1.slice(position, lineEnd).replace(/\r?\n$/, '');
    if (line === '') return { headers, bodyStart: lineEnd };
    addLine(headers, line);
    position = lineEnd;
  }
  return { headers, bodyStart: position };
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

/** A line that starts with white space continues the previous header. */
function addLine(headers: MimeHeader[], line: string): void {
  const last = headers.at(-1);
  if (/^[ \t]/.test(line)) {
    const room = MAX_HEADER_CHARACTERS - (last?.raw.length ?? 0);
    if (last !== undefined && room > 0) last.raw += ` ${line.trim()}`.slice(0, room);
    return;
  }
  const colon = line.indexOf(':');
  const raw = line.slice(colon + 1, colon + 1 + MAX_HEADER_CHARACTERS).trim();
  if (colon > 0) headers.push({ name: line.slice(0, Math.min(colon, MAX_HEADER_CHARACTERS)).trim(), raw });
}

export function headerText(headers: readonly MimeHeader[], name: string): string | undefined {
  const header = headers.find((candidate) => candidate.name.toLowerCase() === name);
  return header === undefined ? undefined : decodeWords(header.raw);
}

/** `text/plain; charset="utf-8"` → the value in lower case and its parameters (RFC 2231 forms included). */
export function parameterised(
  headers: readonly MimeHeader[],
  name: string,
): { value: string; parameters: Map<string, string> } {
  const raw = headers.find((header) => header.name.toLowerCase() === name)?.raw ?? '';
  const [value = ''] = raw.split(';', 1);
  const parameters = new Map<string, string>();
  for (const match of raw.slice(value.length).matchAll(PARAMETER)) {
    const [, key = '', quoted, bare = ''] = match;
    addParameter(parameters, key.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? bare);
    if (parameters.size >= MAX_PARAMETERS) break;
  }
  return { value: value.trim().toLowerCase(), parameters };
}

const PARAMETER = /;\s{0,100}([\w*.-]{1,100})=(?:"((?:[^"\\]|\\.){0,2000})"|([^\s;"]{0,2000}))/g;

/** Joins `filename*=utf-8''a%20b` and `filename*0=…; filename*1=…` under `filename`. */
function addParameter(parameters: Map<string, string>, key: string, value: string): void {
  const [name = '', section] = key.split('*');
  if (!key.includes('*')) {
    parameters.set(key, decodeWords(value));
    return;
  }
  const isFirst = section === '' || section === '0' || section === undefined;
  const before = isFirst ? '' : (parameters.get(name) ?? '');
  parameters.set(name, before + (key.endsWith('*') ? decodeExtended(value) : value));
}

function decodeExtended(value: string): string {
  const [, charset, content] = /^([\w-]*)'[\w-]*'(.*)$/s.exec(value) ?? [undefined, undefined, value];
  const bytes = (content ?? '').replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decodeLeniently(Buffer.from(bytes, 'latin1'), charset === '' ? undefined : charset);
}

/** Returns the headers by name as written; a repeated one has the list of its values. */
export function headerObject(
  headers: readonly MimeHeader[],
  checkTime: () => void,
): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const { name, raw } of headers) {
    checkTime();
    values.set(name, [...(values.get(name) ?? []), decodeWords(raw)]);
  }
  return Object.fromEntries(
    [...values].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? '') : list]),
  );
}

/** Returns the bytes of a mail, one character each. */
export function latin1Of(text: string): string {
  return bytesOf(text).toString('latin1');
}
