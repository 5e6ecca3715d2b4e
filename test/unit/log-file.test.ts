import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createLogFile } from '../../src/operate/cli/start/log-file.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'fabula-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a log file', () => {
  test('I1: that cannot be written loses lines, tells so once, and later says how much is missing', () => {
    const file = path.join(folder, 'web.log');
    const troubles: string[] = [];
    symlinkSync('/dev/full', file);
    const write = createLogFile(file, ({ message }) => troubles.push(message));
    write('first\n');
    write('second\n');
    expect(troubles).toEqual([expect.stringContaining('ENOSPC')]);
    rmSync(file);
    write('third\n');
    write('fourth\n');
    expect(readFileSync(file, 'utf8')).toBe(
      '\n13 characters are missing: the log was not writable\nthird\nfourth\n',
    );
  });
});
