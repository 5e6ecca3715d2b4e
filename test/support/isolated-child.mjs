// Speaks as a process that runs jobs alone does. What becomes of a job is in its number: see test/system/isolated-runner.test.ts.
let heard = 0;
process.on('disconnect', () => process.exit(0));
process.on('message', (order) => {
  const deliveryId = order.job?.deliveryId;
  if (order.kind === 'stop') process.send({ kind: 'undone', error: order.reason });
  if (deliveryId === 1)
    process.send({ kind: 'ended', summary: { outcome: 'done', agent: String(process.pid) } });
  if (deliveryId === 2) process.kill(process.pid, 'SIGKILL');
  if (deliveryId === 5) process.send({ kind: 'ended', summary: { outcome: 'done', agent: String(heard) } });
  if (deliveryId === 3) process.send({ kind: 'undone', error: 'the database is away' });
});
process.on('SIGUSR2', () => (heard += 1));
process.send({ kind: 'ready' });
