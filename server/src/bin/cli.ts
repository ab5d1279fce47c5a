import { runCommand } from '../cli/command-line.ts'

// The reader of a pipe, such as `head`, may end first. The command continues, and its exit code says how it ended.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

/** The `kinora` command: `bin/kinora <command>`. */
process.exitCode = await runCommand(process.argv.slice(2))
