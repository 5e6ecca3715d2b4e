import { hasEntries } from '../../text/exact-json.js';
import { nameProblem } from '../reading/draft-problems.js';
import { placeIn } from '../fragment/fragment-text.js';
import { isSame } from '../same-value.js';
import type { Path } from '../value-in.js';

/** What a part of a story cannot be, and where. */
export interface PartFault {
  path: Path;
  message: string;
}

type Form = Readonly<Record<string, unknown>>;
/** A key, what its value must be, and whether it is. */
type Rule = readonly [name: string, is: string, isRight: (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown) => hasEntries(value) && !Array.isArray(value);
const isAbsent = (value: unknown) => value === undefined || value === null;
const isObjectList = (value: unknown) => isAbsent(value) || (Array.isArray(value) && value.every(isObject));
const isPlace = (value: unknown) => isAbsent(value) || (isObject(value) && placeIn(value) !== undefined);

const ACTION: readonly Rule[] = [
  ['type', 'the type of an action, such as Agents::TriggerAgent', (value) => isText(value) && value !== ''],
  ['name', 'a text', isText],
  ['options', 'an object; {} for none', isObject],
  ['guid', 'a text', (value) => value === undefined || isText(value)],
  ['disabled', 'true or false', (value) => value === undefined || typeof value === 'boolean'],
  ['keep_events_for', 'a number of seconds', (value) => isAbsent(value) || typeof value === 'number'],
  ['schedule', 'a list of objects, or null', (value) => isText(value) || isObjectList(value)],
  ['action_inputs', 'a list of objects, or null', isObjectList],
  ['position', 'an object with the numbers x and y, or null', isPlace],
];
const NOTE: readonly Rule[] = [
  ['content', 'a text', isText],
  ['guid', 'a text', (value) => isAbsent(value) || isText(value)],
  [
    'position',
    'an object with the numbers x and y',
    (value) => isAbsent(value) || placeIn(value) !== undefined,
  ],
];
const LINK: readonly Rule[] = [
  ['source', 'the name or the guid of an action', (value) => isText(value) || Number.isInteger(value)],
  ['receiver', 'the name or the guid of an action', (value) => isText(value) || Number.isInteger(value)],
  ['link_type', 'a text, or null', (value) => isAbsent(value) || isText(value)],
];

/** Returns why an object is no action; undefined: it is one. What is as it `was` counts as right. */
export function actionFault(form: Form, was: Form | undefined): PartFault | undefined {
  const fault = faultBy(ACTION, form, was);
  if (fault !== undefined || form['name'] === was?.['name']) return fault;
  const message = nameProblem(String(form['name']));
  return message === undefined ? undefined : { path: ['name'], message };
}

/** Returns why an object is no note; undefined: it is one. What is as it `was` counts as right. */
export const noteFault = (form: Form, was: Form | undefined): PartFault | undefined =>
  faultBy(NOTE, form, was);

/** Returns why an object is no link; undefined: it is one. */
export const linkFault = (form: Form): PartFault | undefined => faultBy(LINK, form, undefined);

function faultBy(rules: readonly Rule[], form: Form, was: Form | undefined): PartFault | undefined {
  const broken = rules.find(
    ([name, , isRight]) => !isRight(form[name]) && (was === undefined || !isSame(form[name], was[name])),
  );
  if (broken === undefined) return undefined;
  const [name, is] = broken;
  const message = name in form ? `"${name}" must be ${is}.` : `"${name}" is missing: ${is}.`;
  return { path: [name], message };
}
