import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { createConnection, type ResultSetHeader } from 'mysql2';

/** A job's data, as the product's: ids only. */
export interface FloorJob {
  deliveryId: number;
}

const KEEP_NOTHING = { removeOnComplete: true, removeOnFail: true };

// Ends as a process that was asked to: a profile is written then.
process.once('SIGTERM', () => process.exit(0));

/** A connection to the floor's own tables. */
export function connectDatabase() {
  const connection = createConnection({ uri: process.env['DATABASE_URL'] ?? '' });
  connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
  const query = <Result = ResultSetHeader>(sql: string, values: unknown[] = []): Promise<Result> =>
    new Promise((resolve, reject) => {
      connection.query(sql, values, (error, result) => (error ? reject(error) : resolve(result as Result)));
    });
  return {
    query,
    async transaction<T>(work: () => Promise<T>): Promise<T> {
      await query('START TRANSACTION');
      const result = await work();
      await query('COMMIT');
      return result;
    },
    /** Inserts the rows with one statement, and gives their ids. */
    async insert(table: string, columns: string, rows: unknown[][]): Promise<number[]> {
      if (rows.length === 0) return [];
      const { insertId } = await query(`INSERT INTO ${table} (${columns}) VALUES ?`, [rows]);
      return rows.map((_, index) => insertId + index);
    },
  };
}

export function connectRedis(): Redis {
  return new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });
}

/** Adds the jobs of these deliveries to the queue, all in one go; nobody waits for it. */
export function createDispatch(name: string, redis: Redis): (deliveryIds: number[]) => void {
  const queue = new Queue<FloorJob>(name, { connection: redis, defaultJobOptions: KEEP_NOTHING });
  return (deliveryIds) => {
    if (deliveryIds.length === 0) return;
    const jobs = deliveryIds.map((deliveryId) => ({ name: 'delivery', data: { deliveryId } }));
    queue.addBulk(jobs).catch((error: unknown) => {
      console.error('the floor lost jobs', error);
      process.exit(1);
    });
  };
}
