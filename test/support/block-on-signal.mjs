// For processes of tests: SIGUSR2 blocks the event loop for good.
process.on('SIGUSR2', () => {
  for (;;);
});
