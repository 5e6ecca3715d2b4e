import { parseDocument, type Scalar, type ScalarTag, stringify, type Tags, visit } from 'yaml';
import type { JsonObject, JsonValue } from '../../json.js';
import { ExactNumber, readNumeric, stringifyJson } from '../../json/exact-number.js';
import { orderedObject } from '../../json/ordered-object.js';
import { textOfBytes } from '../byte-text.js';
import { isYamlDeeperThan, yamlExcess } from './yaml-bounds.js';

const TIMESTAMP = 'tag:yaml.org,2002:timestamp';
const BOOLEAN = 'tag:yaml.org,2002:bool';
const DATE_TIME =
  /^(\d{4}-\d{1,2}-\d{1,2})(?:(?:[Tt]|[ \t]+)(\d{1,2}:\d{2}:\d{2}(?:\.\d+)?)(?:[ \t]*(Z|[-+]\d{1,2}(?::?\d{2})?))?)?$/;
const BOUNDS = { depth: 200, values: 500_000 };
const EXCESS = {
  depth: `nested deeper than ${BOUNDS.depth} levels`,
  values: `its aliases stand for more than ${BOUNDS.values} values`,
};

export interface ReadYamlOptions {
  /** Whether times become texts such as `2007-04-01 12:00:00 UTC`; otherwise they stay as they are written. */
  readsTimes: boolean;
  /** Whether `:name` is read as the name alone, as Ruby's symbols. */
  readsSymbols: boolean;
}

/**
 * Returns the value of the first document of a YAML 1.1 text, as Ruby reads it. Keys keep their order and become texts.
 * @throws Error for a text that is not YAML, nests too deep, or stands for too much: its message says where, or why.
 */
export function readYaml(text: string, { readsTimes, readsSymbols }: ReadYamlOptions): JsonValue {
  if (isYamlDeeperThan(text, BOUNDS.depth)) throw new Error(EXCESS.depth);
  const document = parseDocument(text, {
    version: '1.1',
    logLevel: 'error',
    prettyErrors: true,
    intAsBigInt: true,
    uniqueKeys: false,
    customTags: (tags) => asRuby(tags, readsTimes),
  });
  const fault = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
  if (fault !== undefined) throw new Error(firstLine(fault.message));
  const excess = yamlExcess(document, BOUNDS);
  if (excess !== undefined) throw new Error(EXCESS[excess]);
  visit(document, {
    Scalar(_, scalar) {
      if (scalar.type === 'PLAIN') scalar.value = asWritten(scalar, readsSymbols);
    },
  });
  return jsonOf(document.toJS({ mapAsMap: true, maxAliasCount: -1 }));
}

/** Decimals keep their digits. */
function asWritten({ value, source = '' }: Scalar, readsSymbols: boolean): unknown {
  if (typeof value === 'number' && /^-?\d+\.\d+(?:e[-+]?\d+)?$/i.test(source)) return readNumeric(source);
  return readsSymbols && typeof value === 'string' ? value.replace(/^:(?=[A-Za-z_])/, '') : value;
}

/** Returns the value as a YAML document in blocks, with `---` before it. */
export function writeYaml(value: unknown): string {
  const text = stringify(value ?? null, {
    version: '1.1',
    indentSeq: false,
    lineWidth: 0,
    nullStr: '',
    aliasDuplicateObjects: false,
    customTags: (tags) => [EXACT, ...tags],
  });
  const isBlock = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  return isBlock ? `---\n${text}` : `--- ${text}`;
}

/** Ruby knows fewer words for TRUE and FALSE than YAML 1.1: `y` and `n` are texts. */
const WORDS: ScalarTag[] = [
  { tag: BOOLEAN, default: true, test: /^(?:yes|true|on)$/i, resolve: () => true },
  { tag: BOOLEAN, default: true, test: /^(?:no|false|off)$/i, resolve: () => false },
];
const TIME: ScalarTag = {
  tag: TIMESTAMP,
  default: true,
  test: DATE_TIME,
  resolve: (text) => timeText(text),
};

const EXACT: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof ExactNumber,
  resolve: (text) => readNumeric(text),
  stringify: ({ value }) => String(value),
};

function asRuby(tags: Tags, readsTimes: boolean): Tags {
  const others = tags.filter(
    (tag) => typeof tag === 'string' || (tag.tag !== TIMESTAMP && tag.tag !== BOOLEAN),
  );
  return [...others, ...WORDS, ...(readsTimes ? [TIME] : [])];
}

/** A date stays one; a time is shown in UTC. */
function timeText(text: string): string {
  const [, day = '', time, zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (time === undefined) return text;
  const [year, month, date] = day.split('-').map((part) => part.padStart(2, '0'));
  const [hour = '', ...rest] = time.split(':');
  const offset =
    zone === 'Z' ? zone : zone.replace(/^([-+])(\d)(?!\d)/, '$10$2').replace(/^(.{3})$/, '$1:00');
  const at = new Date(`${year}-${month}-${date}T${hour.padStart(2, '0')}:${rest.join(':')}${offset}`);
  if (Number.isNaN(at.getTime())) return text;
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Values that JSON does not have become what is closest: bytes their text, sets lists, endless numbers their names. */
function jsonOf(value: unknown): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return readNumeric(String(value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return textOfBytes(value);
  if (value instanceof Set) return [...value].map(jsonOf);
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Map) return objectOf(value);
  return value as JsonValue;
}

function objectOf(map: ReadonlyMap<unknown, unknown>): JsonObject {
  return orderedObject([...map].map(([key, item]) => [keyText(jsonOf(key)), jsonOf(item)] as const));
}

function keyText(key: JsonValue): string {
  return typeof key === 'string' ? key : stringifyJson(key);
}

/** Messages go on with the line of the text, which may be a secret or very long. */
function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/:$/, '') ?? message;
}
