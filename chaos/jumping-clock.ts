import { readFileSync } from 'node:fs'

/**
 * Preloaded by `--import`. Shifts the wall clock of a program by the milliseconds in the file `KINORA_CLOCK_FILE`. The
 * monotonic clock does not change, as when the clock of a machine is set.
 */
const file = process.env['KINORA_CLOCK_FILE'] ?? ''
const pollEveryMs = 100

const machineNow = Date.now
let offsetMs = 0
const check = () => {
  // an empty file is being written
  offsetMs = Number(readFileSync(file, 'utf8')) || offsetMs
}
check()
setInterval(check, pollEveryMs).unref()

Date.now = () => machineNow() + offsetMs
globalThis.Date = new Proxy(Date, {
  construct: (target, args: [], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget) as Date,
  apply: (target) => new target(target.now()).toString(),
})
