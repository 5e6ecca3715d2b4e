import { createHash } from 'node:crypto';
import type { AgentPlan } from '../import/plan/story-plan.js';
import { withGuid } from '../versions/restore-version.js';

const DIGITS = 32;

/** Returns the guid of a draft's copy of a live action. It is always the same, so a copy that comes back is known again. */
export function copyGuid(draftGuid: string, liveGuid: string): string {
  return createHash('sha256').update(`${draftGuid} ${liveGuid}`).digest('hex').slice(0, DIGITS);
}

/** Returns the actions of a draft; those that were removed and come back remember the live action that they are copies of. */
export function rememberingOrigins(
  agents: readonly AgentPlan[],
  draftGuid: string,
  liveGuids: readonly string[],
): AgentPlan[] {
  const origins = new Map(liveGuids.map((guid) => [copyGuid(draftGuid, guid), guid]));
  return agents.map((agent) => {
    const origin = agent.kept === undefined ? origins.get(agent.guid) : undefined;
    return origin === undefined ? agent : { ...agent, extra: withGuid(agent.extra, origin) };
  });
}
