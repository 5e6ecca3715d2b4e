/** A text inside JSON text. */
export interface TextInJson {
  text: string;
  /** Returns the offset in the JSON text of a character of the text. */
  rawAt: (offset: number) => number;
}

const LITERAL = /"(?:[^"\\]|\\.)*"/gs;
const UNIT = /\\u[0-9a-fA-F]{4}|\\.|[^]/g;

/** Returns the texts of valid JSON, without the keys of objects, in their order. */
export function textsOfJson(json: string): TextInJson[] {
  return [...json.matchAll(LITERAL)].flatMap(({ 0: literal, index }): TextInJson[] => {
    const isKey = /^\s*:/.test(json.slice(index + literal.length, index + literal.length + 100));
    if (isKey) return [];
    const start = index + 1;
    if (!literal.includes('\\')) return [{ text: literal.slice(1, -1), rawAt: (offset) => start + offset }];
    const starts = [...literal.slice(1, -1).matchAll(UNIT)].map((unit) => start + unit.index);
    return [{ text: String(JSON.parse(literal)), rawAt: (offset) => starts[offset] ?? start }];
  });
}
