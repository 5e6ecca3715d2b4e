import type { Actor } from '../../api/face.js';
import type { TenantQuotas } from '../../people/face.js';
import type { TeamValues } from '../../language/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { withMarkers } from '../../platform/secrets/secret-reference.js';
import { TaskTooLarge, TaskTooLong } from '../../platform/threads/thread-errors.js';
import type { ThreadPool } from '../../platform/threads/thread-pool.js';
import { usesTestValues } from '../../engine/face.js';
import { inputOptions, type StoryGraph, type StoryGraphs } from '../../stories/face.js';
import { findPreviewPlace, loadSample, type RequestedPlace } from './preview-place.js';
import type { PreviewError, PreviewScope } from './preview-task.js';
import type { PreviewedValue, PreviewTemplate, ShownEvent } from './preview-values-task.js';
import { bytesOfSample, type Sample } from './sample.js';

declare module '../../platform/threads/thread-pool.js' {
  interface ThreadTasks {
    'render-preview': typeof import('./preview-task.js').renderPreview;
    'render-preview-values': typeof import('./preview-values-task.js').renderPreviewValues;
  }
}

/** What both kinds of previews say: where, and with what. */
export interface PreviewBase extends RequestedPlace {
  type?: string | undefined;
  language?: StoryGraph['language'] | undefined;
  /** The template inputs of the action, as exports keep them. */
  inputs: readonly (JsonValue | undefined)[] | undefined;
}

/** The template or options to render, and the values for it. */
export interface Preview extends PreviewBase {
  template?: JsonValue | undefined;
  options?: JsonObject | undefined;
}

/** Templates to render together. */
export interface ManyPreviews extends PreviewBase {
  templates: PreviewTemplate[];
  local?: JsonObject | undefined;
  withEvent: boolean;
}

/** The rendered value, with its type; or the reason why there is none. */
export type Previewed = { value: JsonValue; error: null } | { value: null; error: PreviewError };

/** What the templates come to, in their order. */
export interface ManyPreviewed {
  language: StoryGraph['language'];
  sample: Sample | undefined;
  values: PreviewedValue[];
  event: ShownEvent | undefined;
}

export interface PreviewServiceDeps {
  database: Pick<Database, 'read'>;
  graphs: Pick<StoryGraphs, 'find'>;
  values: TeamValues;
  threads: Pick<ThreadPool, 'run'>;
  quotas: Pick<TenantQuotas, 'add' | 'requireArrival'>;
  /** The server's host name, as templates see it. */
  domain: string;
}

/** The same as all options of one action have (docs/build/liquid.md), and time to parse the event. */
const DEADLINE_MS = 7_000;
const NO_VALUES = { resources: false, credentials: false, stories: false };
/** Most characters of an event that is shown. */
const EVENT_CHARACTERS = 1024 * 1024;

export type PreviewService = ReturnType<typeof createPreviewService>;

/** Renders templates for their author. Credentials are markers, so no secret is resolved (decision 0026). */
export function createPreviewService(deps: PreviewServiceDeps) {
  /** `texts`: all that may name values of the team. */
  const scopeOf = async (actor: Actor, preview: PreviewBase, texts: string) => {
    const place = await findPreviewPlace(actor, preview, deps);
    const { story, teamId } = place;
    const sample = await loadSample(preview, place, deps);
    const options = inputOptions(preview.inputs);
    const inputs = options && stringifyJson(options);
    const values = await deps.values.load(teamId, {
      ...needsOf(texts + (inputs ?? '')),
      isTest: story !== undefined && usesTestValues(story),
    });
    const scope: PreviewScope = {
      language: preview.language ?? story?.language ?? 'formula',
      type: preview.type,
      event: sample?.content ?? { json: '{}' },
      resources: stringifyJson([...values.resources]),
      credentials: [...values.credentials].map(([name, reference]) => [name, withMarkers(reference)]),
      stories: stringifyJson([...values.stories]),
      meta: metaOf(deps.domain, story),
      inputs,
    };
    const bytes =
      2 * (texts.length + scope.resources.length) + (sample === undefined ? 0 : bytesOfSample(sample));
    return { scope, sample, bytes };
  };

  /** Returns what `work` does in a thread; what is told instead if it takes too long or too much memory. */
  const measured = async <Done>(
    actor: Actor,
    work: () => Promise<Done>,
    otherwise: (message: string) => Done,
  ): Promise<Done> => {
    const began = performance.now();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TaskTooLong || error instanceof TaskTooLarge)) throw error;
      return otherwise(error.message);
    } finally {
      deps.quotas.add(actor.tenantId, { cpuMs: performance.now() - began });
    }
  };

  return {
    /** Checks what a render would refuse. @throws NotFound and Forbidden. */
    async check(actor: Actor, preview: RequestedPlace): Promise<void> {
      await findPreviewPlace(actor, preview, deps);
    },

    /** `left` ends it. @throws NotFound, Forbidden, QuotaReached; ThreadsBusy; the reason of `left`. */
    async render(actor: Actor, preview: Preview, left: AbortSignal): Promise<Previewed> {
      deps.quotas.requireArrival(actor.tenantId);
      const isOptions = preview.options !== undefined;
      const text = stringifyJson(preview.options ?? preview.template ?? null);
      const { scope, bytes } = await scopeOf(actor, preview, text);
      const options = { tenantId: actor.tenantId, deadlineMs: DEADLINE_MS, bytes, signal: left };
      return measured<Previewed>(
        actor,
        async () => {
          const work = { ...scope, text, isOptions };
          const { value, error } = await deps.threads.run('render-preview', work, options);
          return error === undefined ? { value: parseJson(value), error: null } : { value: null, error };
        },
        (message) => ({ value: null, error: { message, option: null, ...NO_PLACE } }),
      );
    },

    /** Renders the templates in one thread. `left` ends it. @throws as `render`. */
    async renderMany(actor: Actor, preview: ManyPreviews, left: AbortSignal): Promise<ManyPreviewed> {
      deps.quotas.requireArrival(actor.tenantId);
      const { templates } = preview;
      const local = preview.local && stringifyJson(preview.local);
      const texts = templates.map(({ template }) => template).join('\n') + (local ?? '');
      const { scope, sample, bytes } = await scopeOf(actor, preview, texts);
      const options = { tenantId: actor.tenantId, deadlineMs: DEADLINE_MS, bytes, signal: left };
      const work = {
        ...scope,
        templates,
        local,
        hasSample: sample !== undefined,
        eventCharacters: preview.withEvent && sample !== undefined ? EVENT_CHARACTERS : undefined,
      };
      const done = await measured(
        actor,
        () => deps.threads.run('render-preview-values', work, options),
        (message) => ({ values: templates.map(({ key }) => notRendered(key, message)), event: undefined }),
      );
      return { language: scope.language, sample, ...done };
    },
  };
}

const NO_PLACE = { line: null, column: null, excerpt: null };

function notRendered(key: string, message: string): PreviewedValue {
  const nothing = { value: null, type: null, size: null, truncated: false, missing: [] } as const;
  return { key, ...nothing, missing: [], error: { message, ...NO_PLACE } };
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
