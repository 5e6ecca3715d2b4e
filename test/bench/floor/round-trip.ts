import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { fork } from 'node:child_process';
import { once } from 'node:events';

/*
 * A bare BullMQ round trip over two hops, without any database: a job is added, a worker in another process adds the
 * second one, and what that comes to is published to who waits. Each message is a leg, `{ inFlight, calls }`; its answer
 * are the times of these calls, in ms.
 */
const [, , role = 'caller'] = process.argv;
const CHANNEL = 'round-trip';
const FIRST = 'round-trip-1';
const SECOND = 'round-trip-2';
const OPTIONS = { defaultJobOptions: { removeOnComplete: true, removeOnFail: true } };

const connect = () => new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });

interface Trip {
  id: number;
}

async function work(): Promise<void> {
  process.once('disconnect', () => process.exit(0));
  const redis = connect();
  const second = new Queue<Trip>(SECOND, { connection: redis, ...OPTIONS });
  const workers = [
    new Worker<Trip>(FIRST, async ({ data }) => void (await second.add('trip', data)), {
      connection: connect(),
      concurrency: 50,
    }),
    new Worker<Trip>(SECOND, async ({ data }) => void (await redis.publish(CHANNEL, String(data.id))), {
      connection: connect(),
      concurrency: 50,
    }),
  ];
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  process.send?.('ready');
}

async function call(): Promise<void> {
  const worker = fork(__filename, ['worker'], { stdio: 'inherit' });
  await once(worker, 'message');
  const first = new Queue<Trip>(FIRST, { connection: connect(), ...OPTIONS });
  const open = new Map<number, () => void>();
  const listener = connect();
  listener.on('message', (_channel, id: string) => open.get(Number(id))?.());
  await listener.subscribe(CHANNEL);
  let next = 0;
  const take = async ({ inFlight, calls }: { inFlight: number; calls: number }): Promise<number[]> => {
    const timesMs: number[] = [];
    const end = next + calls;
    const goOn = async (): Promise<void> => {
      while (next < end) {
        const id = next++;
        const began = performance.now();
        const back = new Promise<void>((resolve) => open.set(id, resolve));
        await Promise.all([first.add('trip', { id }), back]);
        open.delete(id);
        timesMs.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, goOn));
    return timesMs;
  };
  process.on('message', (leg: Parameters<typeof take>[0]) => {
    void take(leg).then((timesMs) => process.send?.(timesMs));
  });
  // The worker sees by itself that this process is gone.
  process.once('disconnect', () => process.exit(0));
  process.send?.('ready');
}

void (role === 'worker' ? work() : call());
