import { createHash } from 'node:crypto';
import { AGENT_CHECKS } from '../../../agents/face.js';
import { createLanguages } from '../../../language/face.js';
import type { Problem } from '../../../platform/errors.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { mergedObjects, orderedObject } from '../../../platform/json/ordered-object.js';
import { HIDDEN } from '../../../platform/secrets/hidden-secrets.js';
import { inspect } from '../../../platform/validation/partial-input.js';
import { firstProblems, mergedProblems } from '../../../platform/validation/validate.js';
import { withoutEmptyStrangers } from '../../../platform/validation/strangers.js';
import type { ExportAgent, StoryExport } from '../../export/export-form.js';
import { checkExport } from '../../import/check-export.js';
import { givenAddress, WEBHOOK_TYPE } from '../../import/import-address.js';
import { exceedsDepth, LIMITS } from '../../import/import-limits.js';
import { languageOf } from '../../import/plan/language.js';
import type { Side } from '../../merge/three-way.js';
import { type NamedNeeds, namedNeeds } from '../bundle/named-needs.js';
import { nameKey, type NameMaps, withNames } from './promoted-names.js';
import {
  type BundleSource,
  type Mapping,
  type PromotionBody,
  promotionBody,
  reasonProblems,
  type StoryChoice,
  type Taken,
} from '../routes/promotion-body.js';

/** A story to be promoted, with the names of the target. */
export interface PromotedStory {
  /** Its place in the request. */
  place: string;
  /** Guid of the story in the source. */
  sourceGuid: string;
  name: string;
  /** Name of the team in the target. */
  team: string;
  data: StoryExport;
  needs: NamedNeeds;
  /** What cannot be promoted for sure. */
  problems: string[];
  choices: OrderedChoices;
}

/** The choices of a request for one story; `draft` is the side of the bundle. */
export interface OrderedChoices {
  entries: readonly (readonly [string, Side])[];
  /** The side of all other conflicts, as long as the story has this version: nobody has seen later ones. */
  rest: { side: Side; liveVersion: number } | undefined;
}

/** A promotion as it is asked for. */
export interface PromotionOrder {
  source: BundleSource;
  name: string;
  mapping: Mapping;
  overwrites: boolean;
  reason: string | null;
  stories: PromotedStory[];
}

/** The body of a promotion, with all problems that need no database. */
export interface ReadPromotion {
  /** Undefined if there are problems. */
  order: PromotionOrder | undefined;
  problems: Problem[];
}

const LANGUAGES = createLanguages();

/** Reads the body of a promotion: puts the names of the target into its stories. Pure, for a thread if it is large. */
export function readPromotion(body: unknown): ReadPromotion {
  if (exceedsDepth(body, LIMITS.depth)) {
    const message = `The body is nested deeper than ${LIMITS.depth} levels`;
    return { order: undefined, problems: [{ message, details: 'bundle' }] };
  }
  const { value, usable, problems } = inspect<PromotionBody>(
    promotionBody,
    withoutEmptyStrangers(promotionBody, body),
  );
  const ownProblems = [...reasonProblems(usable), ...storyProblems(value), ...choiceProblems(value)];
  const all = mergedProblems(problems, ownProblems);
  if (value === undefined || all.length > 0) return { order: undefined, problems: firstProblems(all) };
  return { order: orderOf(value), problems: [] };
}

function storyProblems(body: PromotionBody | undefined): Problem[] {
  const stories = body?.bundle.stories ?? [];
  return stories.flatMap(({ guid, data }, index) => {
    const place = placeOf(index);
    const first = stories.findIndex((other) => other.guid === guid);
    const twice = { message: `"${place}.guid" is also that of story ${first}`, details: `${place}.guid` };
    return [
      ...(first === index ? [] : [twice]),
      ...checkExport(withoutEmbedded(data), AGENT_CHECKS, `${place}.data`),
    ];
  });
}

function choiceProblems(body: PromotionBody | undefined): Problem[] {
  if (body === undefined) return [];
  const { bundle, choices } = body;
  const problems = choices.flatMap(({ source_guid: guid }, index): Problem[] => {
    const place = `choices[${index}].source_guid`;
    if (!bundle.stories.some((story) => story.guid === guid))
      return [{ message: `"${place}" is no story of the bundle`, details: place }];
    const first = choices.findIndex((other) => other.source_guid === guid);
    return first === index ? [] : [{ message: `"${place}" is also that of choice ${first}`, details: place }];
  });
  const left = new Set(choices.filter(isLeftOut).map((choice) => choice.source_guid));
  const isEmpty = bundle.stories.every(({ guid }) => left.has(guid));
  return isEmpty ? [...problems, { message: 'All stories are left out', details: 'choices' }] : problems;
}

