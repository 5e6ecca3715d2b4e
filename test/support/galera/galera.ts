import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '../../../src/operate/embedded/free-port.js';
import { addressOf, makeAccount } from '../cluster/cluster-node.js';
import { eventually } from '../eventually.js';
import { makeFastFolder } from '../fast-folder.js';
import { createGaleraNode, type GaleraNode, galeraLacks, installData } from './galera-node.js';

/** Ports of a node: for its group, for a part of its state, for the whole state. */
const PORTS_EACH = 3;
const NODES = 3;
const WHOLE_LIMIT_MS = 120_000;

/** Three servers on loopback that are one cluster: each takes writes, and has all rows. */
export interface Galera {
  nodes: [GaleraNode, GaleraNode, GaleraNode];
  /** Address of the database through one node. */
  urlOf(node: GaleraNode): string;
  /** Address that lists nodes in this order; default: all of them. */
  urlOfAll(order?: readonly GaleraNode[]): string;
  /** Resolves when each node knows all others, and is as far as they are. */
  isWhole(): Promise<void>;
  /** Stops the nodes and removes their data. */
  close(): Promise<void>;
}

/**
 * Starts a cluster with an empty database `fabula`, and the account of `ACCOUNT` that has all rights in it.
 * @throws Error when the machine lacks something; ask `galeraLacks` before.
 */
export async function startGalera(): Promise<Galera> {
  const missing = galeraLacks();
  if (missing !== undefined) throw new Error(missing);
  const folder = await makeFastFolder('fabula-galera-');
  // The servers may run as another user, who reads what lies inside.
  chmodSync(folder, 0o777);
  const nodes = await makeNodes(folder);
  const close = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await installAll(folder, nodes);
    await nodes[0].start({ isFirst: true });
    await makeAccount(nodes[0]);
    // One after the other: the first gives each its state.
    for (const node of nodes.slice(1)) await node.start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    nodes,
    urlOf: (node) => addressOf([node]),
    urlOfAll: (order = nodes) => addressOf(order),
    async isWhole() {
      await eventually(() => isWhole(nodes), WHOLE_LIMIT_MS);
    },
    close,
  };
}

async function isWhole(nodes: Galera['nodes']): Promise<boolean> {
  const states = await Promise.all(nodes.map((node) => node.stateOf()));
  const sizes = await Promise.all(nodes.map((node) => node.clusterSize()));
  return states.every((state) => state === 'Synced') && sizes.every((size) => size === NODES);
}

async function makeNodes(folder: string): Promise<Galera['nodes']> {
  const taken: number[] = [];
  while (taken.length < NODES * PORTS_EACH) taken.push(await findFreePort(taken));
  const groupPorts = taken.slice(0, NODES);
  const nodeAt = (index: number): GaleraNode => {
    const [group = 0, incremental = 0, snapshot = 0] = [0, 1, 2].map((kind) => taken[kind * NODES + index]);
    const ports = { group, incremental, snapshot };
    return createGaleraNode({ name: `node${index + 1}`, folder, ports, groupPorts, avoidPorts: taken });
  };
  return [nodeAt(0), nodeAt(1), nodeAt(2)];
}

async function installAll(folder: string, nodes: Galera['nodes']): Promise<void> {
  await Promise.all(nodes.map(({ name }) => installData(path.join(folder, name))));
}
