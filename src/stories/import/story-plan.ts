import type { JsonObject } from '../../platform/json.js';
import type { StoryGraph } from '../story-graph.js';

/** A row of `agents` to be written. */
export interface AgentPlan {
  /** Of the agent that is replaced; undefined: a new one. */
  kept: { id: number; createdAt: Date } | undefined;
  guid: string;
  type: string;
  name: string;
  disabled: boolean;
  options: JsonObject;
  keepEventsForSeconds: number;
  webhookPath: string | undefined;
  extra: JsonObject;
}

/** A row of `links` to be written; the ends are known by guid until the agents have ids. */
export interface LinkPlan {
  sourceGuid: string;
  receiverGuid: string;
  linkType: string | undefined;
  extra: JsonObject;
}

/** A story to be written, new or in place of one that is there. */
export interface StoryPlan {
  /** Of the story that is replaced; undefined: a new one. */
  replacedId: number | undefined;
  guid: string;
  name: string;
  description: string | undefined;
  schemaVersion: number;
  language: StoryGraph['language'];
  keepEventsForSeconds: number;
  /** undefined: what it is already, or no. */
  disabled: boolean | undefined;
  priority: boolean | undefined;
  synchronousWebhooksEnabled: boolean;
  extra: JsonObject;
  agents: AgentPlan[];
  links: LinkPlan[];
}

/** The story that an import replaces, as far as it is kept. */
export interface ReplacedStory {
  id: number;
  guid: string;
  agents: ReplacedAgent[];
}

export interface ReplacedAgent {
  id: number;
  guid: string;
  /** The guid it had in the export it first came from. */
  exportGuid: string | undefined;
  createdAt: Date;
  webhookPath: string | undefined;
  secret: string | undefined;
}
