import { jsonLanguage } from '@codemirror/lang-json';
import { hasEntries, parseExact } from '../exact-json.js';
import { requireShallow, sameKey, TextFault, type TextFormat } from './text-format.js';

type Tree = ReturnType<typeof jsonLanguage.parser.parse>;
type Node = Tree['topNode'];

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

/** JSON in lines, with two spaces for each level. */
export const jsonFormat: TextFormat = {
  write: (value) => `${JSON.stringify(value, null, 2)}\n`,
  item: (value) => JSON.stringify(value, null, 2).replaceAll('\n', '\n    '),
  lists: (lists) => {
    const written = lists.map(([name, items]) => {
      const inside = items.length === 0 ? '[]' : `[\n    ${items.join(',\n    ')}\n  ]`;
      return `  ${JSON.stringify(name)}: ${inside}`;
    });
    return `{\n${written.join(',\n')}\n}\n`;
  },
  read: (text) => {
    try {
      const value = parseExact(text);
      requireUniqueKeys(text, value);
      return requireShallow({ value, offsetOf: (path) => offsetIn(text, path) });
    } catch (error) {
      throw faultOf(text, error);
    }
  },
};

/** A text or a key of JSON; of a key, the colon too. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** The parser keeps the last of equal keys. @throws TextFault at the second one. */
function requireUniqueKeys(text: string, value: unknown): void {
  let keys = 0;
  for (const [, colon] of text.matchAll(TOKEN)) if (colon !== undefined) keys += 1;
  if (keys === keysIn(value)) return;
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ node }) => {
      const seen = new Set<string>();
      for (const property of node.name === 'Object' ? node.getChildren('Property') : []) {
        const name = property.getChild('PropertyName');
        if (name === null) continue;
        const key = JSON.parse(text.slice(name.from, name.to)) as string;
        if (seen.has(key)) throw new TextFault(sameKey(key), name.from);
        seen.add(key);
      }
    },
  });
}

/** By levels: a text may nest deeper than a function can. */
function keysIn(value: unknown): number {
  let count = 0;
  for (let level = [value].filter(hasEntries); level.length > 0; ) {
    for (const each of level) if (!Array.isArray(each)) count += Object.keys(each).length;
    level = level.flatMap((each): unknown[] => Object.values(each)).filter(hasEntries);
  }
  return count;
}

/** Browsers say the place in words of their own, or not at all; what is wrong they say before it. */
function faultOf(text: string, error: unknown): TextFault {
  if (!(error instanceof SyntaxError)) throw error;
  const [, position] = /at position (\d+)/.exec(error.message) ?? [];
  const isEnd = /end of (?:JSON|data)/i.test(error.message);
  const at = position !== undefined ? Number(position) : isEnd ? text.trimEnd().length : firstFaultIn(text);
  return new TextFault(error.message.replace(/ (?:in JSON )?at (?:position|line) .*$/s, ''), at);
}

function firstFaultIn(text: string): number {
  let at = text.length;
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) at = Math.min(at, from);
    },
  });
  return at;
}

function offsetIn(text: string, path: readonly (string | number)[]): number {
  let node: Node | null = valuesIn(jsonLanguage.parser.parse(text).topNode)[0] ?? null;
  let at = node?.from ?? 0;
  for (const step of path) {
    node = node === null ? null : typeof step === 'number' ? itemOf(node, step) : memberOf(node, step, text);
    if (node === null) break;
    at = node.from;
  }
  return at;
}

const itemOf = (node: Node, at: number): Node | null =>
  node.name === 'Array' ? (valuesIn(node)[at] ?? null) : null;

/** Of equal keys the last one counts. */
function memberOf(node: Node, key: string, text: string): Node | null {
  const member = node.getChildren('Property').findLast((property) => {
    const name = property.getChild('PropertyName');
    return name !== null && JSON.parse(text.slice(name.from, name.to)) === key;
  });
  return member === undefined ? null : (valuesIn(member)[0] ?? null);
}

function valuesIn(node: Node): Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (VALUES.has(child.name)) found.push(child);
  }
  return found;
}
