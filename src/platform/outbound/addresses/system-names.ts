import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { errorCode } from '../error-code.js';

/** Name settings of this machine. */
export interface SystemNames {
  /** Addresses by name in lower case, from the hosts file. */
  hosts: ReadonlyMap<string, readonly string[]>;
  /** Search domains for short names. */
  search: readonly string[];
  /** Names with at least this many dots are tried unchanged first. */
  ndots: number;
}

/** How long the files' content is cached. */
const FRESH_MS = 5000;
const MAX_SEARCH = 6;
const MAX_NDOTS = 15;

/** Reads these files, at most every few seconds; a missing file counts as empty. */
export function createSystemNames(files: { hosts: string; resolver: string }): () => Promise<SystemNames> {
  let known: { names: Promise<SystemNames>; untilMs: number } | undefined;
  return () => {
    const nowMs = performance.now();
    if (known === undefined || known.untilMs < nowMs) {
      known = { names: readSystemNames(files), untilMs: nowMs + FRESH_MS };
    }
    return known.names;
  };
}

async function readSystemNames(files: { hosts: string; resolver: string }): Promise<SystemNames> {
  const [hosts, resolver] = await Promise.all([textOf(files.hosts), textOf(files.resolver)]);
  return { hosts: hostsOf(hosts), ...searchOf(resolver) };
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(errorCode(error) ?? '')) return '';
    throw error;
  }
}

function wordsOf(text: string): string[][] {
  const lines = text.split('\n').map((line) => line.replace(/[#;].*$/, '').trim());
  return lines.filter((line) => line !== '').map((line) => line.split(/\s+/));
}

function hostsOf(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>();
  for (const [address = '', ...names] of wordsOf(text)) {
    if (isIP(address) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), address]);
    }
  }
  return hosts;
}

/** The last `search` or `domain` line applies (resolv.conf(5)). */
function searchOf(text: string): Pick<SystemNames, 'search' | 'ndots'> {
  let search: string[] = [];
  let ndots = 1;
  for (const [key, ...values] of wordsOf(text)) {
    if (key === 'search' || key === 'domain') search = values;
    const given = key === 'options' ? values.find((value) => /^ndots:\d+$/.test(value)) : undefined;
    if (given !== undefined) ndots = Math.min(Number(given.slice(6)), MAX_NDOTS);
  }
  const endings = search.map((ending) => ending.replace(/^\.+|\.+$/g, '')).filter((ending) => ending !== '');
  return { search: endings.slice(0, MAX_SEARCH), ndots };
}
