import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import { AgentError } from '../../errors.js';
import { mailMessage } from './mail-message.js';
import type { Mail, Mailer } from './mail.js';

/**
 * Writes each mail to a file `<digest of its Message-ID>.eml`, atomically. Hidden recipients are listed in its
 * `Bcc` line.
 */
export function createFileTransport({
  directory,
  mailFrom,
}: {
  directory: string;
  mailFrom: string;
}): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      if (mail.left?.length === 0) return [];
      const { message } = await composer.sendMail(mailMessage(mail, mailFrom));
      await writeWhole(path.join(directory, fileName(mail)), await toBuffer(message)).catch(
        (error: unknown) => {
          throw new AgentError('could not write the mail to its file', { cause: error });
        },
      );
      return [];
    },
    async close() {
      composer.close();
    },
  };
}

async function toBuffer(message: Buffer | Readable): Promise<Buffer> {
  return Buffer.isBuffer(message) ? message : await buffer(message);
}

/** The same name for every attempt to send one mail, so that a repeated attempt replaces the first. */
function fileName({ messageId }: Mail): string {
  return `${createHash('sha256').update(messageId).digest('hex').slice(0, 32)}.eml`;
}

async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
