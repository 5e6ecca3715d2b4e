import path from 'node:path';
import { gate } from '../suites.json';

/**
 * Tests of whole systems outside the gate get a second try: they run up to ten processes of their own, and what else the machine does
 * may hold up any one of them. The first failure is printed, and `.ci/run` lists these tests.
 */
const SYSTEM = `${path.sep}test${path.sep}system${path.sep}`;

const { testPath = '' } = expect.getState();
if (testPath.includes(SYSTEM) && !gate.includes(path.basename(testPath, '.test.ts'))) {
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
}
