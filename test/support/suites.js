const { gate, suites } = require('../suites.json');

/** The names of all suites: the gate, which every change passes, and those that some changes call for. */
const SUITES = ['gate', ...Object.keys(suites)];

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

module.exports = { SUITES, filesOf, suitesFor, suitesOf };
