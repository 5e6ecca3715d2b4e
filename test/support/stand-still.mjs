// For processes of tests: SIGUSR2 blocks the event loop for as long as others would miss a dead process, and not much longer.
import { writeSync } from 'node:fs';

const MS = 6_000;

process.on('SIGUSR2', () => {
  writeSync(1, 'the loop stands still\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MS);
  writeSync(1, 'the loop goes on\n');
});
