import { TEST_POLICIES, type TestPolicy } from '../../people/face.js';
import type { JsonObject, JsonValue } from '../../platform/json.js';
import { MOST_ADDRESS_CHARACTERS } from './recipient-field.js';

/** The callers that may start runs of a story; `WORKBENCH` and `OFF` let no story do it (spec §3.1). */
export const ACCESS_SOURCES = ['STS', 'STS_AND_WORKBENCH', 'WORKBENCH', 'OFF'] as const;
export type AccessSource = (typeof ACCESS_SOURCES)[number];

/** Stories of which teams may call a story. */
export const ACCESSES = ['TEAM', 'GLOBAL', 'SPECIFIC_TEAMS'] as const;
export type Access = (typeof ACCESSES)[number];

/** The settings of a story that have no column of their own; agents are named by their guids. */
export interface StorySettings {
  sendToStoryEnabled: boolean;
  accessSource: AccessSource;
  /** Null: not set, which means `TEAM`. */
  access: Access | null;
  /** Slugs of the teams that may call the story, for `SPECIFIC_TEAMS`. */
  sharedTeamSlugs: string[];
  needsConfirmation: boolean;
  entryGuid: string | undefined;
  exitGuids: string[];
  /** Webhooks that may respond with the run's result; empty: all of them. */
  apiEntryGuids: string[];
  /** Empty: the exits. */
  apiExitGuids: string[];
  tags: string[];
  /** Addresses that are told when an action fails for good. */
  recipients: string[];
  monitorFailures: boolean;
  /** What to do when the story fails, in Markdown; empty: nothing is written. */
  runbook: string;
  /** The template that tells what a run is about; null: telling fields of its first event do. */
  runSubject: string | null;
  /** What failing tests do to a publication; null: what the tenant says. */
  testsOnPublish: TestPolicy | null;
  /** The ready story of the console's gallery that it was made of. */
  gallerySlug: string | undefined;
}

/** Most tags and addresses of a story, and most guids in a list that the API shows. */
export const MOST_ITEMS = 2_000;
/** Longest runbook: lists of stories show it. */
export const MOST_RUNBOOK_CHARACTERS = 10_000;
const MOST_CHARACTERS = 255;
/** Half characters are no JSON text to every database. */
const WHOLE = /^\P{Cs}+$/u;

/**
 * Returns the keys of an export that lists show and filter by, cleaned, for the column `settings`: `extra` may have
 * megabytes, and values of any kind.
 */
export function pickSettings(extra: JsonObject): JsonObject {
  const exits = texts(extra['exit_agent_guids']);
  const picked: JsonObject = {
    // A story of before that key lets others call it.
    send_to_story_enabled: extra['send_to_story_enabled'] !== false,
    monitor_failures: flag(extra['monitor_failures']),
    send_to_story_skill_use_requires_confirmation: flag(
      extra['send_to_story_skill_use_requires_confirmation'],
    ),
    entry_agent_guid: text(extra['entry_agent_guid']),
    gallery_slug: text(extra['gallery_slug']),
    runbook: text(extra['runbook'], MOST_RUNBOOK_CHARACTERS),
    run_subject: text(extra['run_subject']),
    tests_on_publish: text(extra['tests_on_publish']),
    send_to_story_access: text(extra['send_to_story_access']),
    send_to_story_access_source: text(extra['send_to_story_access_source']),
    exit_agent_guids: exits.length > 0 ? exits : texts([extra['exit_agent_guid'] ?? null]),
  };
  for (const key of ['api_entry_action_guids', 'api_exit_action_guids', ...OPEN_LISTS]) {
    picked[key] = texts(extra[key]);
  }
  picked['recipients'] = texts(extra['recipients'], MOST_ADDRESS_CHARACTERS);
  return Object.fromEntries(Object.entries(picked).filter(([, value]) => value !== null));
}

const OPEN_LISTS = ['shared_team_slugs', 'tags'] as const;

/** Returns the settings that an export's keys mean. */
export function readStorySettings(keys: JsonObject): StorySettings {
  const picked = pickSettings(keys);
  const sendToStoryEnabled = picked['send_to_story_enabled'] === true;
  return {
    sendToStoryEnabled,
    accessSource: accessSourceOf(picked, sendToStoryEnabled),
    access: accessOf(picked),
    sharedTeamSlugs: texts(picked['shared_team_slugs']),
    needsConfirmation: picked['send_to_story_skill_use_requires_confirmation'] !== false,
    entryGuid: text(picked['entry_agent_guid']) ?? undefined,
    exitGuids: texts(picked['exit_agent_guids']),
    apiEntryGuids: texts(picked['api_entry_action_guids']),
    apiExitGuids: texts(picked['api_exit_action_guids']),
    tags: texts(picked['tags']),
    recipients: texts(picked['recipients'], MOST_ADDRESS_CHARACTERS),
    monitorFailures: picked['monitor_failures'] === true,
    runSubject: text(picked['run_subject']),
    testsOnPublish: TEST_POLICIES.find((each) => each === picked['tests_on_publish']) ?? null,
    gallerySlug: text(picked['gallery_slug']) ?? undefined,
    runbook: text(picked['runbook'], MOST_RUNBOOK_CHARACTERS) ?? '',
  };
}

/** Exports have a number there, whose meanings are not public; the switch beside it decides then. */
function accessSourceOf({ send_to_story_access_source: source }: JsonObject, enabled: boolean): AccessSource {
  const named = ACCESS_SOURCES.find((each) => each === source);
  if (named !== undefined && allowsStories(named) === enabled) return named;
  return enabled ? 'STS' : 'OFF';
}

/** Exports write it in small letters. */
function accessOf(keys: JsonObject): Access | null {
  const access = text(keys['send_to_story_access'])?.toUpperCase();
  return ACCESSES.find((each) => each === access) ?? null;
}

/** Returns true if other stories may start runs. */
export function allowsStories(source: AccessSource): boolean {
  return source === 'STS' || source === 'STS_AND_WORKBENCH';
}

function flag(value: JsonValue | undefined): boolean | null {
  return typeof value === 'boolean' ? value : null;
}

function text(value: JsonValue | undefined, most = MOST_CHARACTERS): string | null {
  return isText(value, most) ? value : null;
}

function texts(value: JsonValue | undefined, most = MOST_CHARACTERS): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each) => isText(each, most)).slice(0, MOST_ITEMS);
}

function isText(value: JsonValue | undefined, most = MOST_CHARACTERS): value is string {
  return typeof value === 'string' && value.length <= most && WHOLE.test(value);
}
