import { connectRedis } from './connect.js';

/*
 * Lets the floor's responses wait for their runs (measure 3): the worker says which run is over, once that is
 * committed, and the web process answers.
 */
const CHANNEL = 'floor-runs';

/** Whether answers wait in this turn. */
export const AWAITED = process.env['AWAITED'] === '1';

/** Gives what tells the web process that a run is through. */
export function createTeller(): (guid: string) => void {
  const redis = connectRedis();
  return (guid) => void redis.publish(CHANNEL, guid);
}

/** Gives what resolves when a run is through. */
export function createWaits(): (guid: string) => Promise<void> {
  const waits = new Map<string, () => void>();
  const redis = connectRedis();
  redis.on('message', (_channel, guid: string) => {
    waits.get(guid)?.();
    waits.delete(guid);
  });
  void redis.subscribe(CHANNEL);
  return (guid) => new Promise((resolve) => waits.set(guid, resolve));
}
