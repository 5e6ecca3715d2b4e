const consoleConfig = require('./jest.console.config.js');

/** `npm run shots`: pictures of every page of the console, in `.cache/shots`. */
/** @type {import('jest').Config} */
module.exports = {
  ...consoleConfig,
  displayName: 'shots',
  testMatch: ['<rootDir>/test/console/**/*.shots.ts'],
};
