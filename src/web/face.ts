/* The only file of this room that others import. */
export { createAdminApp, createAdminRouter } from './admin/admin-app.js';
export { adminHost } from './admin/admin-host.js';
export { createAdminListener } from './admin/admin-listener.js';
export type { PersonSignInOutcome } from './admin/people/people-deps.js';
export type { SignIn } from './admin/sign-in-router.js';
export { loadProtocol } from './mcp/mcp-code.js';
export { createMcpRouter } from './mcp/mcp-router.js';
export type { RunningCalls } from './mcp/running-calls.js';
export { createSharedCalls } from './mcp/shared-calls.js';
export { createPromptRouter } from './prompts/prompt-router.js';
export { type CallLog, createCallLog } from './webhooks/calls/call-log.js';
export { createOwnCalls, type OwnCalls } from './webhooks/calls/own-calls.js';
export {
  createRefusedWebhooks,
  type ReadRefusedWebhooks,
  type RefusedWebhook,
} from './webhooks/calls/refused-webhooks.js';
export { createWebhookCallService, type WebhookCallService } from './webhooks/calls/webhook-call-service.js';
export { webhookListRoutes } from './webhooks/calls/webhook-list-routes.js';
export { createWebhookListService, type WebhookListService } from './webhooks/calls/webhook-list-service.js';
export { readKeptHeaders, withoutCredentials } from './webhooks/kept-headers.js';
export type { WebhookPreload } from './webhooks/preload/webhook-preload.js';
export { includesHeaders, keepsRawBody } from './webhooks/settings/webhook-settings-cache.js';
export { buildEvent, toReceivedEvent, withRawBody } from './webhooks/webhook-event.js';
export type { WebhookMeter } from './webhooks/webhook-meter.js';
export type { AcceptedRequest, WebhookTraces } from './webhooks/webhook-router.js';
export { createWebhookServices } from './webhooks/webhook-services.js';
export { createPeople } from './admin/people/create-people.js';
