import { archiveFunctions } from './documents/archive-functions.js';
import { arrangementFunctions } from './collections/arrangement-functions.js';
import { cryptoFunctions } from './security/crypto-functions.js';
import { dateFunctions } from './date-functions.js';
import { digestFunctions } from './security/digest-functions.js';
import { documentFunctions } from './documents/document-functions.js';
import { encodingFunctions } from './documents/encoding-functions.js';
import { type FormulaFunction, type FunctionTable, functionOf, LOGIC_FAMILY } from './formula-function.js';
import { listFunctions } from './collections/list-functions.js';
import { logicFunctions } from './logic-functions.js';
import { networkFunctions } from './network-functions.js';
import { numberFunctions } from './number-functions.js';
import { objectFunctions } from './collections/object-functions.js';
import { patternFunctions } from './texts/pattern-functions.js';
import { runFunctions } from './run-functions.js';
import { selectionFunctions } from './collections/selection-functions.js';
import { textFunctions } from './texts/text-functions.js';
import { trigonometry } from './trigonometry.js';
import { verifyFunctions } from './security/verify-functions.js';

/** The families, in the order of the documentation. */
const FAMILIES: [family: string, functions: FunctionTable][] = [
  [LOGIC_FAMILY, logicFunctions],
  ['Text', textFunctions],
  ['Patterns', patternFunctions],
  ['Numbers', { ...numberFunctions, ...trigonometry }],
  ['Lists', { ...listFunctions, ...arrangementFunctions }],
  ['Choosing and changing elements', selectionFunctions],
  ['Objects', objectFunctions],
  ['Dates', dateFunctions],
  ['Documents', documentFunctions],
  ['Encodings', encodingFunctions],
  ['Archives', archiveFunctions],
  ['Digests', digestFunctions],
  ['Signatures and encryption', { ...verifyFunctions, ...cryptoFunctions }],
  ['Addresses', networkFunctions],
  ['Runs and chance', runFunctions],
];

/** The list of all functions: a formula can use no other. */
export const FUNCTIONS: readonly FormulaFunction[] = FAMILIES.flatMap(([family, functions]) =>
  Object.entries(functions).map(([name, entry]) => functionOf(name, family, entry)),
);

const byName = new Map(FUNCTIONS.map((entry) => [entry.name, entry]));

/** Returns a function by its name, in any letter case. */
export function findFunction(name: string): FormulaFunction | undefined {
  return byName.get(name.toUpperCase());
}

/** Returns the name of a function that an author may have meant, for messages. */
export function similarFunction(name: string): string | undefined {
  const written = plain(name);
  const same = FUNCTIONS.find((entry) => plain(entry.name) === written);
  if (same !== undefined || written.length < 3) return same?.name;
  const startsAlike = (other: string) => other.startsWith(written) || written.startsWith(other);
  return FUNCTIONS.find((entry) => entry.name.length > 2 && startsAlike(plain(entry.name)))?.name;
}

function plain(name: string): string {
  return name.toUpperCase().replaceAll('_', '');
}
