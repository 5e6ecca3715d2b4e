/* The only file of this room that others import. */
export {
  can,
  canRead,
  canManage,
  canWrite,
  defaultTeamId,
  homeTeamId,
  homeTeamProblems,
  type RequiredRight,
  requireOwner,
  requireTeam,
  rightsOf,
  teamProblems,
  visibleTeamIds,
} from './auth/access.js';
export { type ActorRow, createActorStore, toActors } from './auth/actor-store.js';
export { type Actor, type Role, ROLES } from './auth/actor.js';
export { apiKeyDigest, newApiKey, visiblePrefix } from './auth/api-key.js';
export { type Authenticator, createAuthenticator, keyFrom } from './auth/authenticator.js';
export { READ_ACCESS, type ReadAccess, requireShared } from './auth/shared-access.js';
export { redactFor } from './auth/redact-for.js';
export { TenantFrozen } from './auth/tenant-frozen.js';
export { type ResponseSeal, createIdempotency, type Idempotency } from './idempotency/idempotency.js';
export {
  auditLiveEvent,
  type LiveEvents,
  type LiveEventBatch,
  type LiveEventCounts,
  type LiveEvent,
  liveEventsKey,
  type RunEnd,
  type RunSource,
} from './live/live-event.js';
export { type ApiDescription, describeApi } from './openapi/api-description.js';
export { component } from './openapi/component.js';
export { createComponents } from './openapi/components.js';
export { jsonSchemaOf } from './openapi/json-schema.js';
export { operationIdOf } from './openapi/operation-id.js';
export { operationOf } from './openapi/operation.js';
export { createDocsRouter } from './openapi/pages/docs-router.js';
export { referringSchema } from './openapi/standalone-schema.js';
export { type CheckedRequest, type CheckOrder, checkRequest } from './request/checked-request.js';
export { refuseEarly } from './request/early-refusal.js';
export { identifyByKey, type Identify, keyHeaders } from './request/identify.js';
export {
  cursorKey,
  cursorOnlyIf,
  pageKeys,
  pageLinks,
  pageMeta,
  pageMetaSchema,
  type PageQuery,
  windowOf,
} from './request/page-meta.js';
export { createRouteLimits, enforce, type RouteLimits } from './request/route-limits.js';
export { errorHandler, toAppError } from './response/error-handler.js';
export { type EventSink, EventStream, streamEventText } from './response/event-stream.js';
export { exampleMeta, idSchema, listSchema, responseSchema, timeSchema } from './response/response-schema.js';
export { taggedResponse } from './response/tagged-response.js';
export {
  type AnyRoute,
  BareResponse,
  defineRoute,
  defineUpdate,
  ListResponse,
  type Method,
  type RequestFacts,
  type RouteDefinition,
  type RouteInput,
  RouteResponse,
} from './route.js';
export type { AuditedActor, AuditedWrite } from './routing/audited-write.js';
export { carryOut, type CarryOutDeps, type ReadRouting, requireIds } from './routing/carry-out.js';
export { crudRoutes, type RoutePath, placesOf } from './routing/crud-routes.js';
export type { CallMeter, MountOptions } from './routing/mount-routes.js';
export { requestLog } from './routing/request-log.js';
export { createApiRouter } from './routing/api-router.js';
