import { runnable } from '../../agents/index.js';
import type { AgentNode, StoryGraph } from '../../stories/story-graph.js';
import { slugOf } from '../../platform/text/slug.js';
import type { ImportOnlyAction, TrialReport } from './trial-report.js';
import type { OnMissing } from './trial-values.js';

/** What a trial lacked, each thing once. */
export interface TrialFindings {
  missing: OnMissing;
  /** `GET https://…`, which nothing answers. */
  noteUnanswered: (request: string) => void;
  /** The action was reached. */
  noteReached(story: StoryGraph, agent: AgentNode): void;
  found(): Pick<TrialReport, 'unanswered' | 'missing' | 'importOnly'>;
}

export function createTrialFindings(): TrialFindings {
  const unanswered = new Set<string>();
  const credentials = new Map<string, string>();
  const resources = new Map<string, string>();
  const importOnly = new Map<number, ImportOnlyAction>();
  return {
    missing: {
      credential: (name) => addOnce(credentials, name),
      resource: (name) => addOnce(resources, name),
    },
    noteUnanswered: (request) => void unanswered.add(request),
    noteReached(story, agent) {
      const reason = runnable(agent.type, agent.options);
      if (reason !== undefined) importOnly.set(agent.id, { story: story.name, agent: agent.name, reason });
    },
    found: () => ({
      unanswered: [...unanswered],
      missing: { credentials: [...credentials.values()], resources: [...resources.values()] },
      importOnly: [...importOnly.values()],
    }),
  };
}

/** A name and its slug mean the same; the first spelling stays. */
function addOnce(names: Map<string, string>, name: string): void {
  const key = slugOf(name) || name;
  if (!names.has(key)) names.set(key, name);
}
