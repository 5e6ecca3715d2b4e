import type { GraphAction } from '../../../clients/typescript/api.js';
import { hasEntries } from '../text/exact-json.js';
import { setFields, setOption } from './commands/action-commands.js';
import type { Command } from './story-draft.js';
import { type Path, withValueAt } from './value-in.js';

const RECORD_TYPE = 'Agents::RecordAgent';
/** Settings of record actions that exports have beside the options. */
const BESIDE = ['record_type', 'record_writers'];

/** Returns the options as the server reads them: with the record settings beside them, unless the options have their own. */
export function optionsWithRecord(action: GraphAction): GraphAction['options'] {
  const names = besideIn(action);
  if (names.length === 0) return action.options;
  return { ...Object.fromEntries(names.map((name) => [name, action[name]])), ...action.options };
}

/** Changes a value in the options of an action, or in its settings beside them, where it stands. */
export function setShownOption(key: string, action: GraphAction, path: Path, value: unknown): Command {
  const [name, ...rest] = path;
  if (typeof name !== 'string' || !besideIn(action).includes(name)) return setOption(key, path, value);
  const next = rest.length === 0 ? value : withValueAt(action[name], rest, value);
  const change = setFields(key, { [name]: next });
  if (typeof value !== 'string') return change;
  return (draft) => ({ ...change(draft), group: `option ${key} ${JSON.stringify(path)}` });
}

function besideIn(action: GraphAction): string[] {
  if (action.type !== RECORD_TYPE) return [];
  return BESIDE.filter((name) => hasEntries(action[name]) && !(name in action.options));
}
