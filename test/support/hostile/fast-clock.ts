/** How much faster time goes for a case that a limit of time has to end: a second passes in a tenth of it. */
const SPEED = 10;

/** A clock that can go faster, and never goes back. */
function createClock(real: () => number) {
  let speed = 1;
  let since = { real: real(), shown: real() };
  const shown = () => since.shown + (real() - since.real) * speed;
  return {
    shown,
    setSpeed(next: number) {
      since = { real: real(), shown: shown() };
      speed = next;
    },
  };
}

/** The real processor time of this process, in ms. */
export const realCpuMs = (() => {
  const cpuUsage = process.cpuUsage.bind(process);
  return () => {
    const { user, system } = cpuUsage();
    return (user + system) / 1000;
  };
})();

const time = createClock(performance.now.bind(performance));
const work = createClock(realCpuMs);
performance.now = time.shown;
process.cpuUsage = () => ({ user: work.shown() * 1000, system: 0 });

/**
 * Does `act` while the clocks that limits of time look at (src/platform/runtime/time-limit.ts) go faster. What is tested is that the
 * limit is looked at often enough; how long it is makes no difference to that.
 */
export async function withFastClocks<T>(act: () => Promise<T>): Promise<T> {
  for (const clock of [time, work]) clock.setSpeed(SPEED);
  try {
    return await act();
  } finally {
    for (const clock of [time, work]) clock.setSpeed(1);
  }
}
