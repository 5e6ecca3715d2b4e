import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isConnectionError, isLockConflict, isTransient } from '../../src/platform/mysql/db-errors.js';
import { retryConflicts } from '../../src/platform/mysql/commit/retry-conflicts.js';
import { ERROR_CLASSES } from '../../src/platform/mysql/server-errors.js';

describe('errors of MySQL', () => {
  it.each([
    [1021, 'the disk is full'],
    [1026, 'a file could not be written'],
    [1114, 'the table is full'],
    [1040, 'too many connections'],
    [1290, 'the server is read-only'],
    [1317, 'the statement was killed'],
    [4031, 'the session was idle for too long'],
  ])('%i (%s) is the server’s trouble: the work waits, and events go to the spool', (errno) => {
    const error = Object.assign(new Error('MySQL says no'), { errno });
    expect([isConnectionError(error), isTransient(error)]).toEqual([true, true]);
  });

  it.each([1205, 1213])('%i is another transaction in the way: tried again, no outage', (errno) => {
    const error = Object.assign(new Error('MySQL says no'), { errno });
    expect([isLockConflict(error), isConnectionError(error), isTransient(error)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each([1062, 1264, 1366, 1406])('%i is wrong with the data: trying again is no use', (errno) => {
    expect(isTransient(Object.assign(new Error('MySQL says no'), { errno }))).toBe(false);
  });
});

describe('the table of errors in docs/operate/store-errors.md', () => {
  const page = readFileSync(path.join(__dirname, '../../docs/operate/store-errors.md'), 'utf8');
  const rows = page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, label = '']) => label in ERROR_CLASSES);

  it('has each class of the code, with its numbers', () => {
    const told = rows.map(([, label = '', , numbers = '']) => [
      label,
      numbers.split(', ').flatMap(numbersIn),
    ]);
    const inCode = Object.entries(ERROR_CLASSES).map(([label, numbers]) => [
      label,
      numbers.toSorted((a, b) => a - b),
    ]);
    expect(told).toEqual(inCode);
  });

  it('has no number twice', () => {
    const all = Object.values(ERROR_CLASSES).flat();
    expect(all).toHaveLength(new Set(all).size);
  });

  it.each([
    [1205, 'conflict'],
    [1213, 'conflict'],
    [3101, 'conflict'],
    [3572, 'conflict'],
    [1047, 'not serving'],
    [1290, 'not serving'],
    [1792, 'not serving'],
    [1836, 'not serving'],
    [1180, 'commit failed'],
    [3100, 'commit failed'],
    [4031, 'ended'],
  ] as const)('says of %i that it is: %s', (errno, label) => {
    expect(ERROR_CLASSES[label]).toContain(errno);
  });
});

describe('an error during COMMIT', () => {
  it('is a conflict if the engine says 149, in any language', () => {
    for (const text of ['Got error 149 "Lock deadlock" during COMMIT', 'Fehler 149 beim COMMIT']) {
      expect([isLockConflict(failed(text)), isConnectionError(failed(text))]).toEqual([true, false]);
    }
  });

  it('has an unknown outcome otherwise', () => {
    const full = failed('Got error 28 "No space left on device" during COMMIT');
    expect([isLockConflict(full), isConnectionError(full)]).toEqual([false, true]);
  });
});

/** `1158–1161` are four numbers. */
function numbersIn(text: string): number[] {
  const [first = 0, last = first] = text.split('–').map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function failed(message: string): Error {
  return Object.assign(new Error(message), { errno: 1180 });
}

it('a transaction of the API is tried five times, then it is a 503', async () => {
  let tries = 0;
  const work = () => {
    tries += 1;
    return Promise.reject(Object.assign(new Error('Deadlock found'), { errno: 1213 }));
  };
  await expect(retryConflicts(work)).rejects.toMatchObject({ status: 503 });
  expect(tries).toBe(5);
});
