import type { RedisClient } from '../../platform/redis/redis-client.js';
import { Unavailable } from '../../platform/errors.js';
import { withTimeout } from '../../platform/runtime/timeout.js';

/** A person whose browser has gone without a word is there for this time. */
const THERE_MS = 45_000;
/** The most people of one story. Whoever comes later sees them, and is not seen. */
const MOST = 50;
const COMMAND_TIMEOUT_MS = 1_000;

/**
 * A hash of one story: by user, until when, and what the user has open. Drops the expired, adds one, returns the others. The
 * times are those of Redis. ARGV: user, what is open, ms, the most.
 */
const ENTER = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local all = redis.call('HGETALL', KEYS[1])
local others = {}
for at = 1, #all, 2 do
  local ends, open = string.match(all[at + 1], '^(%d+) (.*)$')
  if tonumber(ends) <= now then
    redis.call('HDEL', KEYS[1], all[at])
  elseif all[at] ~= ARGV[1] then
    others[#others + 1] = all[at] .. ' ' .. open
  end
end
if #others < tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], ARGV[1], string.format('%.0f', now + ARGV[3]) .. ' ' .. ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return others
`;

/** A user who has a story or a draft of it open. */
export interface PresentUser {
  userId: number;
  /** The story, or the draft. */
  openId: number;
  /** The guid of the chosen action; null: none, or several. */
  actionGuid: string | null;
}

/** The users who have a story or a draft of it open, by the id of the live story. All web processes share it. */
export interface PresenceList {
  /** Adds a user for a moment; returns the others. @throws Unavailable without Redis. */
  enter(storyId: number, user: PresentUser): Promise<PresentUser[]>;
  /** @throws Unavailable without Redis. */
  leave(storyId: number, userId: number): Promise<void>;
}

/** Creates the list; its keys are `<prefix>:presence:<story>`, which expire. */
export function createPresenceList(
  redis: Pick<RedisClient, 'eval' | 'hdel'>,
  prefix: string,
  thereMs = THERE_MS,
): PresenceList {
  const keyOf = (storyId: number) => `${prefix}:presence:${storyId}`;
  return {
    async enter(storyId, { userId, openId, actionGuid }) {
      const open = `${openId} ${actionGuid ?? ''}`;
      const others = redis.eval(ENTER, 1, keyOf(storyId), userId, open, thereMs, MOST);
      return ((await answered(others)) as string[]).map(userIn);
    },
    async leave(storyId, userId) {
      await answered(redis.hdel(keyOf(storyId), String(userId)));
    },
  };
}

function userIn(text: string): PresentUser {
  const [userId, openId, ...guid] = text.split(' ');
  return { userId: Number(userId), openId: Number(openId), actionGuid: guid.join(' ') || null };
}

async function answered<Reply>(reply: Promise<Reply>): Promise<Reply> {
  try {
    return await withTimeout(reply, COMMAND_TIMEOUT_MS);
  } catch (error) {
    throw new Unavailable('Redis is unavailable, so it is unknown who has the story open', { cause: error });
  }
}
