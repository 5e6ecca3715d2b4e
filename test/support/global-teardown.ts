import { once } from 'node:events';
import type { KeeperHolder } from './global-setup.js';

/** Lets the keeper of the stores know that the run is over, and waits until it has cleaned up. */
// oxlint-disable-next-line import/no-default-export -- the form Jest asks for
export default async function tearDown(): Promise<void> {
  const keeper = (globalThis as KeeperHolder).fabulaStoreKeeper;
  if (keeper === undefined || keeper.exitCode !== null || keeper.signalCode !== null) return;
  const gone = once(keeper, 'exit');
  if (keeper.connected) keeper.disconnect();
  await gone;
}
