const { gate, suites } = require('../suites.json');

/** The names of all suites: the gate, which every change passes, and those that some changes call for. */
const SUITES = ['gate', ...Object.keys(suites)];

const SUITES_ARG = '--suites=';
/** An argument that holds what it asks for: `-t='a title'`, `--testPathPatterns=x`. */
const ASKS = /^(?:-t|--testNamePattern=|--testPathPatterns?=)/;

/** Returns the names in a list such as `gate,doors`; `all` is every suite. @throws for a name that is none. */
function suitesOf(list) {
  const names = list === 'all' ? SUITES : list.split(',').filter(Boolean);
  const wrong = names.find((name) => !SUITES.includes(name));
  if (wrong !== undefined) throw new Error(`There is no suite "${wrong}". There are: ${SUITES.join(', ')}`);
  return names;
}

/** Returns the tests in `test/system` that belong to these suites, by their names. */
function filesOf(names) {
  return names.flatMap((name) => (name === 'gate' ? gate : suites[name].files));
}

/**
 * Returns the suites for arguments of `npm test`: those of `--suites=…`; all, where a file or a title is asked for; else the gate.
 */
function suitesToRun(given) {
  const named = given.find((arg) => arg.startsWith(SUITES_ARG));
  if (named !== undefined) return named.slice(SUITES_ARG.length);
  return given.some((arg) => !arg.startsWith('-') || ASKS.test(arg)) ? 'all' : 'gate';
}

const within = (file, room) => file === room || file.startsWith(`${room}/`);

/** Returns the suites that changes of these files call for, the gate not among them. */
function suitesFor(changed) {
  return Object.entries(suites)
    .filter(
      ([, { files, rooms }]) =>
        changed.some((file) => rooms.some((room) => within(file, room))) ||
        files.some((name) => changed.includes(`test/system/${name}.test.ts`)),
    )
    .map(([name]) => name);
}

module.exports = { SUITES, SUITES_ARG, filesOf, suitesFor, suitesOf, suitesToRun };
