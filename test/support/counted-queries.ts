import { Connection } from 'mysql2';

/**
 * Counts the statements that this process sends from now on; other test files on the same server do not count. It watches what a
 * connection's `query` calls: our connections, also those already open, have a `query` of their own.
 */
export function countQueries(): () => number {
  const driver = Object.getPrototypeOf(Connection.prototype) as { addCommand(command: object): unknown };
  const spy = jest.spyOn(driver, 'addCommand');
  return () => spy.mock.calls.filter(([command]) => 'sql' in command).length;
}
