/**
 * How many times longer `work` takes for a text of twice the length, in processor time of this thread: about 2 where it is linear,
 * 4 where it is quadratic.
 */
export function growthOf(
  textOf: (length: number) => string,
  work: (text: string) => unknown,
  length: number,
): number {
  const [once = 0, twice = 0] = [length, 2 * length].map((each) => bestOfThree(textOf(each), work))
  // Below, the clock is too coarse, and nobody notices.
  return twice / Math.max(once, 3000)
}

function bestOfThree(text: string, work: (text: string) => unknown): number {
  const times = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage().user
    work(text)
    return process.threadCpuUsage().user - before
  })
  return Math.min(...times)
}
