import path from 'node:path';

/**
 * Tests of whole systems get a second try: they run up to ten processes of their own, and what else the machine does may hold
 * up any one of them. The first failure is printed, and `.ci/run` lists these tests.
 */
const SYSTEM = `${path.sep}test${path.sep}system${path.sep}`;

if (expect.getState().testPath?.includes(SYSTEM) === true) {
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
}
