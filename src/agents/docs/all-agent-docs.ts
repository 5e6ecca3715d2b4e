import { emailAgent } from '../email/email-agent.js';
import { eventTransformationAgent } from '../event-transformation/event-transformation-agent.js';
import { httpRequestAgent } from '../http-request/http-request-agent.js';
import { recordAgent } from '../record-agent.js';
import { sendToStoryAgent } from '../send-to-story-agent.js';
import { triggerAgent } from '../trigger/trigger-agent.js';
import { webhookAgent } from '../webhook/webhook-agent.js';
import type { AgentDocs } from './agent-docs.js';
import { emailDocs } from './email-docs.js';
import { eventTransformationDocs } from './event-transformation-docs.js';
import { httpRequestDocs } from './http-request-docs.js';
import { recordDocs } from './record-docs.js';
import { sendToStoryDocs } from './send-to-story-docs.js';
import { triggerDocs } from './trigger-docs.js';
import { webhookDocs } from './webhook-docs.js';

/** The documentation of each agent type that can run, by the type's name in exports. */
export const AGENT_DOCS: ReadonlyMap<string, AgentDocs> = new Map([
  [webhookAgent.type, webhookDocs],
  [eventTransformationAgent.type, eventTransformationDocs],
  [triggerAgent.type, triggerDocs],
  [httpRequestAgent.type, httpRequestDocs],
  [emailAgent.type, emailDocs],
  [sendToStoryAgent.type, sendToStoryDocs],
  [recordAgent.type, recordDocs],
]);
