import type { Config } from '../../../config/face.js';
import { findFreePort, isPortFree } from '../../embedded/free-port.js';
import { messageOf } from '../../../platform/errors.js';

type Ports = Pick<Config, 'port' | 'adminPort' | 'adminHost'>;

/** Returns the port that `npm start` listens on: the configured one, or a free one for 0. */
export async function publicPort(asked: number): Promise<number> {
  return asked === 0 ? await findFreePort() : asked;
}

/**
 * Returns the port of the queue board: the configured one, or else the public port + 1, so that it stays the same.
 * If that is in use, returns a free port. Returns undefined if the board has a host name (`ADMIN_ORIGIN`) and no port.
 */
export async function boardPort(
  { port, adminPort, adminHost }: Ports,
  given: boolean,
): Promise<number | undefined> {
  if (adminPort === undefined || (given && adminPort !== 0)) return adminPort;
  const next = port + 1;
  if (!given && next <= 65_535 && (await isFreeOn(next, adminHost))) return next;
  return findFreePort([port]);
}

/** Returns true also for an address that nothing can listen on: `requireFreePort` reports that later. */
async function isFreeOn(port: number, host: string): Promise<boolean> {
  return await isPortFree(port, host).catch(() => true);
}

/** @throws Error that names the variables to set if nothing can listen on the port. */
export async function requireFreePort(
  port: number,
  host: string,
  variables: readonly [string, string],
): Promise<void> {
  const [hostVariable, portVariable] = variables;
  const free = await isPortFree(port, host).catch((error: unknown) => {
    const reason = `cannot listen on ${host}:${port} (${messageOf(error)})`;
    throw new Error(`${reason}; set ${hostVariable} and ${portVariable}.`, { cause: error });
  });
  if (free) return;
  throw new Error(`port ${port} on ${host} is already in use; set ${portVariable} to a free port.`);
}
