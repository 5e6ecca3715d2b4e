// Prints the tests that needed a second try, and "N passed, N failed", from Jest's JSON reports; exit code 1 when something failed or
// nothing ran.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const results = process.argv.slice(2).map(report);
const sum = (count) => results.reduce((total, result) => total + count(result), 0);
const passed = sum(({ numPassedTests }) => numPassedTests);
// A suite that could not be run has no tests to count, and is a failure all the same.
const failed = sum(({ numFailedTests, numRuntimeErrorTestSuites }) => numFailedTests + numRuntimeErrorTestSuites);
const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
const again = results.flatMap(passedAgain);
if (again.length > 0) process.stdout.write(`Passed at a later try only:\n${again.map((name) => `  ${name}\n`).join('')}`);
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function passedAgain({ testResults = [] }) {
  return testResults.flatMap(({ name, assertionResults = [] }) =>
    assertionResults
      .filter(({ status, invocations = 1 }) => status === 'passed' && invocations > 1)
      .map(({ fullName }) => `${path.relative('.', name)}: ${fullName}`),
  );
}

function report(file) {
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
