import { Link } from 'wouter';
import type { AuditEntry } from '../../../../clients/typescript/api.js';
import { viewPath } from '../story/story-address.js';
import { thingWords } from '../home/change-words.js';

/** The name of what was changed; it leads there if it still exists and has a page. */
export function ChangedThing({ entry }: { entry: AuditEntry }) {
  const name = deletedName(entry) ?? thingWords(entry);
  const path = entry.target_name === null ? undefined : pathOf(entry);
  if (name === '') return null;
  return path === undefined ? <bdi>{name}</bdi> : <Link href={path}>{name}</Link>;
}

/** Returns the name that a deleted thing had. */
function deletedName({ target_name: name, changes }: AuditEntry): string | undefined {
  if (name !== null) return undefined;
  const before = changes?.find(({ field }) => field === 'name')?.before;
  return typeof before === 'string' ? before : undefined;
}

/** Returns the page of what was changed; undefined: it has none. */
function pathOf({ target_type: type, target_id: id, story_id: story }: AuditEntry): string | undefined {
  switch (type) {
    case 'story':
      return `/stories/${id}`;
    case 'agent':
      return story === null ? undefined : `/stories/${story}?action=${id}`;
    case 'draft':
      return story === null ? undefined : `/stories/${story}?draft=${id}`;
    case 'schedule':
      return story === null ? undefined : viewPath(story, 'schedules');
    case 'story_version':
      return story === null ? undefined : `${viewPath(story, 'versions')}&version=${id}`;
    case 'webhook':
      return `/webhooks/${id}`;
    case 'credential':
      return `/credentials/${id}`;
    case 'resource':
      return `/resources/${id}`;
    case 'case':
      return `/cases/${id}`;
    case 'step':
      return `/steps/${id}`;
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
