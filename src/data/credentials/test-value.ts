import type { Config } from '../../config/face.js';
import type { Problem } from '../../platform/errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { addsHost } from './reach/allowed-hosts.js';
import { hostsProblems } from './reach/allowed-hosts-field.js';
import type { CredentialCipher } from './keys/credential-cipher.js';
import { type CredentialChange, defined, fixed, sealedText, modeSettingsIn } from './credential-plan.js';
import {
  type CredentialRecord,
  deleteCredential,
  insertTestValue,
  updateCredential,
} from './credential-record-store.js';
import { findSealed } from './credential-store.js';
import {
  foreignSettings,
  mergedSettings,
  type ModeSettings,
  modeSettingsProblems,
  publicSettings,
} from './modes/credential-modes.js';
import { reachProblems } from './reach/secret-reach.js';
import { deleteToken } from './tokens/token-store.js';

/**
 * The test value of a credential is a credential of its own, which no list has. Its name cannot be that of another: it
 * holds a control character.
 */
function testNameOf(liveId: number): string {
  return `test value\t${liveId}`;
}

/** The parts of a request that are about the test value. */
export type TestChange = Pick<CredentialChange, 'mode' | 'settings' | 'allowedHosts'>;

interface Deps {
  cipher: () => CredentialCipher;
  config: Pick<Config, 'requireCredentialHosts'>;
}

interface TestPlan {
  problems: Problem[];
  settings: ModeSettings;
  allowedHosts: string[];
}

/** Plans the test value after a change. A new one has the hosts of the credential unless it names others. */
export async function planTestValue(
  live: CredentialRecord,
  { mode = live.mode, settings: given = {}, allowedHosts }: TestChange,
  { session, cipher, config }: Deps & { session: Session },
): Promise<TestPlan> {
  const sealed = live.test && (await findSealed(live.test.id, session));
  const before = sealed && modeSettingsIn(live.mode, cipher().decrypt(sealed.encryptedValue, sealed));
  const hosts = allowedHosts ?? live.test?.allowedHosts ?? live.allowedHosts;
  const isWider = live.test !== undefined && addsHost(live.test.allowedHosts, hosts);
  const settings = mergedSettings(before ?? {}, defined(given), isWider);
  const ofMode = mode === live.mode ? [] : [fixed('mode')];
  const foreign = foreignSettings(live.mode, given);
  const problems = [
    ...ofMode,
    ...foreign,
    ...(foreign.length === 0 ? modeSettingsProblems(live.mode, settings) : []),
    ...reachProblems(live.mode, { before: before ?? {}, given, isWider }),
    ...hostsProblems(hosts, config),
  ];
  return { problems, settings, allowedHosts: hosts };
}

/** Stores the planned test value. Call it in a transaction, under the lock of the credential. */
export async function storeTestValue(
  live: CredentialRecord,
  { settings, allowedHosts }: TestPlan,
  { session, cipher }: Deps & { session: Session },
): Promise<void> {
  const { teamId, mode, test } = live;
  const name = testNameOf(live.id);
  const columns = {
    settings: publicSettings(settings),
    allowedHosts,
    encryptedValue: cipher().encrypt(sealedText(mode, settings), { teamId, name, mode }),
  };
  if (test === undefined) {
    await insertTestValue({ ...columns, teamId, name, slug: '', mode, liveId: live.id }, session);
  } else {
    await updateCredential(test.id, columns, session);
    await deleteToken(test.id, session);
  }
}

/** Deletes the test value, if there is one. Call it in a transaction. */
export async function deleteTestValue({ test }: CredentialRecord, session: Session): Promise<void> {
  if (test === undefined) return;
  await deleteToken(test.id, session);
  await deleteCredential(test.id, session);
}
