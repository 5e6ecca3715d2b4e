import type { ExportAgent } from '../../export/export-form.js';
import { WEBHOOK_TYPE } from '../import-address.js';
import { pairByName } from './pair-by-name.js';
import type { ReplacedAgent } from './story-plan.js';

/**
 * Maps agents of the export to the agents of the replaced story that they continue: those with the same guid, either
 * their own (the export was made here) or the guid in the export that they came from; those without any guid, by type and
 * name (spec §3.3). Each agent continues at most once; its own guid takes precedence.
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
  const unnamed = incoming.filter(({ guid }) => (guid ?? '') === '');
  for (const [agent, match] of pairByName(unnamed, [...free])) matches.set(agent, match);
  return matches;
}

/** Returns the webhook paths that stay in the story when these agents replace those. */
export function keptPaths(incoming: ExportAgent[], replaced: ReplacedAgent[]): string[] {
  return [...matchAgents(incoming, replaced)].flatMap(([{ type }, { webhookPath }]) =>
    type === WEBHOOK_TYPE && webhookPath !== undefined ? [webhookPath] : [],
  );
}
