import type { Redis } from 'ioredis';

/**
 * Has a connection send what it is given in one turn of the event loop with one system call: jobs that end with one
 * COMMIT each end with a command of their own. Commands stay as they are, each with its own answer and error; pipelining
 * by itself, which the client offers, changes that.
 */
export function joinWrites(redis: Redis): void {
  redis.on('connect', () => {
    const { stream } = redis;
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    let joining = false;
    const joined = (...args: unknown[]) => {
      if (!joining) {
        joining = true;
        stream.cork();
        // After the promises that are settled now, before anything else comes in.
        process.nextTick(() => {
          joining = false;
          stream.uncork();
        });
      }
      return write(...args);
    };
    stream.write = joined;
  });
}
