import type { JsonObject } from '../../../platform/json.js';
import type { StoryGraph } from '../../graph/story-graph.js';

/** A row of `agents` to be written. */
export interface AgentPlan {
  /** The agent that it continues; undefined: a new one. */
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

/** A row of `links` to be written; its ends are guids until the agents have ids. */
export interface LinkPlan {
  sourceGuid: string;
  receiverGuid: string;
  linkType: string | undefined;
  extra: JsonObject;
}

/** A story to be written, new or as a replacement. */
export interface StoryPlan {
  /** Id of the replaced story; undefined: a new one. */
  replacedId: number | undefined;
  guid: string;
  name: string;
  description: string | undefined;
  schemaVersion: number;
  language: StoryGraph['language'];
  keepEventsForSeconds: number;
  /** undefined: the replaced story's value, or false. */
  disabled: boolean | undefined;
  priority: boolean | undefined;
  synchronousWebhooksEnabled: boolean;
  extra: JsonObject;
  agents: AgentPlan[];
  links: LinkPlan[];
}

/** The parts of the replaced story that an import keeps. */
export interface ReplacedStory {
  id: number;
  guid: string;
  userId: number;
  updatedAt: Date;
  locked: boolean;
  changeControlEnabled: boolean;
  agents: ReplacedAgent[];
}

export interface ReplacedAgent {
  id: number;
  guid: string;
  type: string;
  name: string;
  /** The guid in the export that it first came from. */
  exportGuid: string | undefined;
  createdAt: Date;
  webhookPath: string | undefined;
  secret: string | undefined;
}
