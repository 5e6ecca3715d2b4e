import type { Resource } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';

/** Tells that a thing is shared with other teams; nothing if it is not. */
export function SharedBadge({ access }: { access: Resource['read_access'] }) {
  if (access === 'TEAM') return null;
  return <Badge tone="info">{access === 'GLOBAL' ? 'all teams' : 'some teams'}</Badge>;
}
