import { type CheckedRule, triggerAgent } from '../../agents/face.js';
import type { AgentNode, LinkKind, StoryGraph } from '../../stories/face.js';
import type { EventEntry, TrialReport } from '../report/trial-report.js';
import { entriesOf } from '../report/trial-report.js';

/** An action as coverage names it. */
export interface CoveredAction {
  name: string;
  /** Its guid in the export; null: it has none there. */
  guid: string | null;
}

/** The parts of a story that its tests reach. */
export interface TestCoverage {
  actions: (CoveredAction & { covered: boolean })[];
  links: { source: CoveredAction; receiver: CoveredAction; kind: LinkKind; covered: boolean }[];
  /** Each rule of a trigger has two branches. */
  rules: { action: CoveredAction; rule: number; holds: boolean; fails: boolean }[];
  /** Covered parts, and all of them: actions, links, and branches of rules. */
  covered: number;
  all: number;
}

/** Collects what the tests of one story reach. */
export interface CoverageBook {
  /** Notes an action that is reached. */
  noteAction(agentId: number): void;
  noteRules(agentId: number, rules: readonly Pick<CheckedRule, 'holds'>[]): void;
  noteReport(report: TrialReport): void;
  coverage(): TestCoverage;
}

/** Creates an empty one. `exportGuids`: guids in the export by the id of the action. */
export function createCoverageBook(
  story: StoryGraph,
  exportGuids: ReadonlyMap<number, string>,
): CoverageBook {
  const actions = new Set<number>();
  const links = new Set<string>();
  const rules = new Set<string>();
  const nodes = [...story.agents.values()];

  const named = (id: number): CoveredAction => ({
    name: story.agents.get(id)?.name ?? '',
    guid: exportGuids.get(id) ?? null,
  });

  const noteEvent = ({ agentId, receiverIds, port }: EventEntry): void => {
    const agent = story.agents.get(agentId);
    if (agent === undefined) return;
    actions.add(agentId);
    for (const receiverId of receiverIds)
      for (const kind of kindsOf(agent, receiverId, port)) links.add(linkKey(agentId, receiverId, kind));
  };

  return {
    noteAction: (agentId) => void (story.agents.has(agentId) && actions.add(agentId)),
    noteRules(agentId, checked) {
      for (const [index, { holds }] of checked.entries()) rules.add(ruleKey(agentId, index, holds));
    },
    noteReport(report) {
      for (const entry of entriesOf(report, 'event')) noteEvent(entry);
    },
    coverage() {
      const coveredActions = nodes.map(({ id }) => ({ ...named(id), covered: actions.has(id) }));
      const coveredLinks = nodes.flatMap(({ id, receivers }) =>
        receivers.map(({ agentId, kind }) => ({
          source: named(id),
          receiver: named(agentId),
          kind,
          covered: links.has(linkKey(id, agentId, kind)),
        })),
      );
      const coveredRules = nodes.flatMap((agent) =>
        Array.from({ length: ruleCount(agent) }, (_, rule) => ({
          action: named(agent.id),
          rule,
          holds: rules.has(ruleKey(agent.id, rule, true)),
          fails: rules.has(ruleKey(agent.id, rule, false)),
        })),
      );
      const parts = [
        ...coveredActions.map(({ covered }) => covered),
        ...coveredLinks.map(({ covered }) => covered),
        ...coveredRules.flatMap(({ holds, fails }) => [holds, fails]),
      ];
      return {
        actions: coveredActions,
        links: coveredLinks,
        rules: coveredRules,
        covered: parts.filter(Boolean).length,
        all: parts.length,
      };
    },
  };
}

const linkKey = (source: number, receiver: number, kind: LinkKind) => `${source} ${receiver} ${kind}`;
const ruleKey = (agentId: number, rule: number, holds: boolean) => `${agentId} ${rule} ${holds}`;

/** Returns the kinds of the links that an event took to a receiver. An event for all links leaves by the port of no match. */
function kindsOf({ receivers }: AgentNode, receiverId: number, port: EventEntry['port']): LinkKind[] {
  if (port === 'failure') return ['failure'];
  if (port !== 'no_match') return ['normal'];
  const kinds = receivers.filter(({ agentId, kind }) => agentId === receiverId && kind !== 'failure');
  return kinds.some(({ kind }) => kind === 'secondary') ? ['secondary'] : ['normal'];
}

function ruleCount({ type, options }: AgentNode): number {
  if (type !== triggerAgent.type) return 0;
  const { rules } = options;
  return Array.isArray(rules) ? rules.length : 1;
}
