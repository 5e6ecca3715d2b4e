import type { Logger } from '../../logger.js';
import { memoize } from '../../runtime/memoize.js';
import type { DatabaseTarget } from '../connections/connection-settings.js';
import { createFailBack } from './fail-back.js';
import { createHostProbe, type HostProbe, type HostState } from './host-probe.js';

const LOOK_EVERY_MS = 1_000;

/** Several hosts of one database, of which a process uses one at a time (docs/operate/store-errors.md). */
export interface DatabaseHosts {
  /** The host that is used now. */
  current(): DatabaseTarget;
  /** Resolves when the first host was chosen. */
  chosen(): Promise<void>;
  /** Looks now, and moves if the current host is not good; concurrent callers share one look. True: a host responds. */
  look(): Promise<boolean>;
  /** Calls `listener` when another host is used; `isLost`: the one before does not respond. */
  onMove(listener: (move: { isLost: boolean }) => void): void;
  close(): void;
}

export interface HostsOptions {
  logger: Logger;
  /** Looks every second, also while nothing is asked of the database, and returns to an earlier host. */
  watched: boolean;
  /** Creates the probe of a host. Default: over a connection of its own. */
  probeOf?: (target: DatabaseTarget) => HostProbe;
  /** Interval of looks, in ms. */
  everyMs?: number;
}

interface Host {
  target: DatabaseTarget;
  /** Host and port, for the log. */
  name: string;
  probe: HostProbe;
}

/** The first of `targets` that serves is used; nothing is asked before `chosen` or `look`. */
export function createDatabaseHosts(targets: DatabaseTarget[], options: HostsOptions): DatabaseHosts {
  const { logger, watched, probeOf = createHostProbe, everyMs = LOOK_EVERY_MS } = options;
  const hosts = targets.map(
    (target): Host => ({ target, name: new URL(target.url).host, probe: probeOf(target) }),
  );
  const listeners: ((move: { isLost: boolean }) => void)[] = [];
  const failBack = createFailBack();
  let at = 0;
  let looking: Promise<boolean> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const moveTo = (to: number, why: HostState | undefined) => {
    const [from, next] = [hosts[at], hosts[to]];
    if (from === undefined || next === undefined || to === at) return;
    const details = { from: from.name, to: next.name, reason: why?.reason ?? why?.kind };
    logger[why === undefined ? 'info' : 'warn']('switched to another database host', details);
    at = to;
    from.probe.close();
    for (const listener of listeners) listener({ isLost: why?.kind === 'away' });
  };

  /** Looks at the current host, then at all others if that does not serve, or at those before it. */
  const lookOnce = async (): Promise<boolean> => {
    const state = await stateAt(hosts, at);
    if (state.kind === 'serving') {
      if (watched && at > 0) await considerReturn();
      return true;
    }
    failBack.left(at);
    const found = await findBetter(hosts, at, state);
    if (found !== undefined) moveTo(found, state);
    return found !== undefined || state.kind !== 'away';
  };
  const considerReturn = async () => {
    if (!failBack.isDue()) return;
    const earlier = await Promise.all(hosts.slice(0, at).map((_host, index) => stateAt(hosts, index, true)));
    const to = failBack.seen(earlier.map(({ kind }) => kind === 'serving'));
    if (to !== undefined) moveTo(to, undefined);
  };
  const look = () =>
    (looking ??= lookOnce().finally(() => {
      looking = undefined;
      // Nobody who only used the database once keeps a connection for looks.
      if (!watched) for (const { probe } of hosts) probe.close();
    }));

  return {
    current: () => hosts[at]?.target ?? { url: '' },
    chosen: memoize(async () => {
      await look();
      if (watched) timer = setInterval(() => void look(), everyMs).unref();
    }),
    look,
    onMove: (listener) => void listeners.push(listener),
    close() {
      clearInterval(timer);
      for (const { probe } of hosts) probe.close();
    },
  };
}

/** `once`: without keeping the connection. */
async function stateAt(hosts: Host[], index: number, once = false): Promise<HostState> {
  const probe = hosts[index]?.probe;
  if (probe === undefined) return { kind: 'away' };
  const state = await probe.look();
  if (once) probe.close();
  return state;
}

/**
 * Returns the first of the other hosts that serves; if none does, the first that is behind, unless the current one is no
 * worse.
 */
async function findBetter(hosts: Host[], at: number, state: HostState): Promise<number | undefined> {
  const looks = hosts.map((_host, index) => (index === at ? state : stateAt(hosts, index, true)));
  const seen: HostState[] = [];
  for (const [index, look] of looks.entries()) {
    const found = await look;
    if (found.kind === 'serving') return index;
    seen.push(found);
  }
  if (state.kind === 'behind') return undefined;
  const behind = seen.findIndex(({ kind }) => kind === 'behind');
  return behind === -1 ? undefined : behind;
}
