import { runCommand } from '../cli/command-line.ts'

/** The `kinora` command: `npm run kinora -- <command>`, `npx kinora <command>`. */
process.exitCode = await runCommand(process.argv.slice(2))
