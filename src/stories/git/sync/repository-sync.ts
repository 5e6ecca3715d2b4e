import { randomUUID } from 'node:crypto';
import { type Actor, createActorStore } from '../../../api/face.js';
import { type CredentialService, allowsHost } from '../../../data/face.js';
import { findTeam } from '../../../people/face.js';
import { AppError, Conflict, Forbidden, NotFound } from '../../../platform/errors.js';
import { gitRemote } from '../../../platform/git/git-remote.js';
import { type GitRepository, PushRejected, withGitRepository } from '../../../platform/git/git-repository.js';
import type { GitSecret } from '../../../platform/git/git-workspace.js';
import { outboundDoor } from '../../../platform/git/outbound-door.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { safeMessage } from '../../../platform/plain-error.js';
import type { OutboundRules } from '../../../platform/outbound/addresses/hop-rules.js';
import { trustedCertificates } from '../../../platform/outbound/http/connections.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import { keysOfHost } from '../api/host-keys.js';
import { createHeldWrite, whileHeld } from './held-write.js';
import { isSettled } from './is-settled.js';
import { createOpenRounds, sidesDigest } from './open-rounds.js';
import { createStorySync } from './sync-stories.js';
import { changesIn, type SyncChange, type SyncDeps, type SyncRun } from './sync-types.js';
import {
  endSync,
  findRepositoryById,
  insertSync,
  takeRepository,
  type TeamRepository,
} from '../repository-store.js';

export interface RepositorySyncDeps extends SyncDeps {
  credentials: Pick<CredentialService, 'listSecrets'>;
  /** Where requests may go. */
  rules: OutboundRules;
  /** Most bytes that one sync gets from a repository. */
  mostBytes: number;
  /** The value of PATH. */
  searchPath: string;
  /** Minutes between two syncs in the background; 0: there are none. */
  everyMinutes: number;
  /** Milliseconds after which a sync begins no further story; 90 s unless given. */
  workMs?: number | undefined;
}

/** How a sync is made. */
export interface SyncOrder {
  repositoryId: number;
  /** The person who asked; undefined: it was due. */
  actor: Actor | undefined;
  isTrial: boolean;
  restoresDeleted: boolean;
  signal?: AbortSignal | undefined;
}

/** What a sync has done, or would do. */
export interface SyncResult {
  commitId: string | null;
  changes: SyncChange[];
  /** Stories that are left for the next sync, since this one took too long. */
  left: number;
  /** Why it ended early, after these changes; null: it did not. */
  error: string | null;
}

/** What a sync has done so far. */
interface Round {
  changes: SyncChange[];
  /** It takes up where the last sync ended. */
  goesOn: boolean;
}

interface RoundEnd extends Pick<SyncResult, 'commitId' | 'left'> {
  /** The commit of the branch at which stories were left. */
  roundCommit: string | null;
}

/** Commits that are got, so that it can be told who changed a file. */
const DEPTH = 20;
/** So far back the commit of the last sync is looked for. */
const LONGEST_DEPTH = 500;
/** The longest time of one command of git: shorter than the lease. */
const GIT_TIMEOUT_MS = 120_000;
/** After so long a sync begins no further story: the next one goes on. */
const WORK_MS = 90_000;
const MOST_TRIES = 3;
const LONGEST_REST_SECONDS = 3_600;
const MOST_LISTED = 500;

