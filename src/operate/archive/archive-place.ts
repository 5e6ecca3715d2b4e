import path from 'node:path';
import type { Config } from '../../config/face.js';
import { createHttpClient } from '../../platform/outbound/http-client.js';
import { createFolderObjects } from '../../platform/objects/folder-objects.js';
import type { ObjectStore } from '../../platform/objects/object-store.js';
import { createS3Objects, s3Place } from '../../platform/objects/s3-objects.js';

/** Answers of the object storage: a data file, or a page of a list. */
const MOST_BYTES = 512 * 1024 * 1024;
const TIMEOUT_MS = 120_000;
/** The operator names the storage, which often stands in the own network. */
const EVERYWHERE = ['0.0.0.0/0', '::/0'];

/** The bucket and prefix of `ARCHIVE_TO`; undefined: it is a folder. */
function bucketOf(archiveTo: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(archiveTo) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: prefix.replace(/^\/+|\/+$/g, '') };
}

/** Opens the place of `ARCHIVE_TO`; undefined: there is no archive. */
export function openArchive(
  config: Pick<Config, 'archiveTo' | 'archiveS3' | 'outboundProxy'>,
): ObjectStore | undefined {
  const { archiveTo, archiveS3: s3 } = config;
  if (archiveTo === undefined) return undefined;
  const found = bucketOf(archiveTo);
  if (found === undefined) return createFolderObjects(path.resolve(archiveTo));
  const { region, endpoint = `https://s3.${region}.amazonaws.com` } = s3;
  return createS3Objects({
    endpoint,
    region,
    ...found,
    keys: { accessKeyId: s3.accessKeyId ?? '', secretAccessKey: s3.secretAccessKey ?? '' },
    http: createHttpClient({
      allow: EVERYWHERE,
      proxy: config.outboundProxy,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MOST_BYTES,
    }),
  });
}

/** Returns the place of `ARCHIVE_TO` as the database notes it. */
export function archivePlace(archiveTo: string): string {
  const found = bucketOf(archiveTo);
  return found === undefined ? path.resolve(archiveTo) : s3Place(found);
}
