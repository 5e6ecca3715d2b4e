import { presentPause } from '../queues/pause-presenter.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import type { InstallationStatus } from './installation-status.js';
import type { Status } from './status-service.js';
import type { TeamStatus } from './team-status.js';

/** Returns the status as the API shows it. */
export function presentStatus({ state, reasons, checkedAt, installation, teams }: Status) {
  return {
    state,
    reasons: reasons.map(({ id, severity, found, why, remedy, since }) => ({
      state: severity,
      id,
      text: found,
      why,
      remedy,
      since: since === undefined ? null : timestamp(since),
    })),
    checked_at: timestamp(checkedAt),
    installation: installation && presentInstallation(installation),
    stories: teams && presentTeams(teams),
  };
}

function presentInstallation(found: InstallationStatus) {
  return {
    mysql_ms: found.mysqlMs,
    redis_ms: found.redisMs,
    relay_lag_seconds: rounded(found.relayLagSeconds),
    schedule_lag_seconds: rounded(found.scheduleLagSeconds),
    spool: found.spool && { bytes: found.spool.heldBytes, limit_bytes: found.spool.limitBytes },
    queues:
      found.queues &&
      found.queues.map(({ queue, waiting, active, delayed, oldestMs, workers, paused }) => ({
        queue,
        waiting,
        active,
        delayed,
        oldest_seconds: rounded(oldestMs / 1000),
        workers,
        paused: presentPause(paused),
      })),
    versions:
      found.processes &&
      [...found.processes.versions].map(([version, processes]) => ({ version, processes })),
  };
}

function presentTeams({ deadLetters, isComplete, failing, silent, notices }: TeamStatus) {
  return {
    dead_letters: deadLetters,
    dead_letters_complete: isComplete,
    failing: failing.map((story) => ({
      id: story.id,
      name: story.name,
      team_id: story.teamId,
      dead_letters: story.deadLetters,
      since: timestamp(story.since),
      last_at: timestamp(story.lastAt),
      last_error: story.lastError,
      last_cause: story.lastCause,
    })),
    silent_actions: silent.map(({ id, name, storyId, storyName, teamId, since }) => ({
      id,
      name,
      story: { id: storyId, name: storyName },
      team_id: teamId,
      since: timestamp(since),
    })),
    notices: notices.map(({ teamId, storyId, createdAt, at, ...notice }) => ({
      ...notice,
      team_id: teamId,
      story_id: storyId,
      created_at: timestamp(createdAt),
      at: timestamp(at),
    })),
  };
}

function rounded(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds);
}
