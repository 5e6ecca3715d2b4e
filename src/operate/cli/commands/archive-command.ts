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
    .description(
      'archive finished runs with their events and logs to ARCHIVE_TO, as the maintenance worker does',
    )
    .option('--status', 'show how far the archive is, and archive nothing')
    .option('--verify', 'verify the checksums of all archive files')
    .option('--moved', 'continue at ARCHIVE_TO, after all archive files were moved there')
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
    throw new Error('another process (a maintenance worker or this command) is already archiving runs');
  const { runs, files, bytes } = sums;
  return {
    json: { place, runs, files, bytes },
    text: files === 0 ? 'Nothing to archive.' : `Archived: ${runs} runs in ${files} files, ${bytes} bytes.`,
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
        ? 'No runs archived yet.'
        : [
            `Archive: ${place}`,
            `${runs} runs in ${files} files, ${bytes} bytes; last file: ${last ?? 'none'}.`,
            `${lag.waiting} runs are waiting to be archived; the archive is ${lag.seconds} s behind.`,
          ].join('\n'),
  };
}

async function verify(objects: ObjectStore): Promise<CliResponse> {
  const { files, bytes, faults } = await verifyArchive(objects);
  const summary = `Verified ${files} files (${bytes} bytes); ${faults.length} are damaged.`;
  return { json: { files, bytes, faults }, text: [summary, ...faults].join('\n'), failed: faults.length > 0 };
}
