const { default: Sequencer } = require('@jest/test-sequencer');

/** Kinds of tests, those that wait longest first: at the end of a run no long file is left alone. */
const KINDS = ['system', 'engine', 'api', 'unit'];
const kindOf = ({ path }) => KINDS.findIndex((kind) => path.includes(`/test/${kind}/`));

/** Orders test files by kind, and within a kind as Jest does: by their last duration, or by size. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of Jest's sequencer, not of an array
    const byDuration = super.sort(tests);
    return byDuration.toSorted((a, b) => kindOf(a) - kindOf(b));
  }
};
