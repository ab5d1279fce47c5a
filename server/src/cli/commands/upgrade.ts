import { readConfig } from '../../context/config.ts'
import type { CommandLine } from '../command.ts'
import { printProgress } from '../output.ts'

export function addUpgrade({ program, command, respond }: CommandLine): void {
  command(program, 'upgrade', 'Back up the database, then migrate it to this version')
    .option('--check', 'only say what it would do; ends with 1 while there is something to do', false)
    .addHelpText('after', '\nWhat a version changes for those who run it is in CHANGELOG.md.')
    .action(async ({ check }: { check: boolean }) => {
      const [{ withDatabase }, { listMissing, upgradeDatabase }] = await Promise.all([
        import('../site.ts'),
        import('../../features/operations/backups/actions/upgrade.ts'),
      ])
      const config = readConfig()
      if (check) {
        const missing = await withDatabase(config, listMissing)
        const text = missing.length === 0 ? upToDate : `It would apply ${missing.join(', ')}.`
        return respond({ text, value: { missing }, isBad: missing.length > 0 })
      }
      const progress = printProgress()
      const done = await withDatabase(config, (url) => upgradeDatabase(config, url, progress))
      progress.done()
      const kept = done.backup ? ` The database as it was: ${done.backup}` : ''
      const text = done.applied.length === 0 ? upToDate : `Applied ${done.applied.join(', ')}.${kept}`
      respond({ text, value: done })
    })
}

const upToDate = 'The database is up to date.'
