import type { WorkerServices } from '../src/services.js';

/** What the maintenance worker does for as long as it runs. */
export async function keepHouse(services: WorkerServices, signal: AbortSignal): Promise<void> {
  await Promise.all([
    services.relay.run(signal),
    services.feeder.run(signal),
    services.parkedSweeper.run(signal),
    services.scheduler.run(signal),
    services.caseNotifier.run(signal),
    services.recordChores.run(signal),
    services.retention.run(signal),
  ]);
}
