import type { Problem } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import type { Usable } from '../../platform/validation/partial-input.js';
import type { ExportAgent, ExportLink, StoryExport } from '../export/export-form.js';
import { checkSchedules } from '../schedules/import-schedules.js';
import { partPath } from './plan/place.js';
import { parseLayout } from './plan/guid-map.js';
import { TESTS_KEY } from '../tests/story-test.js';
import { testsProblems } from '../tests/test-form.js';
import { LIMITS } from './import-limits.js';
import { givenAddress, pathProblem, WEBHOOK_TYPE } from './import-address.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** The functions of the agent types that an import uses. */
export interface AgentTypes {
  /** Returns the options of the wrong type; `details` is the path within the options. */
  checkOptions(type: string, options: JsonObject): Problem[];
  /** Returns the reason why an action can only be stored; undefined if it can run. */
  runnable(type: string, options: JsonObject): string | undefined;
}

/**
 * Returns every rule of spec §3.3 that the export breaks, embedded stories included; `place` is the prefix of the paths, empty for none.
 * If the export's structure is invalid, its usable parts are checked.
 */
export function checkExport(story: Usable<StoryExport>, types: AgentTypes, place = 'data'): Problem[] {
  const embedded = (story.send_to_stories ?? []) as Usable<StoryExport[]>;
  return [
    ...checkAgents(story.agents ?? [], types, place),
    ...checkSchedules(story, place),
    ...checkLinks(story, place),
    ...checkLayout(story, place),
    ...testsProblems(story[TESTS_KEY], place),
    ...checkSize(besideAgents(story), place),
    ...embedded.flatMap((each, index) =>
      each === undefined ? [] : checkExport(each, types, partPath(place, `send_to_stories[${index}]`)),
    ),
  ];
}

/** Returns the stories embedded in this one. */
export function subStories(story: StoryExport): StoryExport[] {
  return (story.send_to_stories ?? []) as StoryExport[];
}

/** Returns this story and all stories embedded in it, at any depth. */
export function allStories(story: StoryExport): StoryExport[] {
  return [story, ...subStories(story).flatMap(allStories)];
}

function checkAgents(agents: Usable<ExportAgent[]>, types: AgentTypes, place: string): Problem[] {
  const seen = new Map<string, number>();
  return agents.flatMap((agent, index) => {
    if (agent === undefined) return [];
    const at = partPath(place, `agents[${index}]`);
    const first = typeof agent.guid === 'string' ? seen.get(agent.guid) : undefined;
    if (typeof agent.guid === 'string' && first === undefined) seen.set(agent.guid, index);
    const twice = `"${at}.guid" is also the guid of "${partPath(place, `agents[${first}]`)}"`;
    return [
      ...(first === undefined ? [] : [{ message: twice, details: `${at}.guid` }]),
      ...checkOptions(agent, types, `${at}.options`),
      ...checkSize(agent, at),
    ];
  });
}

function checkOptions({ type, options }: Usable<ExportAgent>, types: AgentTypes, at: string): Problem[] {
  if (type === undefined || options === undefined) return [];
  const problems = types.checkOptions(type, options).map(({ message, details }): Problem => {
    const place = details === undefined ? at : `${at}.${details}`;
    return { message: `"${place}": ${message}`, details: place };
  });
  const { path } = type === WEBHOOK_TYPE ? givenAddress(options) : { path: undefined };
  const fault = path === undefined ? undefined : pathProblem(path);
  if (fault !== undefined) problems.push({ message: `"${at}.path" ${fault}`, details: `${at}.path` });
  return problems;
}

function checkLinks({ agents, links }: Usable<StoryExport>, place: string): Problem[] {
  // Without the agents the valid positions are unknown.
  if (agents === undefined || links === undefined) return [];
  return links.flatMap((link, index) =>
    link === undefined ? [] : checkLink(link, agents, partPath(place, `links[${index}]`)),
  );
}

function checkLink(link: Usable<ExportLink>, agents: Usable<ExportAgent[]>, at: string): Problem[] {
  const outside = (['source', 'receiver'] as const).flatMap((end) => {
    const position = link[end];
    if (position === undefined || position < agents.length) return [];
    const message = `"${at}.${end}" is ${position}, but there are ${agents.length} agents (counted from 0)`;
    return [{ message, details: `${at}.${end}` }];
  });
  const receiver = link.receiver === undefined ? undefined : agents[link.receiver];
  if (receiver?.type !== WEBHOOK_TYPE) return outside;
  const message = `"${at}.receiver" is the webhook "${receiver.name}", and webhooks cannot receive links`;
  return [...outside, { message, details: `${at}.receiver` }];
}

function checkLayout(story: Usable<StoryExport>, place: string): Problem[] {
  const layout = story.diagram_layout;
  if (typeof layout !== 'string' || layout === '' || parseLayout(layout) !== undefined) return [];
  const at = partPath(place, 'diagram_layout');
  return [{ message: `"${at}" must be text containing a JSON object`, details: at }];
}

/** The size of one database row is bounded. */
function checkSize(value: object, at: string): Problem[] {
  if (Buffer.byteLength(stringifyJson(value)) <= LIMITS.rowBytes) return [];
  return [{ message: `"${at}" is larger than ${LIMITS.rowBytes} bytes`, details: at }];
}

/** Returns the story without its agents, links and embedded stories. */
function besideAgents(story: Usable<StoryExport>): object {
  const { agents: _agents, links: _links, send_to_stories: _subStories, ...rest } = story;
  return rest;
}
