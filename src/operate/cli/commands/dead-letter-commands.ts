import { type Command, InvalidArgumentError } from 'commander';
import { messageOf } from '../../../platform/errors.js';
import type { Actor } from '../../../api/face.js';
import {
  type DeadLetter,
  type DeadLetterQuery,
  type ManyDone,
  MAX_AT_ONCE,
  MAX_REASON_CHARS,
  presentCanary,
  presentDeadLetter,
} from '../../../observe/face.js';
import { parseIsoTime } from '../../../platform/time/iso-time.js';
import { timestamp } from '../../../platform/time/timestamp.js';
import { type Cli, table, type WriteResponse } from '../cli.js';
import { type CliServices, resolveActor, resolveTeam, resolveTenant } from '../stores/cli-services.js';

interface FilterOptions {
  tenant?: string;
  team?: string;
  story?: number;
  agent?: number;
  run?: string;
  error?: string;
  since?: Date;
  until?: Date;
}

interface ListOptions extends FilterOptions {
  limit: number;
}

interface SelectOptions extends FilterOptions {
  all?: boolean;
  reason?: string;
}

const MAX_ERROR_CHARS = 80;
const FILTERS = ['team', 'story', 'agent', 'run', 'error', 'since', 'until'] as const;

/** `dead-letters list|retry|canary|drop`: deliveries that failed for good. Needs only the database. */
export function addDeadLetterCommands(program: Command, cli: Cli): void {
  const letters = program.command('dead-letters').description('deliveries that failed permanently');
  addList(letters, cli);
  addAct(letters, cli, {
    name: 'retry',
    description: 'retry dead letters; the relay of the server queues their jobs',
    one: async ({ deadLetters }, actor, id) => void (await deadLetters.retry(actor, id)),
    many: ({ deadLetters }, actor, query) => deadLetters.retryMany(actor, query, Number.POSITIVE_INFINITY),
    word: 'retried',
    said: (count) => `${count} dead letters will be retried.`,
  });
  addCanary(letters, cli);
  addAct(letters, cli, {
    name: 'drop',
    description: 'delete dead letters',
    one: ({ deadLetters }, actor, id) => deadLetters.drop(actor, id),
    many: ({ deadLetters }, actor, query) => deadLetters.dropMany(actor, query, Number.POSITIVE_INFINITY),
    word: 'dropped',
    said: (count) => `${count} dead letters were dropped.`,
  }).option('--reason <text>', 'reason, kept in the audit log', readReason);
}

function withFilters(command: Command): Command {
  return command
    .option('--tenant <tenant>', 'id or name (default: the only one)')
    .option('--team <team>', 'id or name')
    .option('--story <id>', 'of this story', readId)
    .option('--agent <id>', 'of this action', readId)
    .option('--run <guid>', 'of this run')
    .option('--error <text>', 'error contains this text')
    .option('--since <time>', 'failed at this time or later (ISO 8601)', readTime)
    .option('--until <time>', 'failed before this time (ISO 8601)', readTime);
}

function addList(letters: Command, cli: Cli): void {
  withFilters(letters.command('list').description('list dead letters, newest first'))
    .option('--limit <number>', 'maximum number of dead letters', readId, 50)
    .action(
      cli.action(async (services, options: ListOptions) => {
        const { actor, query } = await asked(services, options);
        const window = { offset: 0, limit: options.limit };
        const { items, total } = await services.deadLetters.list(actor, query, window);
        const rows = items.map(toRow);
        const more = total > items.length ? `\n${total} in total` : '';
        return {
          json: { dead_letters: items.map(presentDeadLetter), count: total },
          text: table(['id', 'failed', 'story', 'action', 'attempts', 'error'], rows) + more,
        };
      }),
    );
}

/** `dead-letters canary`: the server takes the retry on from its first dead letter. */
function addCanary(letters: Command, cli: Cli): void {
  withFilters(letters.command('canary'))
    .description('retry 1 dead letter of a story, then 10, then the rest; stop at the same error')
    .action(
      cli.writeAction('canary.start', async (services, options: FilterOptions) => {
        const { actor, query } = await asked(services, options);
        const { storyId } = query;
        if (storyId === undefined) throw new Error('specify --story');
        const canary = await services.canaries.start(actor, { ...query, storyId }, MAX_AT_ONCE);
        const json = presentCanary(canary);
        return {
          json,
          text: `Canary retry ${json.id} of ${json.dead_letters} dead letters was started. The server carries it out.`,
          wrote: [{ tenantId: actor.tenantId, user: { id: actor.userId, email: actor.userEmail } }],
        };
      }),
    );
}

