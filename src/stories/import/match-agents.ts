import type { ExportAgent } from '../export-form.js';
import { WEBHOOK_TYPE } from './import-address.js';
import type { ReplacedAgent } from './story-plan.js';

/**
 * Which agents of the replaced story go on as which agents of the export: those with the same guid, be it
 * their own (the export was made here) or the one of the export they came from (spec §3.3).
 * Each goes on once at most; the own guid goes first.
 */
export function matchAgents(
  incoming: ExportAgent[],
  replaced: ReplacedAgent[],
): Map<ExportAgent, ReplacedAgent> {
  const matches = new Map<ExportAgent, ReplacedAgent>();
  const free = new Set(replaced);
  for (const guidOf of [(agent: ReplacedAgent) => agent.guid, (agent: ReplacedAgent) => agent.exportGuid]) {
    const byGuid = new Map([...free].map((agent) => [guidOf(agent), agent]));
    for (const agent of incoming) {
      const match = typeof agent.guid === 'string' ? byGuid.get(agent.guid) : undefined;
      if (match === undefined || matches.has(agent) || !free.delete(match)) continue;
      matches.set(agent, match);
    }
  }
  return matches;
}

/** The webhook paths that stay where they are when these agents replace those. */
export function keptPaths(incoming: ExportAgent[], replaced: ReplacedAgent[]): string[] {
  return [...matchAgents(incoming, replaced)].flatMap(([{ type }, { webhookPath }]) =>
    type === WEBHOOK_TYPE && webhookPath !== undefined ? [webhookPath] : [],
  );
}
