import { mkdtempSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { rotateLog } from '../../src/operate/embedded/log-rotation.js';
import { createJobLog, type EndedJob } from '../../src/engine/execute/call/job-log.js';
import { createJobSampler } from '../../src/engine/dispatch/adding/job-sampler.js';
import { recordingLogger } from '../support/recording-logger.js';

const job = (outcome: EndedJob['outcome']): EndedJob =>
  ({ delivery: { id: 1, attempts: 0 }, work: undefined, outcome, durationMs: 1 }) as EndedJob;

/** A job log at a level, with a clock that the test moves. */
function logAt(level: string) {
  let nowMs = 0;
  const recording = recordingLogger(level);
  const log = createJobLog(
    recording.logger,
    createJobSampler(() => nowMs),
  );
  return { log, lines: recording.lines, wait: (ms: number) => (nowMs += ms) };
}

test('a thousand failed jobs are logged, then ten a second, and the next line counts the others', () => {
  const { log, lines, wait } = logAt('info');
  for (let count = 0; count < 1_500; count += 1) log(job('failed'));
  expect(lines()).toHaveLength(1_000);
  wait(1_000);
  for (let count = 0; count < 20; count += 1) log(job('handled'));
  expect(lines()).toHaveLength(1_010);
  expect(lines()[1_000]).toMatchObject({ level: 'info', outcome: 'handled', left_out: 500 });
  wait(100);
  log(job('failed'));
  expect(lines()[1_010]).toMatchObject({ left_out: 10 });
});

test('jobs that did their work are logged at debug, and then all are', () => {
  const quiet = logAt('info');
  quiet.log(job('emitted' as never));
  expect(quiet.lines()).toEqual([]);
  const all = logAt('debug');
  for (let count = 0; count < 1_500; count += 1) all.log(job('failed'));
  expect(all.lines()).toHaveLength(1_500);
  expect(all.lines().some((line) => 'left_out' in line)).toBe(false);
});

test('a log file of npm start that is too large gets another name, in place of the last one', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fabula-log-'));
  try {
    const file = path.join(folder, 'web.log');
    rotateLog(file, 10);
    writeFileSync(file, '0123456789');
    rotateLog(file, 10);
    expect(existsSync(`${file}.1`)).toBe(false);
    for (const text of ['older than all', 'the last before']) {
      writeFileSync(file, text);
      rotateLog(file, 10);
    }
    expect(existsSync(file)).toBe(false);
    expect(readFileSync(`${file}.1`, 'utf8')).toBe('the last before');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
