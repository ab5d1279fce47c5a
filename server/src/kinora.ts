import { runCommand } from './cli/command-line.ts'

/** The operator's commands: `npm run kinora -- <command>`, `npx kinora <command>`. */
process.exitCode = await runCommand(process.argv.slice(2))
