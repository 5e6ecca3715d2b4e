import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { mergedObjects } from '../../../platform/json/ordered-object.js';

/** Which events and failures of an action its owner wants to hear of, as exports keep it. */
export interface Monitoring {
  monitor_all_events: boolean;
  monitor_failures: boolean;
  /** Seconds without an event; null: not watched. */
  monitor_no_events_emitted: number | null;
}

/** The time that one run of an action saves its owner, as exports keep it. */
export interface Reporting {
  time_saved_value: number;
  time_saved_unit: string;
}

const NO_MONITORING: Monitoring = {
  monitor_all_events: false,
  monitor_failures: false,
  monitor_no_events_emitted: null,
};
const NO_REPORTING: Reporting = { time_saved_value: 0, time_saved_unit: 'minutes' };

/** The settings of an agent that have no column; undefined ones stay. */
export interface ExtraSettings {
  /** In the export's form; null: none. */
  schedule?: JsonValue | undefined;
  description?: string | null | undefined;
  monitoring?: { [Key in keyof Monitoring]?: Monitoring[Key] | undefined } | undefined;
  reporting?: { [Key in keyof Reporting]?: Reporting[Key] | undefined } | undefined;
}

/** Returns the keys without a column of a new agent, in the order of an export. */
export function newExtra(guid: string, settings: ExtraSettings): JsonObject {
  const extra: JsonObject = {
    type: null,
    name: null,
    disabled: null,
    description: null,
    guid,
    options: null,
    reporting: { ...NO_REPORTING },
    monitoring: { ...NO_MONITORING },
    width: null,
    schedule: null,
    keep_events_for: null,
  };
  return withSettings(extra, settings) ?? extra;
}

/** Returns the keys without a column after a change; undefined if it changes none of them. */
export function withSettings(extra: JsonObject, settings: ExtraSettings): JsonObject | undefined {
  const { schedule, description, monitoring, reporting } = settings;
  const changes = given({
    schedule,
    description,
    monitoring: monitoring && { ...monitoringIn(extra), ...given(monitoring) },
    reporting: reporting && { ...reportingIn(extra), ...given(reporting) },
  });
  return Object.keys(changes).length === 0 ? undefined : mergedObjects(extra, changes);
}

function given(values: Record<string, JsonValue | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

/** Returns the monitoring of an agent. */
export function monitoringIn({ monitoring }: JsonObject): Monitoring {
  const kept = isJsonObject(monitoring) ? monitoring : {};
  const seconds = kept.monitor_no_events_emitted;
  return {
    monitor_all_events: kept.monitor_all_events === true,
    monitor_failures: kept.monitor_failures === true,
    monitor_no_events_emitted: typeof seconds === 'number' ? seconds : null,
  };
}

/** Returns the time that an agent saves. */
export function reportingIn({ reporting }: JsonObject): Reporting {
  const kept = isJsonObject(reporting) ? reporting : {};
  const { time_saved_value: value, time_saved_unit: unit } = kept;
  return {
    time_saved_value: typeof value === 'number' ? value : NO_REPORTING.time_saved_value,
    time_saved_unit: typeof unit === 'string' ? unit : NO_REPORTING.time_saved_unit,
  };
}

/** Returns the description of an agent. */
export function descriptionIn({ description }: JsonObject): string | null {
  return typeof description === 'string' ? description : null;
}
