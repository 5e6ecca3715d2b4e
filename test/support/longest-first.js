const { default: Sequencer } = require('@jest/test-sequencer');

/** Kinds of tests that wait for others, those that wait longest first: at the end of a run no long file is left alone. */
const KINDS = ['system', 'engine', 'api'];
const kindOf = ({ path }) => KINDS.findIndex((kind) => path.includes(`/test/${kind}/`));

/** Spreads each list over the whole: of two lists, either is half done when the other is. */
const spread = (...lists) =>
  lists
    .flatMap((list) => list.map((test, index) => ({ test, place: (index + 0.5) / list.length })))
    .toSorted((a, b) => a.place - b.place)
    .map(({ test }) => test);

/**
 * Orders test files by kind, and within a kind as Jest does: by their last duration, or by size. Tests that only compute stand
 * between those that wait, so that the processors have work during the whole run.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    // oxlint-disable-next-line unicorn/no-array-sort -- a method of Jest's sequencer, not of an array
    const byDuration = super.sort(tests);
    const waiting = byDuration
      .filter((test) => kindOf(test) !== -1)
      .toSorted((a, b) => kindOf(a) - kindOf(b));
    return spread(
      waiting,
      byDuration.filter((test) => kindOf(test) === -1),
    );
  }
};
