import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '../../../src/operate/embedded/free-port.js';
import { addressOf, makeAccount } from '../cluster/cluster-node.js';
import { eventually } from '../eventually.js';
import { makeFastFolder } from '../fast-folder.js';
import { createGroupMember, type GroupMember, installMember, type MemberOptions } from './group-member.js';

const MEMBERS = 3;
const WHOLE_LIMIT_MS = 180_000;

/** Three MySQL servers on loopback that are one group, with one primary unless told otherwise. */
export interface Group {
  members: [GroupMember, GroupMember, GroupMember];
  /** Address that lists all members. */
  urlOfAll(): string;
  /** The member that takes writes now, by the word of the others too. Waits until there is one. */
  primary(): Promise<GroupMember>;
  /** Resolves when each member is online, by the word of all. */
  isWhole(): Promise<void>;
  /** Lets each member take writes. */
  toMultiPrimary(): Promise<void>;
  /** Lets one member alone take writes. */
  toSinglePrimary(member: GroupMember): Promise<void>;
  /** Stops the members and removes their data. */
  close(): Promise<void>;
}

/** Returns what a group needs and this machine lacks; undefined: nothing. */
function groupLacks(searchPath: string): string | undefined {
  return findServer(searchPath) === undefined
    ? 'group replication needs mysqld of MySQL 8.4 or later on the path'
    : undefined;
}

/**
 * Starts a group with an empty database `fabula`, and an account that has all rights in it. `searchPath`: folders, one of
 * which has a `mysqld` that is MySQL.
 * @throws Error when there is none.
 */
export async function startGroup(searchPath: string): Promise<Group> {
  const mysqld = findServer(searchPath);
  if (mysqld === undefined) throw new Error(groupLacks(searchPath));
  const folder = await makeFastFolder('fabula-group-');
  // The servers may run as another user, who reads what lies inside.
  chmodSync(folder, 0o777);
  const options = await optionsOf(folder, mysqld);
  const members = options.map(createGroupMember) as Group['members'];
  const close = async () => {
    await Promise.all(members.map((member) => member.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const each of options) await installMember(each);
    await members[0].start({ isFirst: true });
    await makeAccount(members[0]);
    for (const member of members.slice(1)) await member.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { ...operationsOf(members), members, urlOfAll: () => addressOf(members), close };
}

function operationsOf(members: Group['members']) {
  const views = async () => {
    const seen = await Promise.all(members.map((member) => member.view().catch(() => undefined)));
    return seen.filter((view) => view !== undefined);
  };
  const primary = () =>
    eventually(async () => {
      const largest = (await views()).toSorted((a, b) => b.members.length - a.members.length)[0];
      return members.find(({ port }) => largest?.primaries[0] === port);
    }, WHOLE_LIMIT_MS);
  return {
    primary,
    async isWhole() {
      await eventually(async () => {
        const seen = await views();
        return seen.length === MEMBERS && seen.every((view) => view.members.length === MEMBERS);
      }, WHOLE_LIMIT_MS);
    },
    async toMultiPrimary() {
      await (await primary()).ask('DO group_replication_switch_to_multi_primary_mode()');
    },
    async toSinglePrimary(member: GroupMember) {
      const [row] = await member.ask('SELECT @@server_uuid AS id');
      await member.ask(`DO group_replication_switch_to_single_primary_mode('${String(row?.['id'])}')`);
    },
  };
}

async function optionsOf(folder: string, mysqld: string): Promise<MemberOptions[]> {
  const groupPorts: number[] = [];
  while (groupPorts.length < MEMBERS) groupPorts.push(await findFreePort(groupPorts));
  return groupPorts.map((groupPort, index) => ({
    name: `member${index + 1}`,
    id: index + 1,
    folder,
    mysqld,
    groupPort,
    groupPorts,
    avoidPorts: groupPorts,
  }));
}

/** MariaDB installs a `mysqld` too, which is not meant. */
function findServer(searchPath: string): string | undefined {
  const candidates = searchPath.split(path.delimiter).map((folder) => path.join(folder, 'mysqld'));
  return candidates.find((file) => {
    try {
      const version = execFileSync(file, ['--no-defaults', '--version'], { encoding: 'utf8' });
      return !version.includes('MariaDB');
    } catch {
      return false;
    }
  });
}
