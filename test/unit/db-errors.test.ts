import { isConnectionError, isLockConflict, isTransient } from '../../src/platform/mysql/db-errors.js';

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
