import type { AuditEntry } from '../../../../clients/typescript/api.js';

/** Returns a change as people say it: `story 12: update` for `story.update`; the thing without its id if it has none. */
export function changeWords({ action, target_id: id }: Pick<AuditEntry, 'action' | 'target_id'>): string {
  const [type = action, ...verb] = action.split('.');
  const thing = type.replaceAll('_', ' ');
  const did = verb.join(' ').replaceAll('_', ' ');
  return `${thing}${id === null ? '' : ` ${id}`}${did === '' ? '' : `: ${did}`}`;
}
