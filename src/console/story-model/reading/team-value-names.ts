import { hasEntries } from '../../text/exact-json.js';

/** A value of a team that templates name. */
export interface NamedValue {
  kind: 'credential' | 'resource';
  name: string;
}

/** `CREDENTIAL.jira`, `RESOURCE["Blocked domains"]`. */
const NAMED = /\b(CREDENTIAL|RESOURCE)\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:"([^"\n]+)"|'([^'\n]+)')\s*\])/g;
const known = new WeakMap<object, readonly NamedValue[]>();

/** Returns the credentials and resources that the templates in some options name, each once. Computed names are not found. */
export function namedIn(options: object): readonly NamedValue[] {
  const kept = known.get(options);
  if (kept !== undefined) return kept;
  const found = new Map<string, NamedValue>();
  for (const text of textsIn(options)) {
    for (const [, root, word, quoted, single] of text.matchAll(NAMED)) {
      const value: NamedValue = {
        kind: root === 'CREDENTIAL' ? 'credential' : 'resource',
        name: word ?? quoted ?? single ?? '',
      };
      found.set(`${value.kind} ${value.name}`, value);
    }
  }
  const values = [...found.values()];
  known.set(options, values);
  return values;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return /CREDENTIAL|RESOURCE/.test(value) ? [value] : [];
  return hasEntries(value) ? Object.values(value).flatMap(textsIn) : [];
}
