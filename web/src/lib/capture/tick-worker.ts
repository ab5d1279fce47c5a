/** Timers of pages in the background run once a second. Those of workers do not, so they set the pace of a recording. */
let timer: ReturnType<typeof setInterval> | undefined

addEventListener('message', ({ data: intervalMs }: MessageEvent<number>) => {
  clearInterval(timer)
  timer = setInterval(() => postMessage(null), intervalMs)
})
