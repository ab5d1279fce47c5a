import { habits, readConstants, tables } from './scaling.ts'

/** What does a site need for so many people who watch at once? Reckoned from what `npm run bench -- constants` measured. */
console.log(habits)
console.log(tables(readConstants()))
