// Prints "N passed, N failed" from Jest's JSON report; exit code 1 when something failed or nothing ran.
import { readFileSync } from 'node:fs';

const file = process.argv[2];
const { passed, failed, skipped } = counts(report());
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** A suite that could not be run has no tests to count, and is a failure all the same. */
function counts(result) {
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

function report() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    process.stderr.write(`No report of the test run (${error.message})\n`);
    return {
      numPassedTests: 0,
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 0,
      numPendingTests: 0,
      numTodoTests: 0,
    };
  }
}
