import type { RecordField } from '../../../../../clients/typescript/api.js';

/** How a filter compares, by the names of the API. */
export type Operator =
  | 'CONTAINS'
  | 'EQUAL'
  | 'NOT_EQUAL'
  | 'GREATER_THAN'
  | 'GREATER_THAN_OR_EQUAL_TO'
  | 'LESS_THAN'
  | 'LESS_THAN_OR_EQUAL_TO'
  | 'IS_EMPTY'
  | 'IS_NOT_EMPTY'
  | 'IS_TRUE'
  | 'IS_FALSE';

type FieldType = RecordField['result_type'];

const SIZES: Operator[] = ['GREATER_THAN', 'GREATER_THAN_OR_EQUAL_TO', 'LESS_THAN', 'LESS_THAN_OR_EQUAL_TO'];
const SAME: Operator[] = ['EQUAL', 'NOT_EQUAL'];
const EMPTY: Operator[] = ['IS_EMPTY', 'IS_NOT_EMPTY'];

const BY_TYPE: { [Type in FieldType]: Operator[] } = {
  TEXT: ['CONTAINS', ...SAME, ...SIZES, ...EMPTY],
  NUMBER: [...SAME, ...SIZES, ...EMPTY],
  TIMESTAMP: [...SIZES, ...SAME, ...EMPTY],
  BOOLEAN: ['IS_TRUE', 'IS_FALSE', ...EMPTY],
  TEXT_ENUM: [...SAME, ...EMPTY],
};

const WORDS: { [Name in Operator]: string } = {
  CONTAINS: 'contains',
  EQUAL: 'is',
  NOT_EQUAL: 'is not',
  GREATER_THAN: 'more than',
  GREATER_THAN_OR_EQUAL_TO: 'at least',
  LESS_THAN: 'less than',
  LESS_THAN_OR_EQUAL_TO: 'at most',
  IS_EMPTY: 'is empty',
  IS_NOT_EMPTY: 'is not empty',
  IS_TRUE: 'is true',
  IS_FALSE: 'is false',
};

const TIME_WORDS: Partial<{ [Name in Operator]: string }> = {
  GREATER_THAN: 'after',
  GREATER_THAN_OR_EQUAL_TO: 'from',
  LESS_THAN: 'before',
  LESS_THAN_OR_EQUAL_TO: 'until',
};

/** Returns the operators that fit a type of field (spec §6.5), the usual one first. */
export const operatorsOf = (type: FieldType): readonly Operator[] => BY_TYPE[type];

/** Returns an operator in words, as they fit the type of the field. */
export const operatorWords = (operator: Operator, type: FieldType): string =>
  (type === 'TIMESTAMP' ? TIME_WORDS[operator] : undefined) ?? WORDS[operator];

/** Whether an operator compares with a value. */
export const needsValue = (operator: Operator): boolean => !operator.startsWith('IS_');

/** Whether a text is the name of an operator. */
export const isOperator = (text: string): text is Operator => Object.hasOwn(WORDS, text);
