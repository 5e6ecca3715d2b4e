import type { ExportAgent } from '../../export/export-form.js';
import { givenAddress, WEBHOOK_TYPE } from '../import-address.js';
import { type NamedAction, pairByName, replacedWebhooks } from './pair-by-name.js';
import type { ReplacedAgent } from './story-plan.js';

/**
 * Maps agents of the export to the agents of the replaced story that they continue: those with the same guid, either
 * their own (the export was made here) or the guid in the export that they came from; those without any guid, by path, or type
 * and name (spec §3.3). Each agent continues at most once; its own guid takes precedence.
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
  const pairs = pairByName(unnamed.map(comingForm), [...free].map(replacedForm));
  for (const [agent, match] of pairs) matches.set(agent, match);
  return matches;
}

/** Returns in words which webhooks go although the export has others of their names: their addresses are lost. */
export function lostWebhooks(incoming: ExportAgent[], replaced: ReplacedAgent[]): string[] {
  const matches = matchAgents(incoming, replaced);
  const kept = new Set(matches.values());
  return replacedWebhooks(
    incoming.filter((agent) => !matches.has(agent)).map(comingForm),
    replaced.filter((agent) => !kept.has(agent)).map(replacedForm),
  );
}

function comingForm(agent: ExportAgent): NamedAction<ExportAgent> {
  const { type, name, options } = agent;
  return { action: agent, type, name, path: givenAddress(options).path };
}

function replacedForm(agent: ReplacedAgent): NamedAction<ReplacedAgent> {
  const { type, name, webhookPath: path } = agent;
  return { action: agent, type, name, path };
}

/** Returns the webhook paths that stay in the story when these agents replace those. */
export function keptPaths(incoming: ExportAgent[], replaced: ReplacedAgent[]): string[] {
  return [...matchAgents(incoming, replaced)].flatMap(([{ type }, { webhookPath }]) =>
    type === WEBHOOK_TYPE && webhookPath !== undefined ? [webhookPath] : [],
  );
}
