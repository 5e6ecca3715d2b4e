import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type {
  BundleNeeds,
  PromotionCheck,
  PromotionDetails,
  PromotionMapping,
} from '../../../../clients/typescript/api.js';
import { api, sendText } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { LONG_CALL } from '../../api/long-calls.js';
import { useTeamsWith } from '../../api/signed-in.js';
import { isolated } from '../../text/isolated.js';

/** A bundle as it stands in a file: numbers keep all their digits. */
export interface BundleFile {
  text: string;
  /** The tenant that it is of. */
  tenant: string;
  needs: Partial<BundleNeeds>;
  stories: { guid: string; name: string }[];
}

/** A side of a conflict: `live` is what is here. */
export type Taken = 'incoming' | 'live';

/** How one story is promoted. */
export interface StoryChoice {
  isLeftOut?: boolean;
  /** The side of all conflicts that `entries` does not name, in this version of the story here. */
  rest?: { take: Taken; live_version: number };
  entries?: Readonly<Record<string, Taken>>;
}

/** How a bundle is promoted. */
export interface PromotionOrder {
  /** Empty or absent: named after the tenant of the bundle. */
  name?: string;
  mapping: PromotionMapping;
  /** By the guid of the story in the source. */
  stories: Readonly<Record<string, StoryChoice>>;
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

/** Returns a promotion with its stories. */
export function usePromotion(id: number) {
  return useQuery({ queryKey: keys.promotions.one(id), queryFn: () => api.promotions.get({ id }) });
}

/** The most that one answer may hold. */
const MOST_NAMES = 500;

/** Returns names that a mapping may lead to, for suggestions: a name that is not among them may be there all the same. */
export function useNamesHere() {
  const teams = useTeamsWith('write').map(({ name }) => name);
  const { data } = useQuery({
    queryKey: keys.promotions.names,
    queryFn: async () => {
      const asked = { per_page: MOST_NAMES };
      const [credentials, resources] = await Promise.all([
        api.userCredentials.list(asked),
        api.globalResources.list(asked),
      ]);
      return {
        credentials: credentials.user_credentials.map(({ name }) => name),
        resources: resources.global_resources.map(({ name }) => name),
      };
    },
  });
  return { teams, credentials: data?.credentials ?? [], resources: data?.resources ?? [] };
}

/** Reads a file. @throws Error if it is too large or no bundle. */
export async function readBundle(file: File): Promise<BundleFile> {
  if (file.size > LARGEST_BYTES) throw new Error('The file is larger than 32 MiB.');
  const text = await file.text();
  const bundle = bundleIn(text);
  if (bundle?.fabula_bundle !== 1) throw new Error(`${isolated(file.name)} is not a bundle of stories.`);
  const stories = (bundle.stories ?? []).flatMap(({ guid, name }) =>
    typeof guid === 'string' && typeof name === 'string' ? [{ guid, name }] : [],
  );
  return { text, tenant: bundle.source?.tenant ?? '', needs: bundle.needs ?? {}, stories };
}

interface GivenBundle {
  fabula_bundle?: unknown;
  source?: { tenant?: string };
  needs?: Partial<BundleNeeds>;
  stories?: { guid?: unknown; name?: unknown }[];
}

function bundleIn(text: string): GivenBundle | undefined {
  try {
    return (JSON.parse(text) ?? undefined) as GivenBundle | undefined;
  } catch {
    return undefined; // not JSON: the caller says so
  }
}

/** Asks what a promotion would do. @throws FabulaError for a refusal. */
export async function checkBundle(bundle: BundleFile, order: PromotionOrder): Promise<PromotionCheck> {
  return JSON.parse(await sent('/api/v1/promotions/check', bodyOf(bundle, order))) as PromotionCheck;
}

/** Promotes. @throws FabulaError for a refusal. */
export async function promoteBundle(bundle: BundleFile, order: PromotionOrder): Promise<PromotionDetails> {
  return JSON.parse(await sent('/api/v1/promotions', bodyOf(bundle, order))) as PromotionDetails;
}

const sent = (path: string, body: string) => sendText('POST', path, body, LONG_CALL.promotion);

function bodyOf({ text }: BundleFile, { name = '', mapping, stories }: PromotionOrder): string {
  const choices = Object.entries(stories).map(([guid, { isLeftOut = false, rest, entries = {} }]) => ({
    source_guid: guid,
    ...(isLeftOut && { leave_out: true }),
    resolve: Object.entries(entries).map(([entry, take]) => ({ entry, take })),
    ...(rest !== undefined && { resolve_rest: rest }),
  }));
  return `${JSON.stringify({ ...(name !== '' && { name }), mapping, choices }).slice(0, -1)},"bundle":${text}}`;
}
