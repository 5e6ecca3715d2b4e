import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { freezeTenant, releaseTenant } from '../../../people/face.js';
import { wakeRestingOf } from '../../../stories/face.js';
import type { Database } from '../../../platform/mysql/database.js';
import { writeManifestFile } from '../manifest-file.js';
import { readSpool } from '../spool-copy.js';
import { makeFolder } from '../take-backup.js';
import { copyTenant, type TenantSource } from './copy-tenant.js';
import type { TenantManifest } from './tenant-manifest.js';
import { findStoryIds, hasJobs, readTenantMarks, type TenantMarks } from './tables/tenant-work-store.js';

/** Needs of an export. */
export interface TenantExport extends TenantSource {
  store: Database;
  /** The spool of webhook requests. */
  spool: Queue;
  /** How long work under way, and the spool, may take to end. */
  waitMs: number;
}

/** After this time every process knows of the freeze: stories are cached for five seconds, requests admitted for two. */
const SETTLE_MS = 10_000;
const LOOK_EVERY_MS = 500;
const MAX_COPIES = 3;

/**
 * Freezes a tenant and copies it into a new folder. The tenant stays frozen: its webhooks and writes get 503.
 * @throws Error that says why it failed; the tenant is released again then, and the folder has no manifest.
 */
export async function exportTenant(folder: string, given: TenantExport): Promise<TenantManifest> {
  const { store, tenant } = given;
  await makeFolder(folder);
  const isFrozen = await store.transaction((session) => freezeTenant(tenant.id, session));
  if (!isFrozen)
    throw new Error(`the tenant ${tenant.id} is already frozen; unfreeze it with "tenant release"`);
  try {
    await sleep(SETTLE_MS);
    await untilIdle(given);
    return await copyAtRest(folder, given);
  } catch (error) {
    await unfreeze(tenant.id, store);
    throw error;
  }
}

/** Lets the work of a frozen tenant go on. Returns false if it was not frozen. */
export async function unfreeze(tenantId: number, store: Database): Promise<boolean> {
  if (!(await store.transaction((session) => releaseTenant(tenantId, session)))) return false;
  const storyIds = await store.read((session) => findStoryIds(tenantId, session));
  await wakeRestingOf(store, storyIds);
  return true;
}

/** Waits for work under way. What is still at it after the wait is done once more by the target. */
async function untilIdle({ store, spool, tenant, waitMs }: TenantExport): Promise<void> {
  const giveUpAt = performance.now() + waitMs;
  const isWorking = () => store.read((session) => hasJobs(tenant.id, session));
  while ((await isWorking()) && performance.now() < giveUpAt) await sleep(LOOK_EVERY_MS);
  const stories = new Set(await store.read((session) => findStoryIds(tenant.id, session)));
  while (await isSpooled(spool, stories)) {
    if (performance.now() >= giveUpAt) {
      throw new Error(
        'the spool contains webhook requests of this tenant: wait until it is empty, or retry failed ones',
      );
    }
    await sleep(LOOK_EVERY_MS);
  }
}

async function isSpooled(spool: Queue, stories: ReadonlySet<number>): Promise<boolean> {
  for await (const line of readSpool(spool)) {
    const { data } = JSON.parse(line) as { data: { storyId: number } };
    if (stories.has(data.storyId)) return true;
  }
  return false;
}

/** Copies the tenant again if something of it was stored meanwhile. */
async function copyAtRest(folder: string, given: TenantExport): Promise<TenantManifest> {
  const marksNow = () => given.store.read((session) => readTenantMarks(given.tenant.id, session));
  for (let copies = 1; ; copies++) {
    const before = await marksNow();
    const manifest = await copyTenant(folder, given);
    if (isEqual(before, await marksNow())) {
      await writeManifestFile(folder, manifest);
      return manifest;
    }
    if (copies === MAX_COPIES)
      throw new Error(
        'the tenant changed during the export, because some of its work was still running; try again',
      );
    await rm(path.join(folder, 'tables'), { recursive: true });
    await mkdir(path.join(folder, 'tables'), { mode: 0o700 });
  }
}

function isEqual(before: TenantMarks, after: TenantMarks): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