/** Syncs repositories of teams, one process at a time. */
export function createRepositorySync(deps: RepositorySyncDeps) {
  const { database } = deps;
  const stories = createStorySync(deps);
  const write = createHeldWrite(database);
  const actors = createActorStore(database);
  const openRounds = createOpenRounds();

  const secretOf = async (
    { teamId, credentialId }: TeamRepository,
    remote: NonNullable<ReturnType<typeof gitRemote>>,
  ) => {
    if (credentialId === null) return undefined;
    const found = (await deps.credentials.listSecrets(teamId)).find(({ id }) => id === credentialId);
    if (found === undefined) throw new Conflict('The credential of the repository does not exist any more');
    if (found.mode !== 'TEXT') throw new Conflict('The credential of the repository is no text');
    const place = new URL(
      `https://${remote.host.includes(':') ? `[${remote.host}]` : remote.host}:${remote.port}`,
    );
    if (found.allowedHosts.length > 0 && !allowsHost(found.allowedHosts, withPort(place, remote.port)))
      throw new Conflict(`The credential "${found.name}" may not be sent to the host of the repository`);
    return secretIn(found.open(), remote.protocol);
  };

  const open = async <Result>(
    repository: TeamRepository,
    signal: AbortSignal | undefined,
    work: (git: GitRepository) => Promise<Result>,
  ): Promise<Result> => {
    const remote = gitRemote(repository.url);
    if (remote === undefined) throw new Conflict('The address of the repository is not valid');
    const access = {
      remote,
      secret: await secretOf(repository, remote),
      hostKeys: keysOfHost(repository.hostKeys),
      certificates: trustedCertificates(),
      searchPath: deps.searchPath,
      open: outboundDoor(remote, deps.rules),
      mostBytes: deps.mostBytes,
      timeoutMs: GIT_TIMEOUT_MS,
      signal,
    };
    return withGitRepository(access, work);
  };

  const actorOf = async (repository: TeamRepository, asked: Actor | undefined): Promise<Actor> => {
    const actor = asked ?? (await actors.findByUser(repository.userId));
    if (
      actor === undefined ||
      actor.tenantId !== repository.tenantId ||
      actor.roles.get(repository.teamId) !== 'TEAM_ADMIN'
    )
      throw new Forbidden(
        'The person who set the repository up is no TEAM_ADMIN of the team any more: set it again',
      );
    if (actor.isFrozen === true) throw new Forbidden('The tenant is being moved');
    return actor;
  };

  /** Returns the commit that is synced then, and what is left. What was done before an error is in `round` nevertheless. */
  const run = async (
    repository: TeamRepository,
    { order, holder, round }: { order: SyncOrder; holder: string; round: Round },
  ): Promise<RoundEnd> => {
    const actor = await actorOf(repository, order.actor);
    const team = await database.read((session) => findTeam(repository.teamId, session));
    if (team === undefined) throw new NotFound('Team');
    return open(repository, order.signal, async (git) => {
      for (let tries = 1; ; tries += 1) {
        const branches = await git.heads();
        const { commitId } = repository;
        const isAtLast = commitId !== null && branches.get(repository.branch) === commitId;
        if (isAtLast && (await database.read((session) => isSettled(repository, session))))
          return { commitId, left: 0, roundCommit: null };
        const sides = await database.read((session) => sidesDigest(repository, branches, session));
        if (order.actor === undefined && openRounds.isSame(repository.id, sides)) {
          round.changes.push(...changesIn(repository));
          return { commitId, left: 0, roundCommit: null };
        }
        const state = await startOf(repository, git, branches);
        const { isTrial, restoresDeleted } = order;
        if (!isTrial) await write({ repository, holder }, () => Promise.resolve());
        round.goesOn = goesOn(repository, order, branches);
        const endsAt = performance.now() + (deps.workMs ?? WORK_MS);
        const current: SyncRun = {
          repository,
          teamName: team.name,
          actor,
          holder,
          isTrial,
          restoresDeleted,
          goesOn: round.goesOn,
          git,
          ...state,
          branches,
          isOver: () => order.signal?.aborted === true || performance.now() > endsAt,
        };
        try {
          const left = await stories.sync(current, round.changes);
          const commit = current.commit ?? null;
          if (!isTrial && left === 0 && !round.goesOn && round.changes.every((each) => each.state !== 'done'))
            openRounds.keep(repository.id, sides);
          // Of a rewritten branch all stories are looked at before its commit counts.
          const isKnown = left === 0 || !current.isRewritten;
          return { commitId: isKnown ? commit : null, left, roundCommit: left === 0 ? null : commit };
        } catch (error) {
          if (!(error instanceof PushRejected) || tries === MOST_TRIES) throw error;
          // What else was found is found again.
          round.changes = round.changes.filter(({ state }) => state === 'done');
        }
      }
    });
  };

  return {
    /**
     * Syncs a repository, or says what a sync would do. What goes wrong is in the result.
     * @throws NotFound; Conflict while another process syncs it; errors of the stores.
     */
    async sync(order: SyncOrder): Promise<SyncResult> {
      const holder = randomUUID();
      const startedAt = new Date();
      const id = order.repositoryId;
      const taken = await retryLockConflicts(() =>
        database.transaction(async (session) =>
          (await takeRepository({ id, holder, isTrial: order.isTrial }, session))
            ? { repository: await findRepositoryById(id, session) }
            : { isBusy: (await findRepositoryById(id, session)) !== undefined },
        ),
      );
      const { repository } = taken;
      if (repository === undefined) {
        if (taken.isBusy === true)
          throw new Conflict('A sync of this repository is under way; try again later');
        throw new NotFound('Repository');
      }
      const round: Round = { changes: [], goesOn: false };
      const end = await whileHeld(
        { repository, holder },
        () => run(repository, { order, holder, round }),
        deps,
      ).then(
        (done) => ({ ...done, error: null }),
        (error: unknown) => ({ commitId: null, left: 0, roundCommit: null, error: reasonOf(error) }),
      );
      const { changes } = round;
      await retryLockConflicts(() =>
        database.transaction(async (session) => {
          const { isTrial } = order;
          const { commitId, error, left, roundCommit } = end;
          // What was found before in the same round stays told.
          const told = [...(round.goesOn ? changesIn(repository) : []), ...changes];
          const report = error === null || changes.length > 0 ? stringifyJson(listed(told)) : undefined;
          const rest = restSeconds(deps.everyMinutes, error === null ? 0 : repository.failures + 1);
          const nextSeconds = left > 0 ? 0 : rest;
          const counts = countsOf(changes);
          const { conflicts } = countsOf(told);
          await endSync(
            { id, holder, commitId, report, error, left, roundCommit, conflicts, nextSeconds },
            isTrial,
            session,
          );
          const isNews =
            counts.pulled + counts.pushed > 0 || error !== repository.lastError || order.actor !== undefined;
          if (isTrial || !isNews) return;
          const userId = order.actor?.userId ?? null;
          await insertSync(id, { userId, commitId, error, startedAt, ...counts }, session);
        }),
      );
      const { commitId, left, error } = end;
      return { commitId, changes, left, error };
    },
  };
}

