import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonValue } from '../../platform/json.js';
import { compareNumbers, isNumeric, type Numeric, readNumeric } from '../../platform/json/exact-number.js';
import { jsonListOf } from '../json-text.js';
import { optionText } from '../options/options.js';
import { firstPlace } from '../../platform/text/find-text.js';
import { holdsReference } from '../../platform/secrets/secret-reference.js';
import { holdsSignature, SECRET_CHECKS } from '../../platform/secrets/secret-signature.js';
import type { TimeLimit } from '../../platform/runtime/time-limit.js';
import { compileOptionPattern, MAX_SEARCH_MS } from '../pattern.js';

/** One rendered rule of a trigger. */
export interface Rule {
  type: string;
  path?: JsonValue;
  value?: JsonValue;
  case_sensitive?: boolean;
}

/**
 * The context of a rule: its path (`rules[0]`) for messages, a function that reports a truncated text, and the
 * time limit of all rules.
 */
interface RuleContext {
  place: string;
  warn: (message: string) => void;
  time: TimeLimit;
}

/** Whether the rule matches one of its values. */
type Test = (rule: Rule, value: JsonValue | undefined, context: RuleContext) => boolean;

const isEqual: Test = ({ path }, value) => optionText(path) === optionText(value);

const isFound: Test = ({ path, case_sensitive: caseSensitive }, value, { place, warn, time }) => {
  const pattern = compileOptionPattern(optionText(value), {
    name: `${place}.value`,
    ignoreCase: caseSensitive !== true,
  });
  const { found, searched, length } = pattern.find(optionText(path), time);
  if (!found && searched < length)
    warn(`${place}: only the first ${searched} of ${length} characters were searched`);
  return found;
};

/** The list or text at `path` contains the value; elements compare as text. */
const isIn: Test = ({ path }, value) => {
  const list = jsonListOf(path);
  if (list === undefined) return firstPlace(optionText(path), optionText(value)) !== -1;
  return list.some((element) => optionText(element) === optionText(value));
};

const isNull: Test = ({ path }) => path === undefined || path === null || path === '';

/** A formula is evaluated before the rule runs; its result decides (spec §8.3). */
const isTrue: Test = ({ path }) => {
  if (Array.isArray(path) || isJsonObject(path)) return Object.keys(path).length > 0;
  return path !== undefined && path !== null && path !== '' && path !== false;
};

/** Compares as numbers; a value that is not a number never matches. */
const compares =
  (holds: (order: number) => boolean): Test =>
  ({ path }, value) => {
    const [left, right] = [numberOf(path), numberOf(value)];
    return left !== undefined && right !== undefined && holds(compareNumbers(left, right));
  };

const COMPARISONS: Record<string, Test> = {
  'field<value': compares((order) => order < 0),
  'field<=value': compares((order) => order <= 0),
  'field>value': compares((order) => order > 0),
  'field>=value': compares((order) => order >= 0),
};

/** Each rule type: its test, and whether the rule negates it. */
const RULE_TYPES: ReadonlyMap<string, { test: Test; negated: boolean }> = new Map<
  string,
  { test: Test; negated: boolean }
>([
  ['regex', { test: isFound, negated: false }],
  ['!regex', { test: isFound, negated: true }],
  ['field==value', { test: isEqual, negated: false }],
  ['field!=value', { test: isEqual, negated: true }],
  ['in', { test: isIn, negated: false }],
  ['not in', { test: isIn, negated: true }],
  ['field==null', { test: isNull, negated: false }],
  ['field!=null', { test: isNull, negated: true }],
  ['formula', { test: isTrue, negated: false }],
  ['!formula', { test: isTrue, negated: true }],
  ...Object.entries(COMPARISONS).map(([type, test]) => [type, { test, negated: false }] as const),
]);

/**
 * Whether an event satisfies a rule. A list as `value` means any of its elements; a negated rule (`!regex`,
 * `field!=value`, `not in`) is always the opposite of the plain one.
 * @throws PermanentJobError naming the rule: an unknown type, an invalid pattern, or the time limit is over.
 */
export function ruleHolds(rule: Rule, context: RuleContext): boolean {
  const kind = RULE_TYPES.get(rule.type);
  if (kind === undefined) throw new PermanentJobError(`${context.place}: unknown rule type "${rule.type}"`);
  if (kind.test !== isTrue) refuseSignatures(rule, context);
  const holds = valuesOf(rule).some((value) => {
    refuseLate(context);
    return kind.test(rule, value, context);
  });
  return holds !== kind.negated;
}

/**
 * A rule sees no credential. A signature made with one fails here instead of being equal to nothing; the log names others.
 */
function refuseSignatures({ path, value }: Rule, { place, warn }: RuleContext): void {
  for (const side of [path, value]) {
    const text = optionText(side);
    if (!holdsReference(text)) continue;
    if (holdsSignature(text)) {
      throw new PermanentJobError(
        `${place}: a signature made with a credential cannot be compared: use a rule of the type formula with ${SECRET_CHECKS}`,
      );
    }
    warn(`${place}: a rule cannot read a credential; to compare one, use ${SECRET_CHECKS}`);
  }
}

/** Whether rules may have this type. */
export function isRuleType(type: string): boolean {
  return RULE_TYPES.has(type);
}

/** Checked before each value: a rule may have thousands of values, and its path megabytes of text. */
function refuseLate({ time, place }: RuleContext): void {
  if (time.isOver()) throw new PermanentJobError(`${place}: the rules take longer than ${MAX_SEARCH_MS} ms`);
}

/** Returns the values to compare; a formula has none. For `in` and `not in` a JSON text is a list: `{{ .RESOURCE.list }}` renders to one. */
function valuesOf({ type, value }: Rule): (JsonValue | undefined)[] {
  if (type === 'formula' || type === '!formula') return [undefined];
  if (Array.isArray(value)) return value;
  return ((type === 'in' || type === 'not in') && jsonListOf(value)) || [value];
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function numberOf(value: JsonValue | undefined): Numeric | undefined {
  const text = isNumeric(value) || typeof value === 'string' ? String(value).trim() : '';
  return NUMBER.test(text) ? readNumeric(text) : undefined;
}
