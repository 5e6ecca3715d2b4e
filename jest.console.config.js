const { availableParallelism } = require('node:os');
const { projects, testTimeout, testSequencer } = require('./jest.config.js');

const stores = projects.find(({ displayName }) => displayName === 'stores');

/** Pages for people, in a browser: apart from `npm test`, because they take minutes on a busy machine. */
/** @type {import('jest').Config} */
module.exports = {
  ...stores,
  displayName: 'console',
  testMatch: ['<rootDir>/test/console/**/*.test.ts'],
  testTimeout,
  testSequencer,
  // Half of the time a page waits: a browser for each processor keeps them busy.
  maxWorkers: availableParallelism(),
};
