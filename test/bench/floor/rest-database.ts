import { createPool, type PoolConnection, type ResultSetHeader, type RowDataPacket } from 'mysql2';

/** As many connections as the product has. */
const CONNECTIONS = 8;

/** One connection, for one call. */
export interface Asker {
  rows(sql: string, values: unknown[]): Promise<RowDataPacket[]>;
  /** Gives the new row's id. */
  run(sql: string, values: unknown[]): Promise<number>;
  transaction<T>(work: () => Promise<T>): Promise<T>;
}

/** Gives each piece of work a connection of its own. */
export function createRestDatabase(uri: string) {
  const pool = createPool({
    uri,
    connectionLimit: CONNECTIONS,
    charset: 'utf8mb4_unicode_520_ci',
    timezone: 'Z',
  });
  const connect = () =>
    new Promise<PoolConnection>((resolve, reject) => {
      pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)));
    });
  return async <T>(work: (asker: Asker) => Promise<T>): Promise<T> => {
    const connection = await connect();
    const result = await work(askerOf(connection));
    connection.release();
    return result;
  };
}

function askerOf(connection: PoolConnection): Asker {
  const query = <Result>(sql: string, values: unknown[] = []) =>
    new Promise<Result>((resolve, reject) => {
      connection.query(sql, values, (error, result) => (error ? reject(error) : resolve(result as Result)));
    });
  return {
    rows: (sql, values) => query<RowDataPacket[]>(sql, values),
    run: async (sql, values) => (await query<ResultSetHeader>(sql, values)).insertId,
    async transaction(work) {
      await query('START TRANSACTION');
      const result = await work();
      await query('COMMIT');
      return result;
    },
  };
}
