import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Config, knownVariables } from '../../../config/face.js';
import { unknownVariables } from '../../doctor/checks/variable-checks.js';
import { createCredentialCipher, CredentialCipherError } from '../../../data/face.js';
import { readJsonFile, writePrivateJson } from '../../embedded/private-file.js';
import { isProcessMark, isRunning, markOf } from '../../embedded/process-identity.js';

/** Given to each command by itself, or the key of the record. */
const NOT_RECORDED = ['DATA_DIR', 'ENCRYPTION_KEY'];
/** Team 0 does not exist, so no credential has this identity. */
const IDENTITY = { teamId: 0, name: 'settings of a start' };

const fileOf = (dataDir: string) => path.join(dataDir, 'run', 'start.json');

/**
 * Notes the settings that this start was given, for commands beside it, such as `fabula doctor`. They are encrypted with the
 * ENCRYPTION_KEY, as passwords may be among them. Returns a function that removes the note.
 */
export async function recordStart(
  { dataDir, encryptionKey }: Pick<Config, 'dataDir' | 'encryptionKey'>,
  env: NodeJS.ProcessEnv,
): Promise<() => void> {
  const mark = await markOf(process.pid);
  if (encryptionKey === undefined || mark === undefined) return () => undefined;
  const names = knownVariables().filter((name) => !NOT_RECORDED.includes(name) && env[name]);
  const settings = JSON.stringify({
    ...Object.fromEntries(names.map((name) => [name, env[name]])),
    // Their names alone: the doctor tells that nothing reads them.
    ...Object.fromEntries(unknownVariables(env).map((name) => [name, 'set'])),
  });
  const sealed = createCredentialCipher(encryptionKey).encrypt(settings, IDENTITY).toString('base64');
  writePrivateJson(fileOf(dataDir), { process: mark, sealed });
  return () => rmSync(fileOf(dataDir), { force: true });
}

/** The note of a start that runs. */
interface StartNote {
  pid: number;
  sealed: string;
}

/** Returns the note of the start that runs on a data folder; undefined: none runs. */
export async function findStartNote(dataDir: string): Promise<StartNote | undefined> {
  const content = readJsonFile(fileOf(dataDir));
  if (typeof content !== 'object' || content === null) return undefined;
  const { process: mark, sealed } = content as Record<string, unknown>;
  if (!isProcessMark(mark) || typeof sealed !== 'string' || !(await isRunning(mark))) return undefined;
  return { pid: mark.pid, sealed };
}

/** Returns the settings of the start that runs on a data folder; none if none runs, or with another ENCRYPTION_KEY. */
export async function readStart(
  dataDir: string,
  encryptionKey: Buffer | undefined,
): Promise<NodeJS.ProcessEnv> {
  const { sealed } = (await findStartNote(dataDir)) ?? {};
  if (sealed === undefined || encryptionKey === undefined) return {};
  try {
    const cipher = createCredentialCipher(encryptionKey);
    return JSON.parse(cipher.decrypt(Buffer.from(sealed, 'base64'), IDENTITY)) as NodeJS.ProcessEnv;
  } catch (error) {
    if (error instanceof CredentialCipherError) return {};
    throw error;
  }
}
