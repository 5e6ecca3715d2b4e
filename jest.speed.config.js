const consoleConfig = require('./jest.console.config.js');

/** `npm run speed`: how fast pages of the console are with much to show (docs/understand/performance.md, The console). */
/** @type {import('jest').Config} */
module.exports = {
  ...consoleConfig,
  displayName: 'speed',
  testMatch: ['<rootDir>/test/console/**/*.speed.ts'],
};
