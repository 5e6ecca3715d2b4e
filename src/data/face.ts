/* The only file of this room that others import. */
export { caseRoutes } from './cases/case-routes.js';
export { createCaseNotifier } from './cases/notifications/case-notifier.js';
export { createCasePage } from './cases/view/case-page.js';
export { credentialRoutes } from './credentials/credential-routes.js';
export {
  createCredentialService,
  type CredentialService,
  type SealedSecret,
} from './credentials/credential-service.js';
export { createCredentialStore } from './credentials/credential-store.js';
export {
  createCredentialCipher,
  type CredentialCipher,
  CredentialCipherError,
} from './credentials/keys/credential-cipher.js';
export { replaceKeyFingerprint } from './credentials/keys/installation-key-store.js';
export {
  adoptKey,
  findForeignKey,
  type ForeignKey,
  foreignKeyOf,
  noteKey,
  requireKnownKey,
} from './credentials/keys/installation-key.js';
export { rotateCredentials, type Rotation } from './credentials/keys/key-rotation.js';
export { type EndingCredential, findEndingCredentials } from './credentials/oauth/access-end-store.js';
export { createOauthGrants } from './credentials/oauth/oauth-grants.js';
export { createOauthRouter } from './credentials/oauth/oauth-router.js';
export {
  claimUnreported,
  countUnconnected,
  findUnconnected,
  findUnreportedCredentials,
  type UnconnectedCredential,
  type UnreportedCredential,
} from './credentials/oauth/reconnect-store.js';
export { allowsDomain, allowsHost } from './credentials/reach/allowed-hosts.js';
export { credentialTestRoutes } from './credentials/testing/credential-test-routes.js';
export { createSecretSource, type Obtained, type SecretSource } from './credentials/tokens/secret-source.js';
export { createTokenCache } from './credentials/tokens/token-cache.js';
export { userCredentialRoutes } from './credentials/user-credential-routes.js';
export type { FindMentions, MentionedThing } from './find-mentions.js';
export { folderRoutes } from './folders/folder-routes.js';
export { createMailers, mailOauthOf, NO_TENANT } from './mails/create-mailers.js';
export {
  isMailServerOfTenant,
  mailFromField,
  oauthOf,
  presentOauth,
  smtpOauthField,
  smtpUrlField,
} from './mails/mail-settings-fields.js';
export { mailSettingsRoutes } from './mails/mail-settings-routes.js';
export {
  createMailSettingsService,
  mailServerIdentity,
  type MailSettingsView,
} from './mails/mail-settings-service.js';
export { createMailTokens, type MailOauth } from './mails/mail-tokens.js';
export type { TenantMailers } from './mails/tenant-mailers.js';
export { tryMail } from './mails/try-mail.js';
export { recordRoutes } from './records/record-routes.js';
export type { RecordDraft } from './records/record.js';
export {
  draftOf,
  presentToStory,
  type RecordToWrite,
  writeStoryRecords,
  type WrittenRecord,
} from './records/story-records.js';
export {
  makeRecordTypes,
  plannedFields,
  type RequiredRecordType,
} from './records/types/make-record-types.js';
export { recordTypeRoutes } from './records/types/record-type-routes.js';
export { findRecordTypes, findTypesNamed } from './records/types/record-type-store.js';
export { type RecordType, RESULT_TYPES } from './records/types/record-type.js';
export { createRecordChores } from './records/write/record-chores.js';
export { resourcePartRoutes } from './resources/resource-part-routes.js';
export { resourceRoutes } from './resources/resource-routes.js';
export { createResourceService, type ResourceService } from './resources/resource-service.js';
export { createResourceValuesStore } from './resources/resource-values-store.js';
export {
  deleteTag,
  ensureTagsOfStories,
  findTag,
  insertTag,
  listTags,
  lockTaggedStories,
  type TagRecord,
  takeFromCases,
  updateTag,
} from './tags/tag-store.js';
export { createDataServices, type DataServices } from './data-services.js';
