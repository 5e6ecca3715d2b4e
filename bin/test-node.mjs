// `npm run test:node -- 24`: unit tests and the flow test with another version of Node, in every process they start. Types are
// the same with every Node, so they are checked once, by `npm run check`.
// `newest` is the newest tested major version other than that of this process. With --if-available the exit code is 0 if
// that Node cannot be installed: another system than linux-x64, or no registry.
import path from 'node:path';
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';
import { ensureNode, NodeUnavailable, newestOther, testedNodes } from './other-node.mjs';
import { BootstrapError, root, runNode } from './run.mjs';

const JEST = 'node_modules/jest/bin/jest.js';
const STEPS = [
  { name: 'unit tests', script: JEST, args: ['--selectProjects', 'unit'] },
  { name: 'flow test', script: JEST, args: ['test/engine/flow.test.ts'] },
];

/** Exit codes from here on mean that a signal ended the process. */
const ENDED_BY_SIGNAL = 128;

const say = (line) => process.stderr.write(`${line}\n`);

await enter(async () => {
  const [wanted, ...flags] = process.argv.slice(2);
  if (wanted === undefined || flags.some((flag) => flag !== '--if-available')) {
    const majors = Object.keys(testedNodes).join('|');
    throw new BootstrapError(`Usage: npm run test:node -- ${majors}|newest [--if-available]`);
  }
  const binary = await nodeFor(wanted, flags.length > 0);
  if (binary === undefined) return 0;
  await ensurePackages(say);
  await ensureBuild(say);
  return testWith(binary);
});

/** Returns the binary; undefined if it is not available and `optional`. */
async function nodeFor(wanted, optional) {
  const major = wanted === 'newest' ? newestOther() : wanted;
  try {
    return await ensureNode(major, say);
  } catch (error) {
    if (!optional || !(error instanceof NodeUnavailable)) throw error;
    say(`Skipped: the tests with Node ${major}. ${error.message}`);
    return undefined;
  }
}

/** Runs every step, also after a failed one, until a signal ends a step. Returns the exit code. */
async function testWith(binary) {
  process.env.PATH = `${path.dirname(binary)}${path.delimiter}${process.env.PATH}`;
  // npm sets these two for what it starts.
  Object.assign(process.env, { NODE: binary, npm_node_execpath: binary });
  const failed = [];
  for (const { name, script, args } of STEPS) {
    say(`\n${name} with ${binary}`);
    const code = await runNode(script, args, root, binary);
    if (code >= ENDED_BY_SIGNAL) return code;
    if (code !== 0) failed.push(name);
  }
  say(failed.length === 0 ? 'All passed.' : `Failed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}