export type RepositorySyncer = ReturnType<typeof createRepositorySync>;

/** Gets the branch. @throws Conflict for a branch that is gone. */
async function startOf(
  { branch, commitId, direction }: TeamRepository,
  git: GitRepository,
  branches: ReadonlyMap<string, string>,
) {
  if (branches.get(branch) === undefined) {
    if (commitId !== null)
      throw new Conflict(
        `The branch "${branch}" is gone; it was synced last at ${commitId.slice(0, 10)}. Nothing was changed`,
      );
    if (branches.size > 0) throw new Conflict(`The repository has no branch "${branch}"`);
    if (direction === 'pull') throw new Conflict('The repository is empty');
    return { commit: undefined, isRewritten: false, wasEmpty: true };
  }
  const commit = await git.fetch(branch, DEPTH);
  let isRewritten = commitId !== null && !(await git.isAncestor(commitId, commit));
  if (isRewritten) {
    await git.fetch(branch, LONGEST_DEPTH);
    isRewritten = !(await git.isAncestor(commitId ?? '', commit));
  }
  return { commit, isRewritten, wasEmpty: false };
}

/** Whether a sync takes up where the last one ended: the branch has not moved since. */
function goesOn(
  { left, branch, roundCommit }: TeamRepository,
  { isTrial, restoresDeleted }: SyncOrder,
  branches: ReadonlyMap<string, string>,
): boolean {
  const isThere = roundCommit !== null && branches.get(branch) === roundCommit;
  return left > 0 && isThere && !isTrial && !restoresDeleted;
}

/** `allowsHost` reads the port of a URL, which leaves out the usual one of its scheme. */
function withPort(place: URL, port: number): URL {
  return { hostname: place.hostname, port: String(port), protocol: 'https:' } as URL;
}

const TOKEN_USER = 'git';

function secretIn(value: string, protocol: string): GitSecret {
  if (protocol === 'ssh') return { privateKey: value };
  const colon = value.indexOf(':');
  if (colon < 1) return { user: TOKEN_USER, password: value.trim() };
  return { user: value.slice(0, colon).trim(), password: value.slice(colon + 1).trim() };
}

/** A quarter of the time is left to chance, so that repositories do not sync all at once. */
function restSeconds(everyMinutes: number, failures: number): number {
  const usual = Math.max(1, everyMinutes) * 60;
  const rest =
    failures === 0
      ? usual
      : Math.min(usual * 2 ** Math.min(failures, 10), Math.max(LONGEST_REST_SECONDS, usual));
  return Math.round(rest * (0.875 + Math.random() / 4));
}

/** Returns the changes that are kept: conflicts first, then what else is open, as long lists are cut. */
export function listed(changes: readonly SyncChange[]): SyncChange[] {
  return changes.toSorted((one, other) => rank(one) - rank(other)).slice(0, MOST_LISTED);
}

function rank({ state }: SyncChange): number {
  if (state === 'conflict') return 0;
  return state === 'done' ? 2 : 1;
}

function countsOf(changes: readonly SyncChange[]) {
  const number = (is: (change: SyncChange) => boolean) => changes.filter(is).length;
  return {
    pulled: number(({ direction, state }) => direction === 'pull' && state === 'done'),
    pushed: number(({ direction, state }) => direction === 'push' && state === 'done'),
    conflicts: number(({ state }) => state === 'conflict'),
  };
}

/** What a manager is told; the errors of git, of the network and of this program's rules have messages for people. */
function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : safeMessage(error);
}
