import type { Database } from '../../src/platform/mysql/database.js';

/**
 * Has `act` done in each group transaction of `database`, after its statements and before its COMMIT: which otherwise goes
 * with them (decision 0021).
 */
export function beforeCommit(database: Pick<Database, 'groupTransaction'>, act: () => Promise<void>): void {
  const transaction = database.groupTransaction.bind(database);
  database.groupTransaction = (work) =>
    transaction(async (session) => {
      const result = await work({ ...session, runAll: (statements) => session.runAll(statements) });
      await act();
      return result;
    });
}
