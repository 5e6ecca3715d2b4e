import type { WorkerServices } from '../src/services.js';

/** What the maintenance worker does for as long as it runs. */
export async function keepHouse(services: WorkerServices, signal: AbortSignal): Promise<void> {
  await services.relay.run(signal);
}
