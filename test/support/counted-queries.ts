import { Connection } from 'mysql2';

/** Statements that this process sends from now on; other test files on the same server do not count. */
export function countQueries(): () => number {
  const driver = Object.getPrototypeOf(Connection.prototype) as { query(...given: unknown[]): unknown };
  const spy = jest.spyOn(driver, 'query');
  return () => spy.mock.calls.length;
}
