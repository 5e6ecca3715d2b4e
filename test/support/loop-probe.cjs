// Required into a process under test: answers each message with what its event loop and its memory came to since the last one.
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { readFileSync } = require('node:fs');

const LOOK_EVERY_MS = 2;

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let peakRss = 0;
const look = () => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss());
};
setInterval(look, 5).unref();

let heldMs = 0;
let lastCpuMs = loopCpuMs();
const lookHeld = () => {
  const now = loopCpuMs();
  heldMs = Math.max(heldMs, now - lastCpuMs);
  lastCpuMs = now;
};
setInterval(lookHeld, LOOK_EVERY_MS).unref();

/** Processor time of the thread with the event loop, in ms; of all threads where the system does not tell. */
function loopCpuMs() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

process.on('message', (order) => {
  if (order !== 'probe') return;
  look();
  lookHeld();
  process.send({
    maxDelayMs: delay.max / 1e6,
    loopCpuMs: loopCpuMs(),
    heldMs,
    peakRss,
    rss: process.memoryUsage.rss(),
  });
  delay.reset();
  peakRss = 0;
  heldMs = 0;
});
