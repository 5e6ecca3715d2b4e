import type { Check, ServerValues, StoreContext } from '../check.js';
import { type DoctorFinding, finding, findingIf, type FindingKind } from '../finding.js';
import { readRedisSetting } from '../facts/redis-info.js';
import { skewOf } from '../skew.js';
import { isOlder } from '../version-number.js';

const VERSION: FindingKind = {
  id: 'redis.version',
  severity: 'error',
  why: 'The queues use commands that older servers lack.',
  remedy: 'Upgrade to Redis 6.2 or later, or to Valkey.',
};
const EVICTION: FindingKind = {
  id: 'redis.eviction',
  severity: 'error',
  why: 'A full Redis deletes jobs. Webhook requests are not spooled there while MySQL is unreachable.',
  remedy: 'Set maxmemory-policy noeviction.',
};
const EVICTION_LATER: FindingKind = {
  id: 'redis.eviction-later',
  severity: 'warning',
  why: 'The policy deletes keys as soon as the memory limit is reached, or as soon as somebody sets one.',
  remedy: 'Set maxmemory-policy noeviction.',
};
const EVICTED: FindingKind = {
  id: 'redis.evicted-keys',
  severity: 'warning',
  why: 'Jobs, rate limits or spooled requests may be among the keys that Redis has deleted.',
  remedy: 'Set maxmemory-policy noeviction, and give Redis more memory. The relay creates lost jobs again.',
};
const MEMORY: FindingKind = {
  id: 'redis.memory',
  severity: 'warning',
  why: 'A full Redis refuses jobs; work then waits in MySQL, and nothing can be spooled.',
  remedy: 'Raise maxmemory, or see which queue grows.',
};
const PERSISTENCE: FindingKind = {
  id: 'redis.persistence',
  severity: 'warning',
  why: 'A restart empties Redis. Requests that are spooled there while MySQL is unreachable are lost with it.',
  remedy: 'Set appendonly yes.',
};
const FSYNC: FindingKind = {
  id: 'redis.fsync',
  severity: 'note',
  why: 'If the machine of Redis fails, the last requests that were spooled there are lost.',
  remedy: 'Set appendfsync always if the spool must outlive a failure of the machine.',
};
const WRITE_FAILED: FindingKind = {
  id: 'redis.write-failed',
  severity: 'error',
  why: 'Redis could not write its data to the disk, and may refuse all writes until it can.',
  remedy: 'See the log of Redis, and the space on its disk.',
};
const NO_INFO: FindingKind = {
  id: 'redis.no-info',
  severity: 'warning',
  why: 'Without INFO nobody knows whether Redis evicts keys: requests are not spooled, a restart is not detected.',
  remedy: 'Give the user the right to run INFO, or set REDIS_POLICY=noeviction if that is so.',
};
const CLOCK: FindingKind = {
  id: 'redis.clock',
  severity: 'note',
  why: 'Times on the queue board, and the ages of jobs, are off by this much.',
  remedy: 'Synchronise the clocks of all machines (chrony, systemd-timesyncd).',
};

const LEAST_VERSION = '6.2';
/** Part of `maxmemory` from which it is reported. */
const MUCH = 0.8;

/** The facts that INFO reports. */
export const redisInfoCheck: Check<StoreContext> = {
  name: 'state of Redis',
  needs: ['redis'],
  kinds: [VERSION, EVICTION, EVICTION_LATER, EVICTED, MEMORY, PERSISTENCE, WRITE_FAILED, NO_INFO],
  async run({ redisInfo, config }) {
    const infos = await redisInfo();
    if (infos === undefined) return [finding(NO_INFO, 'The user of REDIS_URL may not run INFO.')];
    const found = infos.flatMap((info) => [
      ...versionFindings(info),
      ...evictionFindings(info, config.redisPolicy),
      ...memoryFindings(info),
      ...writeFindings(info),
    ]);
    // Masters of a cluster are usually alike: what is the same of all is reported once.
    return [...new Map(found.map((each) => [each.id + each.found, each])).values()];
  },
};

/** Valkey reports the version of Redis that it is compatible with. */
function versionFindings(info: ServerValues): DoctorFinding[] {
  const version = info.get('redis_version') ?? '';
  const found = `The server is ${version}; ${LEAST_VERSION} is needed at least.`;
  return findingIf(isOlder(version, LEAST_VERSION), VERSION, found);
}

function evictionFindings(info: ServerValues, known: string | undefined): DoctorFinding[] {
  const policy = info.get('maxmemory_policy') ?? known ?? 'unknown';
  const evicted = Number(info.get('evicted_keys') ?? 0);
  const evictsAll = policy.startsWith('allkeys-') && Number(info.get('maxmemory') ?? 0) > 0;
  const found = `maxmemory-policy is ${policy}, maxmemory is ${info.get('maxmemory') ?? 'unknown'}.`;
  return [
    ...findingIf(evictsAll, EVICTION, found),
    ...findingIf(!evictsAll && policy !== 'noeviction', EVICTION_LATER, found),
    ...findingIf(evicted > 0, EVICTED, `Redis has evicted ${evicted} keys since it started.`),
  ];
}

function memoryFindings(info: ServerValues): DoctorFinding[] {
  const [used, most] = [Number(info.get('used_memory')), Number(info.get('maxmemory'))];
  return findingIf(most > 0 && used >= most * MUCH, MEMORY, `${used} of ${most} bytes are in use.`);
}

function writeFindings(info: ServerValues): DoctorFinding[] {
  const failed = ['aof_last_write_status', 'aof_last_bgrewrite_status', 'rdb_last_bgsave_status'].filter(
    (name) => info.has(name) && info.get(name) !== 'ok',
  );
  return [
    ...findingIf(info.get('aof_enabled') === '0', PERSISTENCE, 'appendonly is no.'),
    ...findingIf(failed.length > 0, WRITE_FAILED, `Not ok: ${failed.join(', ')}.`),
  ];
}

/** How often Redis flushes what it has appended. */
export const redisFsyncCheck: Check<StoreContext> = {
  name: 'flushes of Redis',
  needs: ['redis'],
  kinds: [FSYNC],
  async run({ redis, redisInfo }) {
    const isOn = (await redisInfo())?.some((info) => info.get('aof_enabled') === '1') === true;
    const settings = isOn ? await readRedisSetting(redis, 'appendfsync') : [];
    const weaker = settings.find((fsync) => fsync !== 'always');
    return findingIf(weaker !== undefined, FSYNC, `appendfsync is ${weaker}.`);
  },
};

/** The clock of Redis against the clock of this process. */
export const redisClockCheck: Check<StoreContext> = {
  name: 'clock of Redis',
  needs: ['redis'],
  kinds: [CLOCK],
  async run({ redis, nowMs }) {
    const skew = await skewOf(async () => {
      const [seconds, micros] = await redis.time();
      return Number(seconds) * 1000 + Number(micros) / 1000;
    }, nowMs);
    return skew === undefined ? [] : [finding(CLOCK, `The clock of Redis ${skew}.`)];
  },
};
