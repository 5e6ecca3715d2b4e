import { type Actor, homeTeamId, requireTeam } from '../../api/face.js';
import type { TenantQuotas } from '../../people/face.js';
import type { TeamValues } from '../../language/face.js';
import type { Database } from '../../platform/mysql/database.js';
import { type JsonObject, type JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { withMarkers } from '../../platform/secrets/secret-reference.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { usesTestValues } from '../../engine/face.js';
import { inputOptions, type StoryGraph, type StoryGraphs, visibleStory } from '../../stories/face.js';
import type { EventService } from '../../observe/face.js';
import type { PreviewDone, PreviewError, PreviewWork } from './preview-task.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'render-preview': typeof import('./preview-task.js').renderPreview;
  }
}

/** The template or options to render, and the values for it. */
export interface Preview {
  template?: JsonValue | undefined;
  options?: JsonObject | undefined;
  type?: string | undefined;
  language?: StoryGraph['language'] | undefined;
  storyId: number | undefined;
  teamId: number | undefined;
  event?: JsonObject | undefined;
  eventId: number | undefined;
  /** The template inputs of the action, as exports keep them. */
  inputs: readonly (JsonValue | undefined)[] | undefined;
}

/** The rendered value, with its type; or the reason why there is none. */
export type Previewed = { value: JsonValue; error: null } | { value: null; error: PreviewError };

export interface PreviewServiceDeps {
  database: Pick<Database, 'read'>;
  graphs: Pick<StoryGraphs, 'find'>;
  events: Pick<EventService, 'get'>;
  values: TeamValues;
  threads: Pick<ThreadPool, 'run'>;
  quotas: Pick<TenantQuotas, 'add' | 'requireArrival'>;
  /** The server's host name, as templates see it. */
  domain: string;
}

/** The same as all options of one action have (docs/build/liquid.md), and time to parse the event. */
const DEADLINE_MS = 7_000;
const NO_VALUES = { resources: false, credentials: false, stories: false };

export type PreviewService = ReturnType<typeof createPreviewService>;

/** Renders templates for their author. Credentials are markers, so no secret is resolved (decision 0026). */
export function createPreviewService(deps: PreviewServiceDeps) {
  /** @throws NotFound and Forbidden: who may not write could read hidden addresses by a template. */
  const placeOf = async (actor: Actor, preview: Preview) => {
    const event = preview.eventId === undefined ? undefined : await deps.events.get(actor, preview.eventId);
    const storyId = preview.storyId ?? event?.storyId;
    if (event !== undefined) requireTeam(actor, event.teamId, 'write', 'Event');
    if (storyId === undefined)
      return { event, story: undefined, teamId: homeTeamId(actor, preview.teamId, 'write') };
    await deps.database.read((session) => visibleStory(actor, storyId, 'write', session));
    const story = await deps.graphs.find(storyId);
    return { event, story, teamId: story?.teamId ?? homeTeamId(actor, preview.teamId, 'write') };
  };

  const workOf = async (actor: Actor, preview: Preview): Promise<PreviewWork> => {
    const { event, story, teamId } = await placeOf(actor, preview);
    const text = stringifyJson(preview.options ?? preview.template ?? null);
    const options = inputOptions(preview.inputs);
    const inputs = options && stringifyJson(options);
    const values = await deps.values.load(teamId, {
      ...needsOf(text + (inputs ?? '')),
      isTest: story !== undefined && usesTestValues(story),
    });
    return {
      text,
      isOptions: preview.options !== undefined,
      language: preview.language ?? story?.language ?? 'formula',
      type: preview.type,
      event: stringifyJson(preview.event ?? event?.payload ?? {}),
      resources: stringifyJson([...values.resources]),
      credentials: [...values.credentials].map(([name, reference]) => [name, withMarkers(reference)]),
      stories: stringifyJson([...values.stories]),
      meta: metaOf(deps.domain, story),
      inputs,
    };
  };

  return {
    /** Checks what `render` would refuse. @throws NotFound and Forbidden. */
    async check(actor: Actor, preview: Preview): Promise<void> {
      await placeOf(actor, preview);
    },

    /** @throws NotFound, Forbidden, QuotaReached; ThreadsBusy. */
    async render(actor: Actor, preview: Preview): Promise<Previewed> {
      deps.quotas.requireArrival(actor.tenantId);
      const work = await workOf(actor, preview);
      const began = performance.now();
      const bytes = 2 * (work.text.length + work.event.length + work.resources.length);
      const options = { tenantId: actor.tenantId, deadlineMs: DEADLINE_MS, bytes };
      try {
        return shown(await deps.threads.run('render-preview', work, options));
      } catch (error) {
        if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
        return { value: null, error: { message: error.message, ...NO_PLACE } };
      } finally {
        deps.quotas.add(actor.tenantId, { cpuMs: performance.now() - began });
      }
    },
  };
}

const NO_PLACE = { option: null, line: null, column: null, excerpt: null };

function shown(done: PreviewDone): Previewed {
  if (done.error !== undefined) return { value: null, error: done.error };
  return { value: parseJson(done.value), error: null };
}

/** The kinds of values that the text can name; what it does not name need not be loaded. */
function needsOf(text: string) {
  return {
    ...NO_VALUES,
    resources: /resource/i.test(text),
    credentials: /credential/i.test(text),
    stories: /story/i.test(text),
  };
}

function metaOf(domain: string, story: StoryGraph | undefined): JsonObject {
  const tenant = { domain };
  return story === undefined
    ? { tenant }
    : { tenant, story: { id: story.id, name: story.name, guid: story.guid } };
}
