import type { Problem } from '../../../platform/errors.js';
import type { Session } from '../../../platform/mysql/session.js';
import { WEBHOOK_TYPE } from '../../import/import-address.js';
import { LIMITS } from '../../import/import-limits.js';
import { deleteLinks, findLinks, insertLinks, type LinkSide, measureLinks } from './link-store.js';
import { LINK_TYPES, type LinkType } from './link-types.js';

/** A link that a request wants. */
export interface RequestedLink {
  agentId: number;
  /** Undefined: the links of any type that exist stay; a new one is a DEFAULT one. */
  type: LinkType | undefined;
  /** The place in the request: `source_ids[1]`. */
  place: string;
}

/** The links that a request wants of an agent; an undefined side stays. */
export interface RequestedLinks {
  sources?: readonly RequestedLink[] | undefined;
  receivers?: readonly RequestedLink[] | undefined;
}

/** Returns the problems of the wanted links. `types`: the type of each agent of the story, by id. */
export function linkProblems(
  { sources = [], receivers = [] }: RequestedLinks,
  own: { type: string },
  types: ReadonlyMap<number, string>,
): Problem[] {
  const intoWebhook = 'and webhooks cannot receive links';
  return [
    ...strangers([...sources, ...receivers], types),
    ...(own.type === WEBHOOK_TYPE ? sources : []).map(({ place }) =>
      problem(place, `cannot be set: the action is a webhook, ${intoWebhook}`),
    ),
    ...receivers
      .filter(({ agentId }) => types.get(agentId) === WEBHOOK_TYPE)
      .map(({ place, agentId }) => problem(place, `is ${agentId}, a webhook, ${intoWebhook}`)),
  ];
}

function strangers(links: RequestedLink[], types: ReadonlyMap<number, string>): Problem[] {
  return links
    .filter(({ agentId }) => !types.has(agentId))
    .map(({ place, agentId }) => problem(place, `is ${agentId}, which is not an action of this story`));
}

function problem(place: string, message: string): Problem {
  return { message: `"${place}" ${message}`, details: place };
}

/**
 * Makes the agent's links exactly those that are wanted; a link that stays keeps its row. The caller has checked them
 * and has locked the story. Returns the problem of too many links.
 */
export async function settleLinks(
  { storyId, agentId }: { storyId: number; agentId: number },
  { sources, receivers }: RequestedLinks,
  session: Session,
): Promise<Problem[]> {
  const settled: [LinkSide, readonly RequestedLink[] | undefined][] = [
    ['source', sources],
    ['receiver', receivers],
  ];
  for (const [side, wanted] of settled) {
    if (wanted !== undefined) await settleSide({ storyId, agentId, side }, wanted, session);
  }
  const { count } = await measureLinks(storyId, session);
  if (count <= LIMITS.links) return [];
  return [{ message: `A story can have at most ${LIMITS.links} links` }];
}

async function settleSide(
  end: { storyId: number; agentId: number; side: LinkSide },
  wanted: readonly RequestedLink[],
  session: Session,
): Promise<void> {
  const { storyId, agentId, side } = end;
  const stored = await findLinks(end, session);
  const matches = (
    link: RequestedLink,
    { otherId, linkType }: { otherId: number; linkType: string | null },
  ) => link.agentId === otherId && (link.type === undefined || LINK_TYPES[link.type] === linkType);
  const stale = stored.filter((link) => !wanted.some((each) => matches(each, link)));
  const missing = wanted.filter((each) => !stored.some((link) => matches(each, link)));
  await deleteLinks(
    storyId,
    stale.map(({ id }) => id),
    session,
  );
  const links = distinct(missing).map(({ agentId: otherId, type = 'DEFAULT' }) => ({
    ...(side === 'source'
      ? { sourceId: otherId, receiverId: agentId }
      : { sourceId: agentId, receiverId: otherId }),
    linkType: LINK_TYPES[type],
  }));
  const { next } = await measureLinks(storyId, session);
  await insertLinks({ storyId, next, links }, session);
}

function distinct(links: readonly RequestedLink[]): RequestedLink[] {
  return [...new Map(links.map((link) => [`${link.agentId} ${link.type ?? ''}`, link])).values()];
}
