import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LOCK = pathToFileURL(path.resolve(__dirname, '../../bin/checkout-lock.mjs')).href;

it('one process at a time installs or builds in a checkout, the others wait', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'fabula-checkout-'));
  const log = path.join(root, 'log');
  writeFileSync(log, '');
  const script = `
    import { appendFileSync } from 'node:fs';
    const { withCheckoutLock } = await import(${JSON.stringify(LOCK)});
    await withCheckoutLock(${JSON.stringify(root)}, () => undefined, async () => {
      appendFileSync(${JSON.stringify(log)}, 'begin ');
      await new Promise((resolve) => setTimeout(resolve, 50));
      appendFileSync(${JSON.stringify(log)}, 'end ');
    });`;
  try {
    const build = () => run(process.execPath, ['--input-type=module', '-e', script]);
    await Promise.all([build(), build(), build()]);
    expect(readFileSync(log, 'utf8')).toBe('begin end '.repeat(3));
  } finally {
    rmSync(root, { recursive: true });
  }
});
