/* The only file of this room that others import. */
export {
  type AgentContext,
  type AgentResult,
  type Asleep,
  type OutputBranch,
  type Called,
  type CheckedRule,
  type Claim,
  type Claimed,
  type Emitted,
  type EndedCalls,
  type Exchange,
  type Gathered,
  LOG_LEVELS,
  type AgentLogLevel,
  type MailProgress,
  type MailSender,
  type MailState,
  type MaskRequest,
  type AgentOutput,
  type RequestBody,
  type RequestSender,
} from './agent.js';
export { DELIVERY_QUEUES, type DeliveryQueue, START_QUEUE } from './delivery-queues.js';
export type { AgentDocs, OptionTable } from './docs/agent-docs.js';
export { AGENT_DOCS } from './docs/all-agent-docs.js';
export { LOCAL_OPTION, LOOP_OPTION } from './docs/common-options.js';
export { emailAgent } from './email/email-agent.js';
export { HIGHEST_LOOKBACK } from './event-transformation/deduplicate.js';
export { MODES } from './event-transformation/modes.js';
export { httpRequestAgent, MOST_RETRIES, NOT_MTLS } from './http-request/http-request-agent.js';
export { type Pagination, paginationSchema, readPagination } from './http-request/pagination.js';
export { buildRequest, type RequestContext, type RequestOptions } from './http-request/request.js';
export { isLargeResponse, responseEvent } from './http-request/response-body.js';
export {
  AGENT_TYPES,
  type AgentType,
  checkOptions,
  findAgentType,
  IMPORT_ONLY_TYPES,
  runnable,
} from './index.js';
export {
  ancestry,
  assemblePayload,
  extendLineage,
  isNamed,
  type Lineage,
  lineageOfInput,
  parseLineage,
} from './lineage.js';
export { AGENT_CHECKS, type AgentChecks } from './options/agent-checks.js';
export { isGiven, readOptions, runAgent } from './options/options.js';
export { callsInLoop } from './send-to-story-agent.js';
export { asksForLoop } from './setting-names.js';
export { triggerAgent } from './trigger/trigger-agent.js';
export { type RateLimitOption, rateLimitOption, readVerbs, webhookAgent } from './webhook/webhook-agent.js';
export { type Cors, readCors } from './webhook/webhook-cors.js';
export { mayStorySet } from './webhook/webhook-headers.js';
