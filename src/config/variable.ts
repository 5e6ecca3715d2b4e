import type Joi from 'joi';

/** The accepted texts of a variable, and how a text becomes a value. */
export interface VariableType<T> {
  /** Checks and converts the text. */
  schema: Joi.Schema;
  /** The accepted texts, for the documentation: `a whole number from 0 to 65535`. */
  form: string;
  /** Makes the value of the setting from the checked value or the default; absent: they are the same. */
  toValue?(checked: unknown): T;
}

/** The checked variables by name, with the defaults of those that stand earlier in the table. */
export type CheckedVariables = Record<string, unknown>;

/** Everything that is known about one variable besides its name and type. */
export interface Facts<T> {
  /** The value without the variable, as `schema` gives it; a function if it depends on other variables. */
  default?: T | ((checked: CheckedVariables) => T | undefined);
  /** The default in words, where the value itself does not say it. */
  defaultText?: string;
  /** True: the start fails without it. */
  required?: true;
  /** The unit of a number: `milliseconds`. */
  unit?: string;
  /** True: the value is a secret, or an address that may contain a password. */
  secret?: true;
  /** True: `npm start` sets it if it is not given. */
  setByStart?: true;
  /** The names under which it may be given, the preferred one first; absent: its own name. */
  names?: readonly string[];
  /** One sentence, at most 20 words: what the setting decides. */
  meaning: string;
  /** A second sentence, for the page only. */
  note?: string;
  example?: string;
  /** The page that says more, relative to `docs/operate`. */
  more?: string;
}

/** One environment variable and the setting that it gives. */
export interface Variable<T> {
  group: string;
  name: string;
  type: VariableType<T>;
  facts: Facts<T>;
}

/** Variables by the name of their setting in `Config`; a table within a table makes an object. */
export interface VariableTable {
  [setting: string]: Variable<unknown> | VariableTable;
}

/** The settings that a table of variables gives. */
export type Settings<Table> = {
  [Key in keyof Table]: Table[Key] extends Variable<infer T> ? T : Settings<Table[Key]>;
};

interface Define {
  <T>(
    name: string,
    type: VariableType<T>,
    facts: Facts<NoInfer<T>> &
      ({ required: true } | { default: NoInfer<T> | ((checked: CheckedVariables) => NoInfer<T>) }),
  ): Variable<T>;
  <T>(name: string, type: VariableType<T>, facts: Facts<NoInfer<T>>): Variable<T | undefined>;
}

/** Returns the function that defines the variables of a group; `group` is its heading in the documentation. */
export function inGroup(group: string): Define {
  return <T>(name: string, type: VariableType<T>, facts: Facts<T>) => ({ group, name, type, facts });
}

/** Returns every variable of a table, in order. */
export function variablesIn(table: VariableTable): Variable<unknown>[] {
  return Object.values(table).flatMap((entry) => (isVariable(entry) ? [entry] : variablesIn(entry)));
}

/** Returns the schema of one variable, with its default. */
export function schemaOf({ type, facts }: Variable<unknown>): Joi.Schema {
  if (facts.required) return type.schema.required();
  return facts.default === undefined ? type.schema : type.schema.default(facts.default);
}

/** Returns the settings of a table, from the checked environment. */
export function variableSettings<Table extends VariableTable>(
  table: Table,
  checked: CheckedVariables,
): Settings<Table> {
  const entries = Object.entries(table).map(([setting, entry]) => [
    setting,
    isVariable(entry) ? valueOf(entry, checked[entry.name]) : variableSettings(entry, checked),
  ]);
  return Object.fromEntries(entries) as Settings<Table>;
}

function valueOf({ type }: Variable<unknown>, checked: unknown): unknown {
  return checked === undefined || type.toValue === undefined ? checked : type.toValue(checked);
}

function isVariable(entry: Variable<unknown> | VariableTable): entry is Variable<unknown> {
  return typeof entry.name === 'string';
}
