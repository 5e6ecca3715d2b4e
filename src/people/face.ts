/* The only file of this room that others import. */
export { auditEntry, type AuditEntry, INSTANCE } from './audit/audit-entry.js';
export { presentAuditEntry } from './audit/audit-presenter.js';
export { auditRoutes } from './audit/audit-routes.js';
export { insertAuditEntry, listAuditEntries, type StoredAuditEntry } from './audit/audit-store.js';
export { type AuditTrail, createAuditTrail } from './audit/audit-trail.js';
export { SHOWN_SETTINGS } from './audit/audited-changes.js';
export type { ActorKeyService } from './keys/actor-key-service.js';
export { apiKeyRoutes } from './keys/api-key-routes.js';
export { createApiKeyService, type CreateKey } from './keys/api-key-service.js';
export { createApiKeyStore } from './keys/api-key-store.js';
export { type EndingKey, findEndingKeys } from './keys/ending-key-store.js';
export { findKeyInUse } from './keys/key-revocation-store.js';
export { isKnownHash } from './passwords/password-hasher.js';
export { createPasswordResets, type LinkOutcome, type PasswordResets } from './passwords/password-resets.js';
export { FirstPasswordNeedsLink, newPasswordField } from './passwords/password-service.js';
export { type QuotaWait, quotaRoutes, type ReadQuotaWaits } from './quotas/quota-routes.js';
export { createQuotaService, type QuotaService, type QuotaUse } from './quotas/quota-service.js';
export { QUOTA_NAMES, type QuotaName, QuotaReached } from './quotas/quota.js';
export { createCountQuota, NO_COUNT_QUOTA, type CountQuota } from './quotas/count-quota.js';
export { createTenantQuotas, NO_QUOTAS, type TenantQuotas } from './quotas/tenant-quotas.js';
export { KNOWN_DAYS, type KnownDevices } from './sign-in/known-devices.js';
export { createLinkService, LINK_MINUTES, signInAddress } from './sign-in/link-service.js';
export type { FoundSession, Person, PersonSession, SignInMethod } from './sign-in/person-session.js';
export type { SessionService } from './sign-in/session-service.js';
export { countSessions, LONGEST_DAYS } from './sign-in/session-store.js';
export type { SignInPlace } from './sign-in/sign-in.js';
export { holdTeam } from './teams/hold-team.js';
export { invitationRoutes } from './teams/invitation-routes.js';
export { memberRoutes } from './teams/member-routes.js';
export { isTeamReader } from './teams/member-store.js';
export { planSharing, type Sharing, type SharingInput, sharingKeys, slugsOf } from './teams/sharing.js';
export { teamRoutes } from './teams/team-routes.js';
export { insertShares, type NamedTeam, replaceShares, sharesOf } from './teams/team-share-store.js';
export { findTeam } from './teams/team-store.js';
export {
  createTeamValueChanges,
  followValueChanges,
  type ForgetsTeams,
  NO_VALUE_CHANGES,
  type ValueChanges,
  valueChannel,
} from './teams/team-value-changes.js';
export { createDedicatedTenants } from './tenants/dedicated-tenants.js';
export { freezeTenant, releaseTenant } from './tenants/freeze-store.js';
export type { ApiKey, Team, Tenant, User } from './tenants/tenancy.js';
export { testPolicyRoutes } from './tenants/test-policy-routes.js';
export { findTestPolicy, TEST_POLICIES, type TestPolicy } from './tenants/test-policy-store.js';
export { createTenantService } from './tenants/tenant-service.js';
export { createTenantStore } from './tenants/tenant-store.js';
export { adminUserRoutes } from './users/admin-user-routes.js';
export { createInvitations, type Invitations } from './users/invitations.js';
export { nameField, oneLineField, wholeTextField } from './users/name-field.js';
export { createOperatorCheck, type OperatorCheck } from './users/operator-check.js';
export type { PeopleMailer } from './users/people-mail.js';
export { createPeopleServices, type PeopleServices } from './users/people-services.js';
export type { SignInCandidate } from './users/person-store.js';
export type { Profile } from './users/profile-store.js';
export { signInRoutes } from './users/sign-in-routes.js';
export { userRoutes } from './users/user-routes.js';
export { findUser, lockTenant } from './users/user-store.js';
export { createTenancyServices, type TenancyServices } from './tenancy-services.js';
