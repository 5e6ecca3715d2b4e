import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A sentence of a page, the file of the code that decides it, and the code that does, such as `PAUSE_MS = 10_000`. */
export type PageFact = [words: string, file: string, code: string];

const ROOT = path.resolve(__dirname, '../..');
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
const read = (file: string) => oneLine(readFileSync(path.join(ROOT, file), 'utf8'));

/** True if the text has the part, and the part ends no number or name in its middle. */
function hasWhole(text: string, part: string): boolean {
  const pattern = part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w.])${pattern}(?![\w]|\s\*\s)`).test(text);
}

/** Makes a test of each page, `operate/spool` for example: it says each of its facts as the code has it. */
export function testPageFacts(pages: Record<string, PageFact[]>): void {
  test.each(Object.entries(pages))('docs/%s.md has the figures of the code', (page, facts) => {
    const text = read(`docs/${page}.md`);
    const wrong = facts.flatMap(([words, file, code]) => [
      ...(text.includes(words) ? [] : [`the page does not say: ${words}`]),
      ...(hasWhole(read(file), code) ? [] : [`${file} does not have: ${code}`]),
    ]);
    expect(wrong).toEqual([]);
  });
}
