import { assumptions, readConstants, tables } from './scaling.ts'

/** Estimates the resources per number of concurrent viewers from the results of `npm run bench -- constants`. */
console.log(assumptions)
console.log(tables(readConstants()))
