import type { Command } from 'commander';
import { openArchive } from '../../archive/archive-place.js';
import { findProgress, readLag } from '../../archive/archive-progress-store.js';
import { type Archiver, createArchiver } from '../../archive/archiver.js';
import { verifyArchive } from '../../archive/verify-archive.js';
import type { Config } from '../../../config/face.js';
import { createSilentLogger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { ObjectStore } from '../../../platform/objects/object-store.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { Cli, CliResponse } from '../cli.js';

interface ArchiveCommandOptions {
  status?: boolean;
  verify?: boolean;
  moved?: boolean;
  json?: boolean;
}

/** `archive`: copies old runs to `ARCHIVE_TO`; needs the database and that place. */
export function addArchiveCommand(program: Command, cli: Cli): void {
  program
    .command('archive')
    .description('copy ended runs with their events and logs to ARCHIVE_TO, as the maintenance worker does')
    .option('--status', 'show how far the archive is, and archive nothing')
    .option('--verify', 'read all files of the archive and compare their checksums')
    .option('--moved', 'go on at ARCHIVE_TO: all files of the archive were moved there')
    .action(
      cli.action(async ({ config, database }, options: ArchiveCommandOptions) => {
        if (options.status === true) return status(config, database);
        const objects = openArchive(config);
        if (objects === undefined) throw new Error('set ARCHIVE_TO to a folder or to s3://bucket/prefix');
        try {
          if (options.verify === true) return await verify(objects);
          const { archiveAfterHours: afterHours } = config;
          const archiver = createArchiver({ database, objects, afterHours, logger: createSilentLogger() });
          return await archive(archiver, objects, { ...options, cli });
        } finally {
          await objects.close();
        }
      }),
    );
}

async function archive(
  archiver: Archiver,
  { place }: ObjectStore,
  { moved = false, json = false, cli }: ArchiveCommandOptions & { cli: Cli },
): Promise<CliResponse> {
  const sums = await archiver.pass({
    moved,
    onProgress({ runs, files }) {
      if (!json) cli.io.stderr.write(`archived so far: ${runs} runs in ${files} files\n`);
    },
  });
  if (sums === undefined)
    throw new Error('another process (a maintenance worker, or this command) archives runs');
  const { runs, files, bytes } = sums;
  return {
    json: { place, runs, files, bytes },
    text:
      files === 0
        ? 'There is nothing to archive.'
        : `Archived: ${runs} runs in ${files} files, ${bytes} bytes.`,
  };
}

async function status(config: Config, database: Database): Promise<CliResponse> {
  const { progress, lag } = await database.read(async (session) => ({
    progress: await findProgress(session),
    lag: await readLag(session, config.archiveAfterHours),
  }));
  const { place, runs, files, bytes, storedAt } = progress;
  const last = storedAt === null ? null : timestamp(storedAt);
  return {
    json: { place, runs, files, bytes, last_stored_at: last, waiting: lag.waiting, lag_seconds: lag.seconds },
    text:
      place === ''
        ? 'No run was archived yet.'
        : [
            `Archive: ${place}`,
            `${runs} runs in ${files} files, ${bytes} bytes; the last file at ${last ?? 'no time'}.`,
            `${lag.waiting} runs wait; the archive is ${lag.seconds} s behind.`,
          ].join('\n'),
  };
}

async function verify(objects: ObjectStore): Promise<CliResponse> {
  const { files, bytes, faults } = await verifyArchive(objects);
  const summary = `${files} files with ${bytes} bytes were read; ${faults.length} are damaged.`;
  return { json: { files, bytes, faults }, text: [summary, ...faults].join('\n'), failed: faults.length > 0 };
}
