import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Estimates the resources for a number of concurrent viewers from the results of `npm run bench -- constants`. A test
 * compares the tables with `docs/operations/scaling.md`.
 */
export interface Constants {
  facts: Record<string, number>
  rows: { question: string; 'web, CPU µs': number; 'PostgreSQL, CPU µs': number; bytes: number }[]
}

/** Assumptions about viewers, which are not measured. Adapt them to your site. */
export const assumptions = {
  /** Average bit rate of a viewer: 720p. */
  bitsPerSecond: 2_500_000,
  videosPerHour: 6,
  /** Share of signed-in viewers, whose positions are saved every ten seconds. */
  signedInShare: 0.3,
  /** Hours of video uploaded while one hour is watched by one viewer: large sites see about one in a thousand. */
  uploadedPerWatched: 0.001,
  /** Hit ratio of a CDN, if there is one. */
  cdnShare: 0.95,
}

const segmentSeconds = 4
/** Target CPU utilization, which leaves room for peaks. */
const targetUtilization = 0.6
const coresPerMachine = 8
const gigabitsPerMachine = 10

interface Step {
  viewers: number
  'media, Gbit/s': number
  'requests/s': number
  'writes/s': number
  'web, cores': number
  'PostgreSQL, cores': number
  'workers, cores': number
  'sources, TB a year': number
  'rows a year, million': number
  'web machines': number
  'worker machines': number
  'fills first': string
}

/** Returns the resources for a number of concurrent viewers. */
export function estimate({ facts, rows }: Constants, viewers: number, hasCdn: boolean): Step {
  const cost = (question: string) => {
    const found = rows.find((row) => row.question === question)
    if (!found) throw new Error(`Not measured: ${question}`)
    return found
  }
  const perSecond = (timesPerHour: number) => (viewers * timesPerHour) / 3600
  const mediaShare = hasCdn ? 1 - assumptions.cdnShare : 1
  const { videosPerHour } = assumptions
  // video and audio segments of four seconds; playlists and thumbnails of each video
  const calls: [question: string, perSecond: number][] = [
    ['segment of 720p, made', perSecond(2 * (3600 / segmentSeconds)) * mediaShare],
    ['playlist', perSecond(3 * videosPerHour) * mediaShare],
    ['thumbnail', perSecond(12 * videosPerHour) * mediaShare],
    ['page of a video', perSecond(videosPerHour)],
    ['video', perSecond(2 * videosPerHour)],
    ['comments', perSecond(videosPerHour)],
    ['search', perSecond(videosPerHour)],
    ['view', perSecond(videosPerHour)],
    // saving a position is a small write, like counting a view
    ['view', perSecond(360 * assumptions.signedInShare)],
  ]
  const cores = (column: 'web, CPU µs' | 'PostgreSQL, CPU µs') =>
    calls.reduce((sum, [question, rate]) => sum + (cost(question)[column] * rate) / 1e6, 0)
  const writes = perSecond(videosPerHour + 360 * assumptions.signedInShare)
  const uploadedHoursPerHour = viewers * assumptions.uploadedPerWatched
  const hoursOfYear = 365 * 24
  // a day is busy for a third of its hours
  const busyShare = 1 / 3
  const gigabits = (viewers * assumptions.bitsPerSecond * mediaShare) / 1e9
  const web = cores('web, CPU µs')
  const database = cores('PostgreSQL, CPU µs')
  const workers =
    ((facts['ffmpeg, CPU s per s'] ?? 0) + (facts['worker, CPU s per s'] ?? 0)) * uploadedHoursPerHour
  const usableCores = targetUtilization * coresPerMachine
  const loads: [string, number][] = [
    ['network', gigabits / gigabitsPerMachine],
    ['web', web / usableCores],
    ['PostgreSQL', database / usableCores],
    ['workers', workers / usableCores],
  ]
  const [first] = loads.toSorted((a, b) => b[1] - a[1])
  return {
    viewers,
    'media, Gbit/s': round(gigabits),
    'requests/s': Math.round(calls.reduce((sum, [, rate]) => sum + rate, 0)),
    'writes/s': Math.round(writes),
    'web, cores': round(web),
    'PostgreSQL, cores': round(database),
    'workers, cores': round(workers),
    'sources, TB a year': round((uploadedHoursPerHour * hoursOfYear * busyShare * 3600 * 500_000) / 1e12),
    'rows a year, million': Math.round(
      (viewers * videosPerHour * assumptions.signedInShare * hoursOfYear * busyShare) / 1e6,
    ),
    'web machines': Math.ceil(Math.max(web / usableCores, gigabits / gigabitsPerMachine)),
    'worker machines': Math.ceil(workers / usableCores),
    'fills first': first?.[0] ?? '',
  }
}

/** Returns both tables in the Markdown of `docs/operations/scaling.md`. */
export function tables(constants: Constants): string {
  return [false, true]
    .map((hasCdn) => {
      const steps = [100, 1000, 10_000, 100_000, 1_000_000].map((viewers) =>
        estimate(constants, viewers, hasCdn),
      )
      const names = Object.keys(steps[0] ?? {}) as (keyof Step)[]
      const lines = names.map((name) => `| ${[name, ...steps.map((step) => text(step[name]))].join(' | ')} |`)
      const [head = '', ...rest] = lines
      return [hasCdn ? 'With a CDN:' : 'Without a CDN:', '', head, `|${' --- |'.repeat(6)}`, ...rest].join(
        '\n',
      )
    })
    .join('\n\n')
}

const round = (value: number) => (value >= 10 ? Math.round(value) : Math.round(value * 100) / 100)
const text = (value: string | number) => (typeof value === 'number' ? value.toLocaleString('en') : value)

/** Throws the error of the file system if `npm run bench -- constants` has not been run. */
export function readConstants(): Constants {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'results/constants.json'), 'utf8')) as Constants
}
