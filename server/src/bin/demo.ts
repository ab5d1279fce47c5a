import { printProgress } from '../cli/output.ts'
import { ConfigError, readConfig } from '../context/config.ts'
import { createContext } from '../app/create-context.ts'
import { fillWithDemo } from '../demo/demo.ts'
import { findEmbedded } from '@kinora/platform/db/embedded/embedded.ts'
import { runProcess } from '../app/process.ts'

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
  const progress = printProgress()
  try {
    await fillWithDemo(context, progress, (sentence) => {
      progress.done()
      console.log(sentence)
    })
  } finally {
    progress.done()
    await context.close()
  }
}

await runProcess(demo)
