import { type CST, type Document, isAlias, isCollection, isPair, type Node, Parser } from 'yaml';

/** The most that a YAML document may stand for. */
export interface YamlBounds {
  /** Lists and maps in each other. */
  depth: number;
  /** Values, each as often as aliases repeat it. */
  values: number;
}

/** To find the anchors of so many aliases takes the library about a second. */
const MOST_ALIASES = 10_000;

/** What a part of a document stands for, once its aliases are filled in. */
interface Extent {
  values: number;
  height: number;
}

/**
 * Whether a YAML text nests deeper than this. Ask before it is read: reading goes down by recursion, and V8 ends the whole
 * process if it compiles a pattern where the stack is nearly used up.
 */
export function isYamlDeeperThan(text: string, most: number): boolean {
  let level: (CST.Token | null | undefined)[] = [...new Parser().parse(text)];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}

/**
 * Returns which bound a document exceeds, undefined if none. Ask before its value is taken: a short text can stand for more
 * values than fit in memory. An alias in its own anchor nests without end.
 */
export function yamlExcess(document: Document, bounds: YamlBounds): keyof YamlBounds | undefined {
  const anchors = new Map<string, Extent>();
  let aliases = 0;
  const extentOf = (node: unknown): Extent => {
    if (isAlias(node)) {
      aliases += 1;
      return anchors.get(node.source) ?? { values: 1, height: 0 };
    }
    const extent = { values: 1, height: Number.POSITIVE_INFINITY };
    const { anchor } = node as Node;
    if (anchor !== undefined) anchors.set(anchor, extent);
    const items = isCollection(node) ? node.items : [];
    const parts = items.flatMap((item) => (isPair(item) ? [item.key, item.value] : [item])).filter(isPresent);
    let height = 0;
    for (const part of parts.map(extentOf)) {
      extent.values += part.values;
      height = Math.max(height, 1 + part.height);
    }
    extent.height = height;
    return extent;
  };
  if (document.contents === null) return undefined;
  const { values, height } = extentOf(document.contents);
  if (height > bounds.depth) return 'depth';
  return values > bounds.values || aliases > MOST_ALIASES ? 'values' : undefined;
}

const isPresent = (node: unknown) => node !== null && node !== undefined;

function partsOf(token: CST.Token | null | undefined): (CST.Token | null | undefined)[] {
  if (token === null || token === undefined) return [];
  if (token.type === 'document') return [token.value];
  return 'items' in token ? token.items.flatMap(({ key, value }) => [key, value]) : [];
}
