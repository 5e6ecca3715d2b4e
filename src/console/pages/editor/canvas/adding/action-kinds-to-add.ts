import type { AgentOption, AgentType, GraphAction } from '../../../../../../clients/typescript/api.js';
import { kindOf } from '../../../../ui/words/action-kinds.js';

/** A kind of action that may be added: a type, or one mode of a type. */
export interface KindToAdd {
  /** `Agents::EventTransformationAgent explode`. */
  id: string;
  type: string;
  name: string;
  description: string;
  /** The options that a new action has. */
  options: GraphAction['options'];
}

/** Returns the kinds that run here, each mode by itself. */
export function kindsToAdd(types: Iterable<AgentType>): KindToAdd[] {
  return [...types]
    .filter(({ runnable }) => runnable)
    .flatMap(({ type, name, description, options, modes }): KindToAdd[] => {
      const own = defaultOptions(options.filter((option) => option.name !== 'mode'));
      if (modes.length === 0) return [{ id: type, type, name, description, options: own }];
      return modes.map(({ mode, description: about, options: more }) => {
        const all = { mode, ...own, ...defaultOptions(more) };
        const { word } = kindOf({ type, options: all });
        return { id: `${type} ${mode}`, type, name: word, description: about, options: all };
      });
    });
}

/** Returns the kinds whose name, description or type has all these words; those whose name begins with the text come first. */
export function kindsWith(kinds: readonly KindToAdd[], text: string): KindToAdd[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = ({ name, description, type }: KindToAdd) => {
    const whole = `${name} ${description} ${type}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  };
  const rank = ({ name }: KindToAdd) => {
    const at = name.toLowerCase().indexOf(words[0] ?? '');
    return at === 0 ? 0 : at > 0 ? 1 : 2;
  };
  return kinds.filter(has).toSorted((a, b) => rank(a) - rank(b));
}

/** What an action must have, and nothing else: each option with its default, a name, or empty. */
function defaultOptions(options: readonly AgentOption[]): Record<string, unknown> {
  return Object.fromEntries(
    options
      .filter(({ required }) => required)
      .map(({ name, default: value, example, schema }) => [
        name,
        value ?? (isWord(example) ? example : emptyValue(schema)),
      ]),
  );
}

/** A name that the action makes, such as the key of an element: any will do. */
const isWord = (example: unknown) => typeof example === 'string' && /^\w+$/.test(example);

function emptyValue(schema: Record<string, unknown>): unknown {
  const [first] = Array.isArray(schema['anyOf']) ? schema['anyOf'] : [];
  const type = schema['type'] ?? (first as { type?: unknown } | undefined)?.type;
  if (type === 'array') return [];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 0;
  if (type !== 'object') return '';
  const { required, properties } = schema as { required?: string[]; properties?: Record<string, object> };
  return Object.fromEntries((required ?? []).map((key) => [key, emptyValue({ ...properties?.[key] })]));
}
