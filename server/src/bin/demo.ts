import { ConfigError, readConfig } from '../config.ts'
import { createContext } from '../create-context.ts'
import { fillWithDemo } from '../demo/demo.ts'
import { findEmbedded } from '../platform/db/embedded/embedded.ts'
import { runProcess } from '../process.ts'

/** On anything but a terminal, only every twentieth count is printed. */
const countStep = 20

/** Fills the site that runs on DATA_DIR, or at DATABASE_URL, with demo content. */
async function demo(): Promise<void> {
  const config = readConfig()
  const url = config.databaseUrl ?? (await findEmbedded(config.dataDir))
  if (!url)
    throw new ConfigError(
      `No site runs on ${config.dataDir}: start it first (\`npm start\`), and give \`npm run demo\` the same DATA_DIR.`,
    )
  const context = await createContext({ ...config, logLevel: 'warn' }, url, 'cli')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  try {
    await fillWithDemo(context, printProgress)
  } finally {
    await context.close()
  }
}

/** Lines that end with "n of m" overwrite each other on a terminal. */
function printProgress(line: string): void {
  const [, done, total] = / (\d+) of (\d+)$/.exec(line) ?? []
  const isLast = done === total
  if (done === undefined) console.log(line)
  else if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}${isLast ? '\n' : ''}`)
  else if (Number(done) % countStep === 0 || isLast) console.log(line)
}

await runProcess(demo)
