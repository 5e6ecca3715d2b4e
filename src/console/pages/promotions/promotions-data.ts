import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { BundleNeeds, PromotionCheck, PromotionMapping } from '../../../../clients/typescript/api.js';
import { api, sendText } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { isolated } from '../../text/isolated.js';

/** A bundle as it stands in a file: numbers keep all their digits. */
export interface BundleFile {
  text: string;
  /** The tenant that it is of. */
  tenant: string;
  needs: Partial<BundleNeeds>;
}

/** How a bundle is promoted. */
export interface PromotionChoice {
  mapping: PromotionMapping;
  /** Why conflicts are overwritten; empty: they are not. */
  reason: string;
}

const LARGEST_BYTES = 32 * 1024 * 1024;

/** Returns a page of the promotions, newest first. */
export function usePromotions(page: number) {
  return useQuery({
    queryKey: keys.promotions.list(page),
    placeholderData: keepPreviousData,
    queryFn: () => api.promotions.list({ page, per_page: 20 }),
  });
}

/** Reads a file. @throws Error if it is too large or no bundle. */
export async function readBundle(file: File): Promise<BundleFile> {
  if (file.size > LARGEST_BYTES) throw new Error('The file is larger than 32 MiB.');
  const text = await file.text();
  const bundle = bundleIn(text);
  if (bundle?.fabula_bundle !== 1) throw new Error(`${isolated(file.name)} is not a bundle of stories.`);
  return { text, tenant: bundle.source?.tenant ?? '', needs: bundle.needs ?? {} };
}

interface GivenBundle {
  fabula_bundle?: unknown;
  source?: { tenant?: string };
  needs?: Partial<BundleNeeds>;
}

function bundleIn(text: string): GivenBundle | undefined {
  try {
    return (JSON.parse(text) ?? undefined) as GivenBundle | undefined;
  } catch {
    return undefined; // not JSON: the caller says so
  }
}

/** Asks what a promotion would do. @throws FabulaError for a refusal. */
export async function checkBundle(bundle: BundleFile, choice: PromotionChoice): Promise<PromotionCheck> {
  return JSON.parse(
    await sendText('POST', '/api/v1/promotions/check', bodyOf(bundle, choice)),
  ) as PromotionCheck;
}

/** Promotes. @throws FabulaError for a refusal. */
export async function promoteBundle(bundle: BundleFile, choice: PromotionChoice): Promise<void> {
  await sendText('POST', '/api/v1/promotions', bodyOf(bundle, choice));
}

function bodyOf({ text }: BundleFile, { mapping, reason }: PromotionChoice): string {
  const rest = { mapping, ...(reason !== '' && { overwrite: true, reason }) };
  return `${JSON.stringify(rest).slice(0, -1)},"bundle":${text}}`;
}
