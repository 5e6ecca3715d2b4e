import { isKeyed } from '../value-kinds.js';

/** One rule of a trigger, as far as its fields show it. */
export interface ShownRule {
  type: string;
  path?: unknown;
  value?: unknown;
  case_sensitive?: unknown;
}

/** The types of rules in words, in the order of the choice. */
export const RULE_TYPES: readonly (readonly [string, string])[] = [
  ['field==value', 'is equal to'],
  ['field!=value', 'is not equal to'],
  ['field<value', 'is less than'],
  ['field<=value', 'is at most'],
  ['field>value', 'is greater than'],
  ['field>=value', 'is at least'],
  ['in', 'contains'],
  ['not in', 'does not contain'],
  ['regex', 'matches the regular expression'],
  ['!regex', 'does not match the regular expression'],
  ['field==null', 'is empty'],
  ['field!=null', 'is not empty'],
  ['formula', 'is true'],
  ['!formula', 'is not true'],
];

const WITHOUT_VALUE = new Set(['field==null', 'field!=null', 'formula', '!formula']);

/** Whether rules of this type compare with a value. */
export const hasValue = (type: string): boolean => !WITHOUT_VALUE.has(type);

/** Whether a value is a list of rules that the fields can show. */
export function isRuleList(value: unknown): value is readonly ShownRule[] {
  return Array.isArray(value) && value.every((rule) => isKeyed(rule) && typeof rule['type'] === 'string');
}
