import { Job, Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { fork } from 'node:child_process';
import { once } from 'node:events';

/*
 * A bare BullMQ round trip over two hops, without any database: a job is added, a worker in another process adds the
 * second one, and what that comes to is published to who waits. With `waits`, by BullMQ's own means alone: who calls waits for each of
 * them with `waitUntilFinished`. Each message is a leg, `{ inFlight, calls, waits }`; its response are the times of these calls, in ms.
 */
const [, , role = 'caller'] = process.argv;
const CHANNEL = 'round-trip';
const FIRST = 'round-trip-1';
const SECOND = 'round-trip-2';
/** Queues of their own: who listens to events hears those of every job. */
const AWAITED_FIRST = 'awaited-1';
const AWAITED_SECOND = 'awaited-2';
const OPTIONS = { defaultJobOptions: { removeOnComplete: true, removeOnFail: true } };
/** Clients that wait for a job's end read the job: each queue keeps this many. */
const KEPT = { removeOnComplete: 1000, removeOnFail: 1000 };

const connect = () => new Redis(process.env['REDIS_URL'] ?? '', { maxRetriesPerRequest: null });

interface Trip {
  id: number;
}

interface Leg {
  inFlight: number;
  calls: number;
  /** By BullMQ's own means. */
  waits?: boolean;
}

async function work(): Promise<void> {
  process.once('disconnect', () => process.exit(0));
  const redis = connect();
  const second = new Queue<Trip>(SECOND, { connection: redis, ...OPTIONS });
  const awaitedSecond = new Queue<Trip>(AWAITED_SECOND, { connection: redis, defaultJobOptions: KEPT });
  const workers = [
    worker(FIRST, async (trip) => void (await second.add('trip', trip))),
    worker(SECOND, async (trip) => void (await redis.publish(CHANNEL, String(trip.id)))),
    worker(AWAITED_FIRST, async (trip) => (await awaitedSecond.add('trip', trip)).id),
    worker(AWAITED_SECOND, async () => undefined),
  ];
  await Promise.all(workers.map((each) => each.waitUntilReady()));
  process.send?.('ready');
}

function worker(queue: string, goOn: (trip: Trip) => Promise<unknown>): Worker<Trip> {
  return new Worker<Trip>(queue, ({ data }) => goOn(data), {
    connection: connect(),
    concurrency: 50,
  });
}

/** One round trip. */
type MakeTrip = (id: number) => Promise<void>;

async function publishedTrips(): Promise<MakeTrip> {
  const first = new Queue<Trip>(FIRST, { connection: connect(), ...OPTIONS });
  const open = new Map<number, () => void>();
  const listener = connect();
  listener.on('message', (_channel, id: string) => open.get(Number(id))?.());
  await listener.subscribe(CHANNEL);
  return async (id) => {
    const back = new Promise<void>((resolve) => open.set(id, resolve));
    await Promise.all([first.add('trip', { id }), back]);
    open.delete(id);
  };
}

async function awaitedTrips(): Promise<MakeTrip> {
  const first = await awaitedQueue(AWAITED_FIRST);
  const second = await awaitedQueue(AWAITED_SECOND);
  return async (id) => {
    const job = await first.queue.add('trip', { id });
    const secondId = (await job.waitUntilFinished(first.events)) as string;
    const next = await Job.fromId<Trip>(second.queue, secondId);
    if (next === undefined) throw new Error('A job is gone before anybody has waited for it');
    await next.waitUntilFinished(second.events);
  };
}

async function awaitedQueue(name: string): Promise<{ queue: Queue<Trip>; events: QueueEvents }> {
  const queue = new Queue<Trip>(name, { connection: connect(), defaultJobOptions: KEPT });
  const events = new QueueEvents(name, { connection: connect() });
  // Each one that waits listens.
  events.setMaxListeners(0);
  await events.waitUntilReady();
  return { queue, events };
}

async function call(): Promise<void> {
  const child = fork(__filename, ['worker'], { stdio: 'inherit' });
  await once(child, 'message');
  const published = await publishedTrips();
  const awaited = await awaitedTrips();
  let next = 0;
  const take = async ({ inFlight, calls, waits }: Leg): Promise<number[]> => {
    const makeTrip = waits ? awaited : published;
    const timesMs: number[] = [];
    const end = next + calls;
    const goOn = async (): Promise<void> => {
      while (next < end) {
        const id = next++;
        const began = performance.now();
        await makeTrip(id);
        timesMs.push(performance.now() - began);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, goOn));
    return timesMs;
  };
  process.on('message', (leg: Leg) => {
    void take(leg).then((timesMs) => process.send?.(timesMs));
  });
  // The worker sees by itself that this process is gone.
  process.once('disconnect', () => process.exit(0));
  process.send?.('ready');
}

void (role === 'worker' ? work() : call());
