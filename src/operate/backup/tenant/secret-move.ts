import { scryptSync } from 'node:crypto';
import { createCredentialCipher, type CredentialCipher, mailServerIdentity } from '../../../data/face.js';
import { createSecretSigner, type SecretSigner } from '../../../platform/secrets/secret-signer.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import type { JsonValue } from '../../../platform/json.js';
import {
  escapedTimes,
  type ReferenceContent,
  replaceReferences,
} from '../../../platform/secrets/secret-reference.js';

/** Functions that encrypt secrets and sign references to them. Each may throw if there is no key. */
export interface SecretKeys {
  cipher(): CredentialCipher;
  signer(): Pick<SecretSigner, 'sign' | 'verify'>;
}

type Cell = string | Buffer | null;
type Row = Readonly<Record<string, Cell | undefined>>;
type NewTeam = (oldTeamId: number) => number;

/** Takes secrets from one key to another; the row before and after tell the owners. */
export interface SecretMove {
  credential(row: Row, moved: Row): Buffer;
  mailServer(row: Row, moved: Row): Buffer | null;
  /** Returns the address of the mail server of a moved row; undefined: it has none. */
  openMailServer(moved: Row): string | undefined;
  /** Signs the references in a text anew. */
  text(text: Cell, newTeam: NewTeam): Cell;
}

const KEY_BYTES = 32;
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** Returns the key that a passphrase makes, together with the salt of the copy. Takes a tenth of a second. */
export function keyOfPassphrase(passphrase: string, salt: string): Buffer {
  return scryptSync(passphrase, Buffer.from(salt, 'hex'), KEY_BYTES, SCRYPT);
}

/** Returns the functions with the key of a passphrase. */
export function keysOfPassphrase(passphrase: string, salt: string): SecretKeys {
  const key = keyOfPassphrase(passphrase, salt);
  const [cipher, signer] = [createCredentialCipher(key), createSecretSigner(key)];
  return { cipher: () => cipher, signer: () => signer };
}

/** Creates the move from some keys to others. What `from` has not signed stays as it is. */
export function createSecretMove(from: SecretKeys, to: SecretKeys): SecretMove {
  const reseal = (sealed: Buffer, before: Identity, after: Identity) =>
    to.cipher().encrypt(from.cipher().decrypt(sealed, before), after);
  const signedAnew = (text: string, newTeam: NewTeam): string =>
    replaceReferences(text, ({ escapes, body }) => {
      const content = from.signer().verify(body);
      return content && escapedTimes(to.signer().sign(moved(content, newTeam)), escapes);
    });
  const moved = ({ team, credential, call }: ReferenceContent, newTeam: NewTeam): ReferenceContent => ({
    team: newTeam(team),
    credential,
    ...(call !== undefined && {
      call: { ...call, values: parseJson(signedAnew(stringifyJson(call.values), newTeam)) as JsonValue[] },
    }),
  });

  return {
    credential: (row, after) =>
      reseal(bytesOf(row['encrypted_value']), credentialIdentity(row), credentialIdentity(after)),
    mailServer(row, after) {
      const sealed = row['encrypted_smtp_url'];
      if (sealed === null || sealed === undefined) return null;
      const [before, later] = [row, after].map((each) => mailServerIdentity(Number(each['tenant_id'])));
      return reseal(bytesOf(sealed), before as Identity, later as Identity);
    },
    openMailServer(row) {
      const sealed = row['encrypted_smtp_url'];
      if (sealed === null || sealed === undefined) return undefined;
      return to.cipher().decrypt(bytesOf(sealed), mailServerIdentity(Number(row['tenant_id'])));
    },
    text: (text, newTeam) => (typeof text === 'string' ? signedAnew(text, newTeam) : text),
  };
}

type Identity = Parameters<CredentialCipher['encrypt']>[1];

function credentialIdentity(row: Row): Identity {
  return { teamId: Number(row['team_id']), name: String(row['name']), mode: String(row['mode']) };
}

function bytesOf(cell: Cell | undefined): Buffer {
  if (!Buffer.isBuffer(cell)) throw new Error('A secret is no value of bytes');
  return cell;
}
