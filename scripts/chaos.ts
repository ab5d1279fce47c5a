import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runChaos } from '../chaos/chaos.ts'

/** `npm run test:chaos -- --faults 1000 --seed 7`: injects faults into a running site and reports violations of what it confirmed. */
const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    log: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    pause: { type: 'string', default: '1500' },
  },
})

const report = await runChaos({
  seed: values.seed,
  faults: Number(values.faults),
  pauseMs: Number(values.pause),
  maxSeconds: Number(values.minutes) * 60,
  report: (sentence) => console.log(sentence),
})
const { violations, log, faults, ...rest } = report
console.table(faults)
console.log(rest)
if (values.log) writeFileSync(values.log, log)
for (const violation of violations) console.log(`BROKEN: ${violation}`)
console.log(
  violations.length === 0 ? 'Every promise was kept.' : `${violations.length} promises were broken.`,
)
process.exitCode = violations.length === 0 ? 0 : 1
