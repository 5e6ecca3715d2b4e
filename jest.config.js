const { availableParallelism } = require('node:os');
const { filesOf, suitesOf } = require('./test/support/suites.js');

/** The suites to run (`bin/test.mjs`); absent: whatever test is asked for. */
const chosen = suitesOf(process.env.FABULA_TEST_SUITES ?? 'all');
const isGate = chosen.includes('gate');

/** Compiles files with elements of React. */
const withJsx = [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
      target: 'es2022',
    },
    sourceMaps: true,
  },
];

/** What every project shares. */
const common = {
  testEnvironment: 'node',
  // Jest cannot require ES modules on Node 20: these packages have no other form.
  transformIgnorePatterns: ['/node_modules/(?!(?:@exodus/bytes|regexparam|wouter)/)'],
  transform: {
    '^.+\\.ts$': [
      '<rootDir>/test/support/lazy-faces.js',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, sourceMaps: true },
    ],
    '/node_modules/(?:@exodus/bytes|regexparam|wouter)/.+\\.js$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'ecmascript' }, target: 'es2022' } },
    ],
  },
  resolver: '<rootDir>/test/support/resolve-typescript.js',
};

/** Tests that need no store. */
const withoutStores = [
  { ...common, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.ts'] },
  {
    ...common,
    // Pieces of the console, in a page that Node makes up.
    displayName: 'components',
    testMatch: ['<rootDir>/test/unit/console/**/*.test.tsx'],
    testEnvironment: '@happy-dom/jest-environment',
    transform: { ...common.transform, '^.+\\.tsx$': withJsx },
    moduleNameMapper: { '\\.css$': '<rootDir>/test/support/console/no-styles.js' },
  },
];

/** @type {import('jest').Config} */
module.exports = {
  // Many tests wait for something: six files of the gate at a time keep two processors busy. Larger suites start more processes.
  maxWorkers: (chosen.length > 1 ? 2 : 3) * availableParallelism(),
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // Ends what hangs; how fast something is, the bench says.
  testTimeout: 240_000,
  // A worker with nothing left to do ends at once, but a busy machine may take more than half a second to free its memory.
  workerGracefulExitTimeout: 10_000,
  projects: [
    ...(isGate ? withoutStores : []),
    {
      ...common,
      displayName: 'stores',
      testMatch: [
        ...(isGate ? ['<rootDir>/test/{api,engine}/**/*.test.ts'] : []),
        ...filesOf(chosen).map((name) => `<rootDir>/test/system/${name}.test.ts`),
      ],
      testEnvironment: '<rootDir>/test/support/product/environment.js',
      moduleNameMapper: {
        '^knex$': '<rootDir>/test/support/product/kept-knex.js',
        '/thread-file\\.js$': '<rootDir>/test/support/product/built-thread.js',
      },
      globalSetup: '<rootDir>/test/support/global-setup.ts',
      setupFilesAfterEnv: ['<rootDir>/test/support/second-try.ts'],
      globalTeardown: '<rootDir>/test/support/global-teardown.ts',
    },
  ],
};
