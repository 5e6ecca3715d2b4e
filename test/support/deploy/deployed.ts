import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileNamesOf } from '../../../src/config/secret-files.js';
import { variablesIn } from '../../../src/config/variable.js';
import { VARIABLES } from '../../../src/config/variables.js';

const CHECKOUT = path.resolve(__dirname, '../../..');

/** Returns the text of a file of the checkout. */
export function fileOf(name: string): string {
  return readFileSync(path.join(CHECKOUT, name), 'utf8');
}

/** The commands of the Procfile by the names of its processes: `web` → `node dist/web.js`. */
export const PROCFILE: ReadonlyMap<string, string> = new Map(
  [...fileOf('Procfile').matchAll(/^([a-z-]+): (.+)$/gm)].map(([, name = '', command = '']) => [
    name,
    command,
  ]),
);

const variables = variablesIn(VARIABLES);
const ownNames = variables.flatMap(({ name, facts }) => [name, ...(facts.names ?? [])]);

/** Names that a deployment may set without being read by the configuration. */
const OF_NODE = ['NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/** Every name that a deployment may set. */
export const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...ownNames,
  ...variables.flatMap(fileNamesOf),
  ...OF_NODE,
]);

/** Names whose value is a secret: a deployment gives it by a file. */
export const SECRET_NAMES: ReadonlySet<string> = new Set(
  variables.filter(({ facts }) => facts.secret).flatMap(({ name, facts }) => [name, ...(facts.names ?? [])]),
);

/** Returns the default of a variable, such as `PORT`. */
export function defaultOf(name: string): unknown {
  return variables.find((variable) => variable.name === name)?.facts.default;
}
