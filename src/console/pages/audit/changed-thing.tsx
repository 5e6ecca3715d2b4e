import { Link } from 'wouter';
import type { AuditEntry } from '../../../../clients/typescript/api.js';
import { thingWords } from '../home/change-words.js';

/** The name of what was changed; it leads there if it still exists and has a page. */
export function ChangedThing({ entry }: { entry: AuditEntry }) {
  const name = thingWords(entry);
  const path = entry.target_name === null ? undefined : pathOf(entry);
  if (name === '') return null;
  return path === undefined ? <bdi>{name}</bdi> : <Link href={path}>{name}</Link>;
}

/** Returns the page of what was changed; undefined: it has none. */
function pathOf({ target_type: type, target_id: id, story_id: story }: AuditEntry): string | undefined {
  switch (type) {
    case 'story':
      return `/stories/${id}`;
    case 'agent':
      return story === null ? undefined : `/stories/${story}?action=${id}`;
    case 'credential':
      return `/credentials/${id}`;
    case 'resource':
      return `/resources/${id}`;
    case 'case':
      return `/cases/${id}`;
    case 'record_type':
      return `/records?type=${id}`;
    case 'team':
      return `/team/teams/${id}`;
    case 'user':
    case 'member':
      return `/team/people/${id}`;
    default:
      return undefined;
  }
}
