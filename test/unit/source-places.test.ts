import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withSourcePlace } from '../../src/platform/runtime/source-places.js';

describe('a stack frame of a bundle', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fabula-places-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('names the line of the source', () => {
    const bundle = path.join(folder, 'web.bundle.js');
    // Line 2 of the bundle is line 10 of src/a.ts; line 3 is of a package.
    writeFileSync(
      `${bundle}.map`,
      JSON.stringify({ version: 3, sources: ['../src/a.ts'], names: [], mappings: ';AASA;' }),
    );
    expect(withSourcePlace(`    at main (${bundle}:2:14)`, folder)).toBe('    at main (src/a.ts:10)');
    expect(withSourcePlace(`    at ${bundle}:2:1`, folder)).toBe('    at src/a.ts:10');
    expect(withSourcePlace(`    at query (${bundle}:3:1)`, folder)).toBe(`    at query (${bundle}:3:1)`);
  });

  it('stays as it is without a map, and outside of bundles', () => {
    for (const frame of [`    at main (${folder}/cli.bundle.js:2:14)`, '    at node:internal/process:1:2']) {
      expect(withSourcePlace(frame, folder)).toBe(frame);
    }
  });

  it('of another folder stays as it is, and a long line of a stranger takes no time', () => {
    const foreign = `    at main (${folder}/web.bundle.js:2:14)`;
    expect(withSourcePlace(foreign)).toBe(foreign);
    const long = `    at ${'a.bundle.js'.repeat(200_000)}`;
    const began = process.cpuUsage();
    expect(withSourcePlace(long, folder)).toBe(long);
    expect(process.cpuUsage(began).user).toBeLessThan(50_000);
  });
});
