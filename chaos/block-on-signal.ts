/** Preloaded by `--import`. SIGUSR2 blocks the event loop of a program for good. */
process.on('SIGUSR2', () => {
  for (;;) JSON.stringify('busy')
})
