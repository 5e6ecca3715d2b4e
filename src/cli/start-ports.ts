import type { Config } from '../config/config.js';
import { findFreePort, isPortFree } from '../embedded/free-port.js';
import { messageOf } from '../platform/errors.js';

type Ports = Pick<Config, 'port' | 'adminPort' | 'adminHost'>;

/** The port that `npm start` listens on: the one that was asked for, or a free one for 0. */
export async function publicPort(asked: number): Promise<number> {
  return asked === 0 ? await findFreePort() : asked;
}

/**
 * The port of the board: the one that was asked for; else the one after the public port, so that it is the same each time,
 * or a free one where that is taken. Undefined where there is none, but a host name (`ADMIN_ORIGIN`).
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

/** An address that cannot be listened on at all is said when it comes to it. */
async function isFreeOn(port: number, host: string): Promise<boolean> {
  return await isPortFree(port, host).catch(() => true);
}

/** @throws Error that names the variables to set when the port cannot be listened on. */
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
  throw new Error(`port ${port} of ${host} is in use by another program; set ${portVariable} to a free one.`);
}
