import { analyzeSync, type Template } from 'liquidjs';

interface ParsedTemplate {
  templates: Template[];
  failure?: Error;
}

/**
 * Returns the offsets at which a Liquid text refers to a value of the event by this name, ascending; undefined if it cannot
 * be read.
 *
 * The parse tree belongs to the normalised text (normalise.ts), which has other offsets. So the text is parsed twice: as
 * it is, and with a mark of its own in place of each word that is the name. The marks that are variables of the second tree
 * are, in the order of the tree, the uses of the name in the first one.
 */
export function liquidPlaces(
  source: string,
  name: string,
  parse: (text: string) => ParsedTemplate,
): number[] | undefined {
  const used = usesIn(parse(source));
  if (used === undefined) return undefined;
  const uses = used.variables.filter(({ segments: [root] }) => root === name);
  if (uses.length === 0) return [];
  const words = wordsIn(source, name);
  const marks = marksFor(source);
  const marked = usesIn(parse(markedText(source, { words, length: name.length, markOf: marks.make })));
  const order = marked?.variables.flatMap(({ segments: [root] }) => marks.read(root));
  if (order?.length !== uses.length) return undefined;
  const free = order.filter((_word, index) => used.globals.has(uses[index]));
  return [...new Set(free.flatMap((word) => words[word] ?? []))].toSorted((one, other) => one - other);
}

/** Returns the variables in the order of the tree, and those that the text does not set itself. */
function usesIn({ templates, failure }: ParsedTemplate) {
  if (failure !== undefined) return undefined;
  try {
    const { variables, globals } = analyzeSync(templates, { partials: false });
    return {
      variables: Object.values(variables).flat(),
      globals: new Set<unknown>(Object.values(globals).flat()),
    };
  } catch (error) {
    // Tags so deeply nested that the analysis overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** Returns the offsets of a name as a whole word, but not as the name of a tag. */
function wordsIn(source: string, name: string): number[] {
  const word = new RegExp(String.raw`(?=${name})(?<!\w)(?<!\{%-?\s*)${name}(?!\w)`, 'g');
  return [...source.matchAll(word)].map(({ index }) => index);
}

/** Returns names that the text does not have: one for each number. */
function marksFor(source: string) {
  let turn = 0;
  while (source.includes(`q${turn}z`)) turn += 1;
  const pattern = new RegExp(`^q${turn}z(\\d+)$`);
  return {
    make: (index: number) => `q${turn}z${index}`,
    /** Returns the number of a mark; of any other value none. */
    read(root: unknown): number[] {
      const [, index] = (typeof root === 'string' && pattern.exec(root)) || [];
      return index === undefined ? [] : [Number(index)];
    },
  };
}

interface Marking {
  words: readonly number[];
  length: number;
  markOf: (index: number) => string;
}

function markedText(source: string, { words, length, markOf }: Marking): string {
  let end = 0;
  const parts = words.map((at, index) => {
    const before = source.slice(end, at);
    end = at + length;
    return before + markOf(index);
  });
  return parts.join('') + source.slice(end);
}
