// `npm run test:node -- 24`: unit tests and the flow test with another version of Node, in every process they start. Types are
// the same with every Node, so they are checked once, by `npm run check`. Where files or folders are named after the version,
// only their tests run in place of all unit tests.
// `newest` is the newest tested major version other than that of this process. With --if-available the exit code is 0 if
// that Node cannot be installed: another system than linux-x64, or no registry.
import path from 'node:path';
import { enter, ensureBuild, ensurePackages } from './bootstrap.mjs';
import { ensureNode, NodeUnavailable, newestOther, testedNodes } from './other-node.mjs';
import { BootstrapError, root, runNode } from './run.mjs';

const JEST = 'node_modules/jest/bin/jest.js';
const UNIT_TESTS = ['--selectProjects', 'unit'];
const FLOW_TEST = ['test/engine/flow.test.ts'];

/** Exit codes from here on mean that a signal ended the process. */
const ENDED_BY_SIGNAL = 128;

const say = (line) => process.stderr.write(`${line}\n`);

await enter(async () => {
  const [wanted, ...rest] = process.argv.slice(2);
  const flags = rest.filter((each) => each.startsWith('-'));
  const files = rest.filter((each) => !each.startsWith('-'));
  if (wanted === undefined || flags.some((flag) => flag !== '--if-available')) {
    const majors = Object.keys(testedNodes).join('|');
    throw new BootstrapError(`Usage: npm run test:node -- ${majors}|newest [--if-available] [FILE …]`);
  }
  const binary = await nodeFor(wanted, flags.length > 0);
  if (binary === undefined) return 0;
  await ensurePackages(say);
  await ensureBuild(say);
  return testWith(binary, files);
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

/** Runs both kinds of tests, also after a failed one, until a signal ends one. Returns the exit code. */
async function testWith(binary, files) {
  process.env.PATH = `${path.dirname(binary)}${path.delimiter}${process.env.PATH}`;
  // npm sets these two for what it starts.
  Object.assign(process.env, { NODE: binary, npm_node_execpath: binary });
  const failed = [];
  const steps = [
    { name: 'unit tests', args: files.length > 0 ? files : UNIT_TESTS },
    { name: 'flow test', args: FLOW_TEST },
  ];
  for (const { name, args } of steps) {
    say(`\n${name} with ${binary}`);
    const code = await runNode(JEST, args, root, binary);
    if (code >= ENDED_BY_SIGNAL) return code;
    if (code !== 0) failed.push(name);
  }
  say(failed.length === 0 ? 'All passed.' : `Failed: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}
