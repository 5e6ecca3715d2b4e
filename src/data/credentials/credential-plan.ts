import type { Actor } from '../../api/face.js';
import { planSharing, type Sharing, type SharingInput } from '../../people/face.js';
import type { Config } from '../../config/face.js';
import { folderProblems } from '../folders/folder-of-team.js';
import type { Problem } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { Session } from '../../platform/mysql/session.js';
import { slugOf } from '../../platform/text/slug.js';
import { addsHost } from './reach/allowed-hosts.js';
import { hostsProblems } from './reach/allowed-hosts-field.js';
import type { CredentialCipher } from './keys/credential-cipher.js';
import type { CredentialColumns, CredentialRecord } from './credential-record-store.js';
import type { SealedCredential } from './credential-store.js';
import {
  type CredentialMode,
  foreignSettings,
  mergedSettings,
  type ModeSettings,
  modeSettingsProblems,
  publicSettings,
} from './modes/credential-modes.js';
import { KEY_KEEPS_HOSTS, reachProblems } from './reach/secret-reach.js';

/** The parts of a credential that a request changes; undefined parts stay. */
export interface CredentialChange extends SharingInput {
  name?: string | undefined;
  description?: string | null | undefined;
  /** Replaces its hosts; empty: any host. */
  allowedHosts?: string[] | undefined;
  folderId?: number | null | undefined;
  metadata?: JsonObject | undefined;
  /** The team and the mode that the request names: they must be those it has. */
  teamId?: number | undefined;
  mode?: CredentialMode | undefined;
  /** Each replaces the setting of its name. */
  settings?: Partial<ModeSettings> | undefined;
  /** Whether settings and hosts are those of the test value. */
  isTest?: boolean | undefined;
  /** Whether drafts get the test value. */
  testEnabled?: boolean | undefined;
}

/** The columns and the sharing after a change, and its problems. */
export interface CredentialPlan {
  columns: CredentialColumns;
  sharing: Sharing | undefined;
  problems: Problem[];
}

interface Before {
  record: CredentialRecord;
  sealed: SealedCredential;
}

interface PlanDeps {
  cipher(): CredentialCipher;
  config: Pick<Config, 'requireCredentialHosts'>;
}

/** Returns the settings as they are encrypted: a text by itself, those of other modes as JSON. */
export function sealedText(mode: CredentialMode, settings: ModeSettings): string {
  return mode === 'TEXT' ? (settings.value ?? '') : stringifyJson(settings);
}

/** Returns the settings that a decrypted text holds. */
export function modeSettingsIn(mode: CredentialMode, text: string): ModeSettings {
  return mode === 'TEXT' ? { value: text } : (parseJson(text) as unknown as ModeSettings);
}

/** Plans a change of a credential. The encrypted settings are bound to the name: a new name needs a new encryption. */
export async function planChange(
  actor: Actor,
  change: CredentialChange,
  { record, sealed }: Before,
  { session, ...deps }: PlanDeps & { session: Session },
): Promise<CredentialPlan> {
  const { name = record.name, description, allowedHosts, folderId, metadata, settings: given = {} } = change;
  const before = { readAccess: record.readAccess, teamIds: record.sharedTeams.map(({ id }) => id) };
  const { sharing, problems: ofSharing } = await planSharing(actor.tenantId, change, before, session);
  const { teamId } = record;
  const ofFolder = await folderProblems(actor, { folderId, teamId }, session);
  const settings = planSettings({ name, given, allowedHosts }, { record, sealed }, deps);
  const problems = [
    ...fixedProblems(change, record),
    ...settings.problems,
    ...hostsProblems(allowedHosts ?? record.allowedHosts, deps.config),
    ...ofFolder,
    ...ofSharing,
  ];
  const columns = {
    ...(name !== record.name && { name, slug: slugOf(name) }),
    ...settings.columns,
    description,
    allowedHosts,
    folderId,
    metadata,
    readAccess: sharing?.readAccess,
    testEnabled: change.testEnabled,
  };
  return { columns, sharing, problems };
}

/** The problem of a field that is given another value. */
export function fixed(field: string): Problem {
  return { message: `"${field}" of a credential cannot be changed`, details: field };
}

function fixedProblems({ teamId, mode }: CredentialChange, record: CredentialRecord): Problem[] {
  return [
    ...(teamId === undefined || teamId === record.teamId ? [] : [fixed('team_id')]),
    ...(mode === undefined || mode === record.mode ? [] : [fixed('mode')]),
  ];
}

interface WantedSettings {
  name: string;
  given: Partial<ModeSettings>;
}

function planSettings(
  { name, given, allowedHosts }: Pick<CredentialChange, 'allowedHosts'> & WantedSettings,
  { record, sealed }: Before,
  { cipher }: Pick<PlanDeps, 'cipher'>,
): { columns: CredentialColumns; problems: Problem[] } {
  const { mode, teamId, apiKeyId } = record;
  const named = Object.values(given).some((value) => value !== undefined);
  const isWider = allowedHosts !== undefined && addsHost(record.allowedHosts, allowedHosts);
  if (apiKeyId !== null && named) return { columns: {}, problems: [HOLDS_KEY] };
  if (apiKeyId !== null && isWider) return { columns: {}, problems: [KEY_KEEPS_HOSTS] };
  const foreign = foreignSettings(mode, given);
  const stays = !named && !isWider && name === record.name;
  if (foreign.length > 0 || stays) return { columns: {}, problems: foreign };
  const before = modeSettingsIn(mode, cipher().decrypt(sealed.encryptedValue, sealed));
  const merged = mergedSettings(before, defined(given), isWider);
  return {
    columns: {
      encryptedValue: cipher().encrypt(sealedText(mode, merged), { teamId, name, mode }),
      ...(named && { settings: publicSettings(merged) }),
    },
    problems: [...modeSettingsProblems(mode, merged), ...reachProblems(mode, { before, given, isWider })],
  };
}

/** Returns the settings that are given. */
export function defined(given: Partial<ModeSettings>): Partial<ModeSettings> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const HOLDS_KEY: Problem = {
  message: '"value" cannot be set: the credential contains an API key of this server',
  details: 'value',
};
