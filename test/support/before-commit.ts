import type { Database } from '../../src/platform/mysql/database.js';

/** Has `act` done in each group transaction of `database`, after its statements and before its COMMIT. */
export function beforeCommit(database: Pick<Database, 'groupTransaction'>, act: () => Promise<void>): void {
  const transaction = database.groupTransaction.bind(database);
  database.groupTransaction = (work) =>
    transaction(async (session) => {
      const result = await work(session);
      await act();
      return result;
    });
}
