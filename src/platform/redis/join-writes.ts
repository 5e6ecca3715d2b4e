import type { Redis } from 'ioredis';

/**
 * Makes a connection send all commands of one event loop iteration with one system call: jobs that end with one COMMIT
 * each end with a command of their own. Each command keeps its own response and error; the client's automatic pipelining
 * would change that.
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
        // Runs after the promises that are settled now, before further input is read.
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
