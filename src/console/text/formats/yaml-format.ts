import {
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  type Scalar,
  type ScalarTag,
  visit,
} from 'yaml';
import { hasEntries, LongNumber, parseExact } from '../exact-json.js';
import { type ReadText, requireShallow, sameKey, TextFault, type TextFormat } from './text-format.js';
import { itemsIn } from './yaml-items.js';

const AS_JSON = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** A text of one line that is longer than this stands in lines of its own, if it would be quoted. */
const LONGEST_QUOTED = 60;
/** What a block would not keep: characters that are not seen, and white space at the ends. */
const UNSEEN = /[^\P{C}\n\t]|[\u2028\u2029\u00a0]/u;
const LOOSE_ENDS = /^\s|\s\s$|[ \t]$/;
/** No texts to readers of YAML 1.1: truths, numbers with `_` or `:`, dates. They do not agree on `y`, a common key. */
const OF_OLD =
  /^(?:yes|no|on|off|=|<<|[-+]?[\d.][\d_.:]*(?:e[-+]?\d+)?|0[bx][\da-f_]+|\d{4}-\d\d?-\d\d?.*)$/i;
const NEEDS_QUOTES = /: |["'#\\]|^[\s[\]{}&*!|>%@`,?-]|:$/;

/** Numbers keep the digits that they are written with. */
const LONG: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof LongNumber,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/**
 * YAML 1.2 in blocks. Texts that older readers take for something else, such as `yes` and dates, are quoted. References
 * are no part of it: the next writing would lose them.
 */
export const yamlFormat: TextFormat = {
  write: written,
  item: (value) => written([value]),
  lists: (lists) =>
    lists
      .map(([name, items]) => (items.length === 0 ? `${name}: []\n` : `${name}:\n${items.join('')}`))
      .join(''),
  read: (text) => {
    try {
      return requireShallow(readByItems(text) ?? readWhole(text));
    } catch (error) {
      // It goes down by recursion.
      if (error instanceof RangeError) throw new TextFault('This nests too deep to be read.', 0);
      throw error;
    }
  },
};

/** The items of the last text: while a person types in one of many, the others need not be read again. */
let known: ReadonlyMap<string, ReadItem> = new Map();

interface ReadItem {
  node: unknown;
  value: unknown;
}

/** Returns undefined for a text of another form, and for one with a fault, whose place depends on the whole. */
function readByItems(text: string): ReadText | undefined {
  const lists = itemsIn(text);
  if (lists === undefined) return undefined;
  const read = new Map<string, ReadItem>();
  try {
    for (const { items } of lists) {
      for (const item of items) read.set(item.text, known.get(item.text) ?? itemOf(item.text));
    }
  } catch (error) {
    if (error instanceof TextFault) return undefined;
    throw error;
  }
  known = read;
  const value = Object.fromEntries(
    lists.map(({ name, items }) => [name, items.map((item) => read.get(item.text)?.value)]),
  );
  const offsetOf: ReadText['offsetOf'] = ([name, at, ...path]) => {
    const list = lists.find((each) => each.name === name);
    const item = list?.items[Number(at)];
    if (item === undefined) return list?.from ?? 0;
    return item.from + offsetIn(read.get(item.text)?.node, path);
  };
  return { value, offsetOf };
}

function itemOf(text: string): ReadItem {
  const { contents } = parsed(text);
  if (!isSeq(contents) || contents.items.length !== 1) throw new TextFault('This is not an item.', 0);
  const [node] = contents.items;
  return { node, value: valueOf(node) };
}

function readWhole(text: string): ReadText {
  const { contents } = parsed(text);
  return { value: valueOf(contents), offsetOf: (path) => offsetIn(contents, path) };
}

function written(value: unknown): string {
  const document = new Document(value, {
    version: '1.2',
    aliasDuplicateObjects: false,
    customTags: (tags) => [LONG, ...tags],
  });
  visit(document, {
    Scalar(key, scalar) {
      const type = typeof scalar.value === 'string' ? typeOf(scalar.value, key === 'key') : undefined;
      if (type !== undefined) scalar.type = type;
    },
  });
  return document.toString({ lineWidth: 0, indentSeq: false, doubleQuotedMinMultiLineLength: Infinity });
}

/** What is easier to read in lines of its own stands in a block. Undefined: the library chooses. */
function typeOf(text: string, isKey: boolean): Scalar.Type | undefined {
  const isSure = !UNSEEN.test(text) && !LOOSE_ENDS.test(text);
  const hasLines = text.includes('\n');
  const isLong = hasLines || (text.length > LONGEST_QUOTED && NEEDS_QUOTES.test(text));
  if (isLong && isSure && !isKey) return 'BLOCK_LITERAL';
  return isSure && !hasLines && !OF_OLD.test(text) ? undefined : 'QUOTE_DOUBLE';
}

function parsed(text: string): Document.Parsed {
  const document = parseDocument(text, {
    version: '1.2',
    logLevel: 'error',
    prettyErrors: false,
    intAsBigInt: true,
  });
  const [fault] = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (fault !== undefined) throw new TextFault(fault.message, fault.pos[0]);
  return document;
}

function valueOf(node: unknown): unknown {
  if (node === null || node === undefined) return null;
  if (isMap(node)) {
    const entries = new Map<string, unknown>();
    for (const { key, value } of node.items) {
      const name = keyOf(key);
      // YAML tells 443 from "443"; the keys of JSON are texts.
      if (entries.has(name)) throw new TextFault(sameKey(name), startOf(key));
      entries.set(name, valueOf(value));
    }
    return Object.fromEntries(entries);
  }
  if (isSeq(node)) return node.items.map(valueOf);
  if (isScalar(node)) return scalarOf(node);
  const at = startOf(node);
  if (isAlias(node)) throw new TextFault('References are not supported: write the value itself.', at);
  throw new TextFault('This is not a JSON value.', at);
}

function scalarOf(node: Scalar): unknown {
  const { value, source = '' } = node;
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    if (hasEntries(value)) throw new TextFault('This is not a JSON value.', startOf(node));
    return value ?? null;
  }
  if (AS_JSON.test(source)) return parseExact(source);
  if (typeof value === 'bigint') return parseExact(String(value));
  if (!Number.isFinite(value)) throw new TextFault(`JSON has no number ${source}.`, startOf(node));
  return value;
}

/** Keys are texts, as they are written: `443`, `true`. */
function keyOf(node: unknown): string {
  if (node === null || node === undefined) return '';
  if (!isScalar(node)) throw new TextFault('A key must be a string.', startOf(node));
  return typeof node.value === 'string' ? node.value : (node.source ?? '');
}

function offsetIn(root: unknown, path: readonly (string | number)[]): number {
  let node: unknown = root;
  let at = startOf(root);
  for (const step of path) {
    if (isSeq(node)) node = node.items[Number(step)];
    else if (isMap(node)) {
      const pair = node.items.find(({ key }) => keyOf(key) === step);
      node = pair?.value ?? pair?.key;
    } else break;
    if (node === undefined) break;
    at = startOf(node);
  }
  return at;
}

const startOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? 0;
