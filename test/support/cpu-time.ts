/** Returns the processor time, in ms, that this process used while `work` ran: a busy machine does not lengthen it. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return cpuMsSince(before);
}

/** Like `cpuMsOf`, for work that awaits nothing. */
export function cpuMsOfSync(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return cpuMsSince(before);
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
