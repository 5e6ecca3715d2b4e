import type { Socket } from 'node:net';
import { BLOCKED_PORTS, createHopRules, type OutboundRules } from '../outbound/addresses/hop-rules.js';
import { createAddressList } from '../outbound/addresses/address-guard.js';
import { connectGuarded } from '../outbound/addresses/guarded-socket.js';
import { createNameLookup } from '../outbound/addresses/name-lookup.js';
import { openTunnel } from '../outbound/http/proxy-tunnel.js';
import type { GitRemote } from './git-remote.js';

const CONNECT_TIMEOUT_MS = 10_000;
const SSH_PORT = 22;

/** A repository without encryption is not in a network that the operator has opened. */
class PlainRepository extends Error {
  constructor() {
    super('http is only allowed within networks of OUTBOUND_ALLOW; use https or ssh');
    this.name = 'PlainRepository';
  }
}

/**
 * Returns what opens connections to the host of a repository, within the operator's rules (decision 0027): a name is resolved
 * here, and each address is checked when it is used. Without encryption only networks of `OUTBOUND_ALLOW` are reached.
 */
export function outboundDoor(remote: GitRemote, rules: OutboundRules): () => Promise<Socket> {
  const { host, port, protocol } = remote;
  const checks = createHopRules({ ...rules, ports: portsFor(remote, rules) });
  const isOpenNetwork = createAddressList(rules.allow);
  const place = host.includes(':') ? `[${host}]` : host;
  const target = { host: place, port, timeoutMs: CONNECT_TIMEOUT_MS };
  return async () => {
    // Ssh is encrypted: it counts as TLS.
    const refusal = checks.refusalOfUrl(
      new URL(`${protocol === 'http' ? 'http' : 'https'}://${place}:${port}`),
    );
    if (refusal !== undefined) throw refusal;
    if (rules.proxy !== undefined) {
      if (protocol === 'http') throw new PlainRepository();
      return openTunnel(new URL(rules.proxy), { host, port }, { timeoutMs: CONNECT_TIMEOUT_MS });
    }
    const socket = await connectGuarded(target, { rules: checks, names: createNameLookup() });
    if (protocol !== 'http' || isOpenNetwork(socket.remoteAddress ?? '')) return socket;
    socket.destroy();
    throw new PlainRepository();
  };
}

/** Ssh has a port of its own, which requests of stories never reach. */
function portsFor({ protocol, port }: GitRemote, { ports }: OutboundRules): OutboundRules['ports'] {
  const isSsh = protocol === 'ssh' && (port === SSH_PORT || !BLOCKED_PORTS.has(port));
  return ports === undefined && isSsh ? [[port, port]] : ports;
}
