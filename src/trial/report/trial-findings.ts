import { runnable } from '../../agents/face.js';
import type { AgentNode, StoryGraph } from '../../stories/face.js';
import { slugOf } from '../../platform/text/slug.js';
import type { ImportOnlyAction, TrialReport } from './trial-report.js';
import type { OnMissing } from '../memory/named-trial-values.js';

/** Resources, credentials and responses that a trial lacked, each once. */
export interface TrialFindings {
  missing: OnMissing;
  /** Adds a request without a response, as `GET https://…`. */
  noteUnanswered: (request: string) => void;
  /** Called with each agent that is reached. */
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

/** Adds a name unless it, or another name with its slug, is known. */
function addOnce(names: Map<string, string>, name: string): void {
  const key = slugOf(name) || name;
  if (!names.has(key)) names.set(key, name);
}
