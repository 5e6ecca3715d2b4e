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
import type { JsonObject, JsonValue } from '../../json.js';
import { ExactNumber, readNumeric } from '../../json/exact-number.js';
import { orderedObject } from '../../json/ordered-object.js';
import { TextFault } from '../text-fault.js';
import { isYamlDeeperThan } from './yaml-bounds.js';

const AS_JSON = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
/** A postcode or a number of a telephone, which as a number would be another one. */
const LEADING_ZERO = /^[-+]?0\d/;
/** A text of one line that is longer than this stands in lines of its own, if it would be quoted. */
const LONGEST_QUOTED = 60;
/** So many numbers stand in one line. */
const MOST_IN_LINE = 3;
/** Characters that a block would not keep, or nobody would see. */
const UNSEEN = /[^\P{C}\n\t]|[\u2028\u2029\u00a0]/u;
/** White space at the ends: only one line end at the end is sure to stay. */
const LOOSE_ENDS = /^\s|\s\s$|[ \t]$/;
/** No texts to readers of YAML 1.1: truths, numbers with `_` or `:`, dates, merges. */
const OF_OLD =
  /^(?:yes|no|on|off|=|<<|[-+]?[\d.][\d_.:]*(?:e[-+]?\d+)?|0[bx][\da-f_]+|\d{4}-\d\d?-\d\d?.*)$/i;
const NEEDS_QUOTES = /: |["'#\\]|^[\s[\]{}&*!|>%@`,?-]|:$/;

const EXACT: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof ExactNumber,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

/**
 * Returns the value as YAML 1.2 in blocks, with all digits of its numbers and its keys in their order. Long texts stand in
 * blocks; texts that a reader of YAML 1.1 takes for something else, such as `yes` and dates, stand in quotes.
 */
export function writeStrictYaml(value: JsonValue): string {
  const document = new Document(value, {
    version: '1.2',
    aliasDuplicateObjects: false,
    customTags: (tags) => [EXACT, ...tags],
  });
  visit(document, {
    Scalar(key, scalar) {
      const type = typeof scalar.value === 'string' ? typeOf(scalar.value, key === 'key') : undefined;
      if (type !== undefined) scalar.type = type;
    },
    Seq(_, list) {
      const isShort = list.items.length <= MOST_IN_LINE;
      list.flow = isShort && list.items.every((item) => isScalar(item) && typeof item.value === 'number');
    },
  });
  return document.toString({
    lineWidth: 0,
    indentSeq: false,
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  });
}

/** What is easier to read in lines of its own stands in a block. Undefined: the library chooses. */
function typeOf(text: string, isKey: boolean): Scalar.Type | undefined {
  const isSure = !UNSEEN.test(text) && !LOOSE_ENDS.test(text);
  const hasLines = text.includes('\n');
  const isLong = hasLines || (text.length > LONGEST_QUOTED && NEEDS_QUOTES.test(text));
  if (isLong && isSure && !isKey) return 'BLOCK_LITERAL';
  return isSure && !hasLines && !OF_OLD.test(text) ? undefined : 'QUOTE_DOUBLE';
}

/**
 * Parses a text of YAML 1.2 that a person may have edited, so far as it has the values of JSON: no references, and no key
 * twice. Numbers keep their digits and keys their order.
 * @throws TextFault with the line of the first fault.
 */
export function parseStrictYaml(text: string, mostDepth: number): JsonValue {
  if (isYamlDeeperThan(text, mostDepth)) {
    throw new TextFault(`is nested deeper than ${mostDepth} levels`, text, 0);
  }
  const document = parseDocument(text, {
    version: '1.2',
    logLevel: 'error',
    prettyErrors: false,
    intAsBigInt: true,
    uniqueKeys: false,
  });
  const [fault] = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (fault !== undefined) throw new TextFault(fault.message, text, fault.pos[0]);
  return createReader(text)(document.contents);
}

/** Returns a function that gives the value of a node of this text. */
function createReader(text: string): (node: unknown) => JsonValue {
  const fault = (message: string, node: unknown) =>
    new TextFault(message, text, (node as Node | null)?.range?.[0] ?? 0);

  function valueOf(node: unknown): JsonValue {
    if (node === null || node === undefined) return null;
    if (isMap(node)) return objectOf(node.items);
    if (isSeq(node)) return node.items.map(valueOf);
    if (isScalar(node)) return scalarOf(node);
    if (isAlias(node)) throw fault('references are not supported: write the value itself', node);
    throw fault('this is not a value of JSON', node);
  }

  function objectOf(pairs: readonly { key: unknown; value: unknown }[]): JsonObject {
    const entries = new Map<string, JsonValue>();
    for (const { key, value } of pairs) {
      const name = keyOf(key);
      if (entries.has(name)) throw fault(`the key "${name.slice(0, 100)}" is there twice`, key);
      entries.set(name, valueOf(value));
    }
    return orderedObject([...entries]);
  }

  function scalarOf(node: Scalar): JsonValue {
    const { value, source = '' } = node;
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    if (value === null || value === undefined) return null;
    if (typeof value !== 'number' && typeof value !== 'bigint')
      throw fault('this is not a value of JSON', node);
    if (LEADING_ZERO.test(source)) {
      throw fault(`${source} begins with 0: in quotes it is a text, without the 0 a number`, node);
    }
    if (AS_JSON.test(source)) return readNumeric(source);
    if (typeof value === 'bigint') return readNumeric(String(value));
    if (!Number.isFinite(value)) throw fault(`JSON has no number ${source}`, node);
    return value;
  }

  /** Keys are texts, as they are written: `443`, `true`. */
  function keyOf(node: unknown): string {
    if (node === null || node === undefined) return '';
    if (!isScalar(node)) throw fault('a key must be a text', node);
    return typeof node.value === 'string' ? node.value : (node.source ?? '');
  }

  return valueOf;
}
