import {
  DATABASE_VARIABLES,
  fileNamesOf,
  knownVariables,
  present,
  REDIS_VARIABLES,
  VARIABLES,
  variablesIn,
} from '../../../config/face.js';
import type { Check, EnvironmentContext, HostContext } from '../check.js';
import { findingIf, type FindingKind } from '../finding.js';

const UNKNOWN: FindingKind = {
  id: 'configuration.unknown-variable',
  severity: 'warning',
  why: 'The variable looks like a Fabula setting, but is not one. The setting keeps its default.',
  remedy: 'Correct the name (docs/operate/configuration.md lists all), or remove the variable.',
};
const TWO_ADDRESSES: FindingKind = {
  id: 'configuration.two-addresses',
  severity: 'warning',
  why: 'Several variables set different addresses for the same store. Only the first is used.',
  remedy: 'Remove the unintended variables.',
};
const PROXY_IGNORED: FindingKind = {
  id: 'configuration.proxy-ignored',
  severity: 'note',
  why: 'HTTP requests of stories only use the proxy in OUTBOUND_PROXY.',
  remedy: 'Set OUTBOUND_PROXY if requests must use the proxy.',
};

/** Beginnings of names that no other program has. */
const OURS =
  /^(?:FABULA|ADMIN|OUTBOUND|QUOTA|RATE_LIMIT|WEBHOOK|RESPONSE|PROMPT|SPOOL|QUEUE|ENCRYPTION|RETENTION)_/;
/** Read by commands only, and so in no table. */
const OF_COMMANDS = ['FABULA_URL', 'FABULA_KEY', 'FABULA_TARGET_URL', 'FABULA_TARGET_KEY'];
/** Shorter names are too similar to others by chance. */
const LEAST_LENGTH = 7;
const MOST_EDITS = 2;

/** Variables that nothing reads. Only names are reported. */
export const unknownVariableCheck: Check<EnvironmentContext> = {
  name: 'unknown variables',
  needs: [],
  kinds: [UNKNOWN],
  run({ env }) {
    const odd = unknownVariables(env);
    const listed = odd.map((name) => `${name}${hintFor(name)}`);
    return findingIf(odd.length > 0, UNKNOWN, `Unknown: ${listed.join(', ')}.`);
  },
};

/** Returns the names of variables that look like those of Fabula, and that nothing reads. */
export function unknownVariables(env: NodeJS.ProcessEnv): string[] {
  const names = known();
  return Object.keys(present(env)).filter((name) => !names.has(name) && looksLikeOurs(name, names));
}

function known(): ReadonlySet<string> {
  return new Set([...knownNames(), ...OF_COMMANDS]);
}

function knownNames(): string[] {
  return [...knownVariables(), ...variablesIn(VARIABLES).flatMap(fileNamesOf)];
}

function looksLikeOurs(name: string, known: ReadonlySet<string>): boolean {
  return OURS.test(name) || similarTo(name, known) !== undefined;
}

function similarTo(name: string, known: ReadonlySet<string>): string | undefined {
  if (name.length < LEAST_LENGTH) return undefined;
  const candidates = [...known].filter((each) => each.length >= LEAST_LENGTH);
  return candidates.find((each) => isSimilar(name.toUpperCase(), each, MOST_EDITS));
}

function hintFor(name: string): string {
  const similar = similarTo(name, known());
  return similar === undefined ? '' : ` (${similar}?)`;
}

/** Several addresses of one store. */
export const addressCheck: Check<EnvironmentContext> = {
  name: 'store addresses',
  needs: [],
  kinds: [TWO_ADDRESSES],
  run({ env }) {
    const given = present(env);
    return [DATABASE_VARIABLES, REDIS_VARIABLES].flatMap((names) => {
      const set = names.filter((name) => given[name] !== undefined);
      const differ = new Set(set.map((name) => given[name])).size > 1;
      return findingIf(differ, TWO_ADDRESSES, `${set.join(' and ')} differ; ${set[0]} is used.`);
    });
  },
};

/** Proxy variables of other programs. */
export const proxyVariableCheck: Check<HostContext> = {
  name: 'proxy variables',
  needs: [],
  kinds: [PROXY_IGNORED],
  run({ env, config }) {
    const set = Object.keys(present(env)).filter((name) => /^https?_proxy$/i.test(name));
    const isIgnored = set.length > 0 && config.outboundProxy === undefined;
    return findingIf(isIgnored, PROXY_IGNORED, `${set.join(' and ')} is set, OUTBOUND_PROXY is not.`);
  },
};

/** Returns true if at most `most` letters must be added, removed or replaced to make one text the other. */
export function isSimilar(one: string, other: string, most: number): boolean {
  if (Math.abs(one.length - other.length) > most) return false;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index += 1) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (one[index] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return (row[other.length] ?? Infinity) <= most;
}
