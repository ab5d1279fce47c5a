import { readFileSync } from 'node:fs'

/**
 * Loaded before a program (`--import`), makes its clock jump: the time of day differs from the machine's by as many
 * milliseconds as the file `KINORA_CLOCK_FILE` says at the moment. What only measures how long things take stays right,
 * as it does when somebody sets a machine's clock.
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
