import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createEngine } from '../../src/language/liquid/engine.js';

const page = readFileSync(path.resolve(__dirname, '../../docs/build/filters.md'), 'utf8');
const engine = createEngine();

/** Returns the names in the first column of the table under a heading. */
function namesUnder(heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
}

describe('docs/build/filters.md', () => {
  it('lists exactly the filters of the engine as those that exist', () => {
    const names = Object.keys(engine.filters).filter((name) => !name.startsWith('__'));
    expect(namesUnder('Filters that exist').toSorted()).toEqual(names.toSorted());
  });

  it('lists no filter of the engine as left out', () => {
    const names = namesUnder('Filters left out');
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => name in engine.filters)).toEqual([]);
  });

  it('lists exactly the tags of the engine, and the parts of blocks', () => {
    const parts = ['elsif', 'else', 'when'];
    expect(namesUnder('Tags that exist').toSorted()).toEqual(
      [...Object.keys(engine.tags), ...parts].toSorted(),
    );
  });

  it('lists no tag of the engine as left out', () => {
    expect(namesUnder('Tags left out').filter((name) => name in engine.tags)).toEqual([]);
  });
});