const isLeftOut = ({ leave_out: leavesOut }: StoryChoice): boolean => leavesOut;

function choicesOf(choice: StoryChoice | undefined): OrderedChoices {
  const { resolve = [], resolve_rest: rest } = choice ?? {};
  return {
    entries: resolve.map(({ entry, take }) => [entry, sideOf(take)] as const),
    rest: rest && { side: sideOf(rest.take), liveVersion: rest.live_version },
  };
}

const sideOf = (take: Taken): Side => (take === 'live' ? 'live' : 'draft');

function orderOf({ bundle, name, mapping, choices, overwrite, reason }: PromotionBody): PromotionOrder {
  const maps: NameMaps = {
    credentials: keyed(mapping.credentials),
    resources: keyed(mapping.resources),
  };
  return {
    source: bundle.source,
    name: (name ?? '') === '' ? `Promotion from ${bundle.source.tenant || 'a bundle'}` : (name ?? ''),
    mapping,
    overwrites: overwrite,
    reason: (reason ?? '') === '' ? null : (reason ?? null),
    stories: bundle.stories.flatMap(({ guid, name: storyName, team, data }, index) => {
      const choice = choices.find((each) => each.source_guid === guid);
      if (choice !== undefined && isLeftOut(choice)) return [];
      const language = LANGUAGES[languageOf(data)];
      const named = withNames(data, maps, language);
      const story: PromotedStory = {
        place: placeOf(index),
        sourceGuid: guid,
        name: storyName,
        team: own(mapping.teams, team) ?? team,
        data: promotedForm(named.story, { guid, name: storyName, paths: mapping.webhook_paths }),
        needs: namedNeeds(named.story, language),
        problems: [...named.problems, ...hiddenSecrets(named.story)],
        choices: choicesOf(choice),
      };
      return [story];
    }),
  };
}

const placeOf = (index: number): string => `bundle.stories[${index}]`;

function keyed(names: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names)
      .filter(([from, to]) => to !== '' && nameKey(from) !== nameKey(to))
      .map(([from, to]) => [nameKey(from), to]),
  );
}

function own(names: Record<string, string>, name: string): string | undefined {
  const found = Object.hasOwn(names, name) ? names[name] : undefined;
  return found === '' ? undefined : found;
}

interface PromotedForm {
  guid: string;
  name: string;
  paths: Record<string, string>;
}

/** Returns the story without embedded ones; its webhooks have the paths of the target, and no secrets. */
function promotedForm(story: StoryExport, { guid, name, paths }: PromotedForm): StoryExport {
  const agents = story.agents.map((agent, index) => promotedAgent(agent, paths, `${guid} ${index}`));
  return withoutEmbedded(mergedObjects<JsonValue>(story, { guid, name, agents }) as StoryExport);
}

function withoutEmbedded(story: StoryExport): StoryExport {
  const entries = Object.entries(story).filter(([key]) => key !== 'send_to_stories' && key !== 'exported_at');
  return orderedObject(entries) as StoryExport;
}

function promotedAgent(agent: ExportAgent, paths: Record<string, string>, place: string): ExportAgent {
  const { guid = guidFor(`${place} ${agent.name}`) } = agent;
  const isWebhook = agent.type === WEBHOOK_TYPE;
  const options = isWebhook ? promotedOptions(agent.options, paths) : agent.options;
  return mergedObjects<JsonValue>(agent, { guid, options }) as ExportAgent;
}

function promotedOptions(options: JsonObject, paths: Record<string, string>): JsonObject {
  const { path = '' } = givenAddress(options);
  return mergedObjects<JsonValue>(options, { path: own(paths, path) ?? path, secret: '' });
}

/** Returns the same guid for the same action each time. */
function guidFor(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** A bundle holds no secret: a text that had one cannot work. */
function hiddenSecrets({ agents }: StoryExport): string[] {
  return agents.flatMap(({ name, type, options }) => {
    const others = type === WEBHOOK_TYPE ? mergedObjects<JsonValue>(options, { secret: '' }) : options;
    return stringifyJson(others).includes(HIDDEN)
      ? [`${name}: an option holds a secret or a link, which the bundle hides; use a credential`]
      : [];
  });
}
