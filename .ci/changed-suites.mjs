// Prints the suites of test/suites.json, separated by commas, that the changes since the last landing call for. `.ci/landed` names the
// commit that landed last: whoever works on after a landing writes it there. Where git does not know it, every suite is called for.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import suites from '../test/support/suites.js';

const landed = readFileSync(new URL('landed', import.meta.url), 'utf8').trim();
process.stdout.write(`${called().join(',')}\n`);

function called() {
  try {
    const args = ['diff', '--name-only', landed, 'HEAD'];
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return suites.suitesFor(execFileSync('git', args, options).split('\n').filter(Boolean));
  } catch {
    return suites.SUITES.filter((name) => name !== 'gate');
  }
}
