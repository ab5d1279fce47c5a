import { measureFirstFrames } from './segments/first-frames.ts'
import { removeClips } from './segments/clips.ts'
import { measureFirstSegments } from './segments/first-segments.ts'
import type { Goal, Part } from './segments/goals.ts'
import { measureLadder } from './segments/ladder.ts'
import { measureStored } from './segments/stored.ts'
import { measureWaits } from './segments/waits.ts'
import { measureWorkers } from './segments/workers.ts'
import { report } from './report.ts'

/**
 * Time to the first frame, cost of segments, and wait times. `npm run bench -- segments` runs everything in less than
 * ten minutes on two cores; `npm run bench -- segments wait ladder` runs a part.
 */
const parts: Record<string, Part> = {
  begin: measureFirstFrames,
  'first-segment': measureFirstSegments,
  ladder: measureLadder,
  wait: measureWaits,
  workers: measureWorkers,
  stored: measureStored,
}

const selected = process.argv.slice(3)
const unknown = selected.filter((name) => !(name in parts))
if (unknown.length > 0) throw new Error(`Unknown parts: ${unknown}. Choose from ${Object.keys(parts)}.`)

const goals: Goal[] = []
const beganAt = performance.now()
const secondsSince = (startedAt: number) => Math.round((performance.now() - startedAt) / 1000)
try {
  for (const [name, measure] of Object.entries(parts)) {
    if (selected.length > 0 && !selected.includes(name)) continue
    const startedAt = performance.now()
    console.log(`\n${name}`)
    const { rows, goals: found } = await measure()
    report(`segments-${name}`, { seconds: secondsSince(startedAt) }, rows)
    goals.push(...found)
  }
} finally {
  removeClips()
}
if (selected.length === 0) report('segments', { seconds: secondsSince(beganAt) }, goals)
else console.table(goals)
