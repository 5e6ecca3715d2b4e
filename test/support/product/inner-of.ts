import type { Inner } from './inner.js';
import { Cancellation, type WorkerServices } from './sources.js';

/** Returns what tests do inside these workers. */
export function innerOf(workers: WorkerServices): Inner {
  const { credentials, quotas } = workers;
  return {
    setCredential: (...given) => credentials.set(...given),
    credentialValues: (teamId) => credentials.listValues(teamId),
    referenceOf: async (owner) => credentials.signer().sign(owner),
    resourceValues: (teamId, isTest) => workers.resources.listValues(teamId, isTest),
    async resourcesSeenBy(teamId) {
      const needs = { resources: true, credentials: false, stories: false };
      return Object.fromEntries((await workers.values.load(teamId, needs)).resources);
    },
    useProcessor: async (tenantId, cpuMs) => quotas.add(tenantId, { cpuMs }),
    requireMail: async (tenantId) => quotas.requireMail(tenantId),
    runDelivery: (job) => workers.runDelivery(job, new Cancellation()),
    async storyKnown(storyId) {
      const known = await workers.graphs.find(storyId);
      if (known === undefined) return null;
      const { disabled, sendToStoryEnabled, agents } = known;
      return { disabled, sendToStoryEnabled: sendToStoryEnabled === true, agents: agents.size };
    },
    indexesValues: async () => workers.loops.valueIndexer !== undefined,
    sweepParked: () => workers.loops.parkedSweeper.tick(),
    startDue: () => workers.loops.scheduler.tick(),
  };
}
