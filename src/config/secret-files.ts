import { readFileSync } from 'node:fs';
import { type Variable, variablesIn } from './variable.js';
import { VARIABLES } from './variables.js';

/** A secret whose file gives no value. */
export interface FileFault {
  /** The variable's name in the table. */
  variable: string;
  /** Names the file; it never has what stands in the file. */
  message: string;
}

/** The environment in which secrets that were given by files have their values. */
export interface Resolved {
  /** Without the names that end in `_FILE`. */
  env: NodeJS.ProcessEnv;
  faults: FileFault[];
}

/** Returns the name under which the file of a secret is given. */
export const fileName = (name: string): string => `${name}_FILE`;

/** Returns all names under which the file of a variable may be given; none if the variable is no secret. */
export function fileNamesOf({ name, facts }: Variable<unknown>): string[] {
  return facts.secret ? (facts.names ?? [name]).map(fileName) : [];
}

/** Reads each secret of `env` whose file is given: `ENCRYPTION_KEY_FILE` for `ENCRYPTION_KEY`. */
export function resolveSecretFiles(given: NodeJS.ProcessEnv): Resolved {
  const env = { ...given };
  const secrets = variablesIn(VARIABLES).filter(({ facts }) => facts.secret);
  const faults = secrets.flatMap(({ name, facts }) =>
    (facts.names ?? [name]).flatMap((each) =>
      resolveOne(env, each).map((message) => ({ variable: name, message })),
    ),
  );
  return { env, faults };
}

/** Replaces the file of one secret by its value. Returns what is wrong with it. */
function resolveOne(env: NodeJS.ProcessEnv, name: string): string[] {
  const file = env[fileName(name)];
  delete env[fileName(name)];
  if (file === undefined || file === '') return [];
  if (env[name]) return [`${name} and ${fileName(name)} are both set; remove one of them`];
  try {
    const value = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    if (value === '') return [`${fileName(name)} refers to an empty file: ${file}`];
    env[name] = value;
    return [];
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return [`${fileName(name)} refers to an unreadable file (${code}): ${file}`];
  }
}
