import type { Check, EnvironmentContext, HostContext, StoreContext } from './check.js';
import { archiveCheck } from './checks/archive-check.js';
import {
  characterSetCheck,
  clockCheck,
  connectionCheck,
  migrationCheck,
  versionCheck,
} from './checks/database/database-checks.js';
import { credentialCheck } from './checks/credential-check.js';
import { databaseHostsCheck } from './checks/database/database-hosts-check.js';
import { databaseReaderCheck } from './checks/database/database-reader-check.js';
import { databaseRightsCheck } from './checks/database/database-rights-check.js';
import {
  flushCheck,
  isolationCheck,
  packetCheck,
  replicationCheck,
} from './checks/database/database-setting-checks.js';
import { deadSpaceCheck } from './checks/database/dead-space-check.js';
import { diskCheck } from './checks/disk-check.js';
import { keyCheck } from './checks/key-check.js';
import { dnsCheck, mailCheck, proxyCheck } from './checks/outbound-checks.js';
import { publicUrlCheck } from './checks/public-url-check.js';
import { redisClockCheck, redisFsyncCheck, redisInfoCheck } from './checks/redis-checks.js';
import { redisRightsCheck } from './checks/redis-rights-check.js';
import { secretCheck } from './checks/secret-check.js';
import { settingCheck } from './checks/setting-checks.js';
import { spoolCheck } from './checks/spool-check.js';
import { addressCheck, proxyVariableCheck, unknownVariableCheck } from './checks/variable-checks.js';
import { deadLetterCheck, lagCheck, processCheck, queueCheck } from './checks/work-checks.js';

/** THE list of checks that look at the stores and the work in them: for owners too. */
export const STORE_CHECKS: readonly Check<StoreContext>[] = [
  versionCheck,
  isolationCheck,
  flushCheck,
  replicationCheck,
  packetCheck,
  characterSetCheck,
  migrationCheck,
  databaseRightsCheck,
  clockCheck,
  connectionCheck,
  deadSpaceCheck,
  redisInfoCheck,
  redisFsyncCheck,
  redisRightsCheck,
  redisClockCheck,
  queueCheck,
  lagCheck,
  deadLetterCheck,
  credentialCheck,
  archiveCheck,
  processCheck,
  spoolCheck,
  keyCheck,
];

/** THE list of checks that need no more than the environment: they run even if the configuration cannot be read. */
export const ENVIRONMENT_CHECKS: readonly Check<EnvironmentContext>[] = [unknownVariableCheck, addressCheck];

/** THE list of checks that look at this machine and its configuration: for those with access to it. */
export const HOST_CHECKS: readonly Check<HostContext>[] = [
  ...ENVIRONMENT_CHECKS,
  proxyVariableCheck,
  settingCheck,
  secretCheck,
  dnsCheck,
  databaseHostsCheck,
  databaseReaderCheck,
  proxyCheck,
  mailCheck,
  publicUrlCheck,
  diskCheck,
];
