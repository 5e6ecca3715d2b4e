import type { TriedEvent } from '../../../../../clients/typescript/api.js';
import { Badge } from '../../../ui/words/badge.js';

interface PortWordProps {
  port: TriedEvent['port'];
  /** Of other actions, an event as usual needs no word. */
  isTrigger: boolean;
}

/** Names the port by which an event left its action. */
export function PortWord({ port, isTrigger }: PortWordProps) {
  if (port === 'failure') return <Badge tone="bad">failure</Badge>;
  if (port === 'no_match') return <Badge>no match</Badge>;
  return port === 'default' && isTrigger ? <Badge tone="ok">match</Badge> : null;
}
