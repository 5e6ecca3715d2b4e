import { FilePenLine, Lock } from 'lucide-react';
import { Badge } from '../../ui/words/badge.js';
import { type Guard, GUARD_WORDS } from './story-guards.js';

/** Tells that the actions of a story may not be changed, and why. */
export function GuardBadge({ guard }: { guard: Guard }) {
  return (
    <Badge tone="info" title={GUARD_WORDS[guard]}>
      {guard === 'locked' ? <Lock aria-hidden="true" /> : <FilePenLine aria-hidden="true" />}
      {guard}
    </Badge>
  );
}