interface Act {
  name: 'retry' | 'drop';
  description: string;
  one(services: CliServices, actor: Actor, id: number): Promise<void>;
  many(services: CliServices, actor: Actor, query: DeadLetterQuery): Promise<ManyDone>;
  word: string;
  said(count: number): string;
}

function addAct(letters: Command, cli: Cli, act: Act): Command {
  return withFilters(letters.command(act.name).description(act.description))
    .argument('[ids...]', 'ids of dead letters; or use a filter or --all', readIds, [])
    .option('--all', 'all dead letters of the tenant')
    .action(
      cli.writeAction(`dead_letter.${act.name}`, async (services, options: SelectOptions, args) => {
        const [ids = []] = args as unknown as number[][];
        requireOneChoice(ids, options);
        const { actor, query } = await asked(services, options);
        const chosen = { ids, query };
        const done = await actOn(act, services, { actor, ...chosen });
        return responseOf(act, done, { actor, reason: options.reason });
      }),
    );
}

/** @throws Error unless exactly one of ids, filters and `--all` is given. */
function requireOneChoice(ids: number[], options: SelectOptions): void {
  const filtered = FILTERS.some((name) => options[name] !== undefined);
  const ways = [ids.length > 0, filtered, options.all === true].filter(Boolean).length;
  if (ways !== 1) throw new Error('specify ids, a filter such as --story, or --all');
}

interface Chosen {
  actor: Actor;
  ids: number[];
  query: DeadLetterQuery;
}

/** Returns the number of dead letters handled. With ids, stops at the first failure and returns it. */
async function actOn(act: Act, services: CliServices, { actor, ids, query }: Chosen) {
  if (ids.length === 0) return { done: (await act.many(services, actor, query)).done };
  let done = 0;
  for (const id of ids) {
    try {
      await act.one(services, actor, id);
    } catch (error) {
      return { done, failure: `${id}: ${messageOf(error)}` };
    }
    done += 1;
  }
  return { done };
}

function responseOf(
  act: Act,
  { done, failure }: { done: number; failure?: string },
  { actor, reason }: { actor: Actor; reason: string | undefined },
): WriteResponse {
  const user = { id: actor.userId, email: actor.userEmail };
  return {
    json: { [act.word]: done },
    text: act.said(done),
    wrote: done === 0 ? [] : [{ tenantId: actor.tenantId, user, reason }],
    ...(failure !== undefined && {
      failure: done === 0 ? failure : `${act.said(done)} The next one failed: ${failure}`,
    }),
  };
}

async function asked(
  services: CliServices,
  { tenant: wanted, team, story, agent, run, ...rest }: FilterOptions,
): Promise<{ actor: Actor; query: DeadLetterQuery }> {
  const tenant = await resolveTenant(services, wanted);
  const actor = await resolveActor(services, tenant.id);
  const { error, since, until } = rest;
  const teamId = team === undefined ? undefined : (await resolveTeam(services, tenant.id, team)).id;
  const agentIds = agent === undefined ? [] : [agent];
  return {
    actor,
    query: { teamId, storyId: story, agentIds, storyRunGuid: run?.toLowerCase(), error, since, until },
  };
}

function toRow(letter: DeadLetter): (string | number | null)[] {
  const error = letter.error?.replace(/\s+/g, ' ') ?? null;
  return [
    letter.id,
    timestamp(letter.failedAt),
    letter.storyName,
    letter.agentName,
    letter.attempts,
    error !== null && error.length > MAX_ERROR_CHARS ? `${error.slice(0, MAX_ERROR_CHARS)}…` : error,
  ];
}

const readIds = (text: string, before: number[]): number[] => [...before, readId(text)];

function readId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError(`"${text}" is not a positive integer`);
  return Number(text);
}

function readReason(text: string): string {
  if (text === '' || text.length > MAX_REASON_CHARS)
    throw new InvalidArgumentError(`expected 1 to ${MAX_REASON_CHARS} characters`);
  return text;
}

function readTime(text: string): Date {
  const time = parseIsoTime(text);
  if (time === undefined) throw new InvalidArgumentError('expected a time such as 2030-01-31T00:00:00Z');
  return time;
}
