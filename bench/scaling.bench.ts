import { habits, readConstants, tables } from './scaling.ts'

/** Estimates the resources per number of concurrent viewers from the results of `npm run bench -- constants`. */
console.log(habits)
console.log(tables(readConstants()))
