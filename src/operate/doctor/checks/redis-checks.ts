import type { Check, ServerValues, StoreContext } from '../check.js';
import { type DoctorFinding, finding, findingIf, type FindingKind } from '../finding.js';
import { readRedisSetting } from '../facts/redis-info.js';
import { skewOf } from '../skew.js';
import { isOlder } from '../version-number.js';

const VERSION: FindingKind = {
  id: 'redis.version',
  severity: 'error',
  why: 'The queues use commands that older servers do not support.',
  remedy: 'Upgrade to Redis 6.2 or later, or to Valkey.',
};
const EVICTION: FindingKind = {
  id: 'redis.eviction',
  severity: 'error',
  why: 'When memory is full, Redis evicts jobs. Webhook requests are therefore not spooled while MySQL is unreachable.',
  remedy: 'Set maxmemory-policy noeviction.',
};
const EVICTION_LATER: FindingKind = {
  id: 'redis.eviction-later',
  severity: 'warning',
  why: 'The policy evicts keys once maxmemory is set and reached.',
  remedy: 'Set maxmemory-policy noeviction.',
};
const EVICTED: FindingKind = {
  id: 'redis.evicted-keys',
  severity: 'warning',
  why: 'The evicted keys may include jobs, rate limits or spooled requests.',
  remedy: 'Set maxmemory-policy noeviction, and give Redis more memory. The relay recreates lost jobs.',
};
const MEMORY: FindingKind = {
  id: 'redis.memory',
  severity: 'warning',
  why: 'When memory is full, Redis rejects jobs. Work waits in MySQL, and nothing can be spooled.',
  remedy: 'Raise maxmemory, or find out which queue grows.',
};
const PERSISTENCE: FindingKind = {
  id: 'redis.persistence',
  severity: 'warning',
  why: 'A restart empties Redis, and spooled requests are lost.',
  remedy: 'Set appendonly yes.',
};
const FSYNC: FindingKind = {
  id: 'redis.fsync',
  severity: 'note',
  why: 'If the Redis machine fails, the most recently spooled requests are lost.',
  remedy: 'Set appendfsync always if the spool must survive a machine failure.',
};
const WRITE_FAILED: FindingKind = {
  id: 'redis.write-failed',
  severity: 'error',
  why: 'Redis could not persist to disk, and may reject all writes until it can.',
  remedy: 'Check the Redis log and its disk space.',
};
const NO_INFO: FindingKind = {
  id: 'redis.no-info',
  severity: 'warning',
  why: 'Without INFO, Fabula cannot detect evictions or restarts, so requests are not spooled.',
  remedy: 'Allow the user to run INFO, or set REDIS_POLICY=noeviction if that is the policy.',
};
const CLOCK: FindingKind = {
  id: 'redis.clock',
  severity: 'note',
  why: 'Times on the queue board and job ages are wrong by this much.',
  remedy: 'Synchronise the clocks of all machines (chrony, systemd-timesyncd).',
};

const LEAST_VERSION = '6.2';
/** Part of `maxmemory` from which it is reported. */
const MUCH = 0.8;

/** The facts that INFO reports. */
export const redisInfoCheck: Check<StoreContext> = {
  name: 'Redis state',
  needs: ['redis'],
  kinds: [VERSION, EVICTION, EVICTION_LATER, EVICTED, MEMORY, PERSISTENCE, WRITE_FAILED, NO_INFO],
  async run({ redisInfo, config }) {
    const infos = await redisInfo();
    if (infos === undefined) return [finding(NO_INFO, 'The user of REDIS_URL is not allowed to run INFO.')];
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
  const found = `The server version is ${version}; the minimum is ${LEAST_VERSION}.`;
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
    ...findingIf(failed.length > 0, WRITE_FAILED, `Failed: ${failed.join(', ')}.`),
  ];
}

/** How often Redis flushes what it has appended. */
export const redisFsyncCheck: Check<StoreContext> = {
  name: 'Redis fsync',
  needs: ['redis'],
  kinds: [FSYNC],
  async run({ redis, redisInfo }) {
    const isOn = (await redisInfo())?.some((info) => info.get('aof_enabled') === '1') === true;
    const settings = isOn ? await readRedisSetting(redis, 'appendfsync') : [];
    const weaker = settings.find((fsync) => fsync !== 'always');
    return findingIf(
      weaker !== undefined,
      FSYNC,
      `Redis writes to disk ${weaker === 'no' ? 'when the system does' : 'once a second'}, not with each change (appendfsync ${weaker}).`,
    );
  },
};

/** The clock of Redis against the clock of this process. */
export const redisClockCheck: Check<StoreContext> = {
  name: 'Redis clock',
  needs: ['redis'],
  kinds: [CLOCK],
  async run({ redis, nowMs }) {
    const skew = await skewOf(async () => {
      const [seconds, micros] = await redis.time();
      return Number(seconds) * 1000 + Number(micros) / 1000;
    }, nowMs);
    return skew === undefined ? [] : [finding(CLOCK, `The Redis clock ${skew}.`)];
  },
};
