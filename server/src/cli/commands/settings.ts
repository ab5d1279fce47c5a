import { text as readAll } from 'node:stream/consumers'
import { SiteSettings } from '@kinora/contract/operations/site.ts'
import { Argument } from 'commander'
import { type CommandLine, UsageError, withContext } from '../command.ts'
import { facts } from '../output.ts'

const names = Object.keys(SiteSettings.shape)

export function addSettings({ group, command, respond }: CommandLine): void {
  const settings = group('settings', 'What administrators set for the site')
  command(settings, 'list', 'List the settings, and those that the environment sets').action(async () => {
    const value = await withContext(async ({ siteSettings }) => ({
      settings: await siteSettings.load(),
      fixed: siteSettings.fixed,
    }))
    const note = value.fixed.length > 0 ? `\n\nSet by the environment: ${value.fixed.join(', ')}` : ''
    respond({ text: facts(value.settings) + note, value })
  })

  command(settings, 'set', 'Change a setting; several values are lines of a text')
    .addArgument(new Argument('<name>', 'name of the setting').choices(names))
    .argument('[values...]', 'for example "#00697a", true, 30 or null; none for an empty text')
    .option('--stdin', 'read the value from standard input', false)
    .action(async (name: string, values: string[], { stdin }: { stdin: boolean }) => {
      if (stdin && values.length > 0) throw new UsageError('Name values, or --stdin.')
      const given = stdin ? await readAll(process.stdin) : values.join('\n')
      const [{ SiteSettingsChanges }, { changeSettings }, { parseInput }] = await Promise.all([
        import('@kinora/contract/operations/site.ts'),
        import('../../features/operations/site/actions.ts'),
        import('@kinora/platform/http/routing/parse-input.ts'),
      ])
      const value = await withContext(async (context) => {
        const changes = parseInput(SiteSettingsChanges, { [name]: valueOf(name, given) }, context.config)
        await changeSettings(context, null, changes)
        return context.siteSettings.current
      })
      respond({ text: `The setting ${name} is changed.`, value })
    })
}

/** The value of a text from the command line: the text where the setting takes it, otherwise what it says as JSON. */
function valueOf(name: string, text: string): unknown {
  const schema = Object.entries(SiteSettings.shape).find(([each]) => each === name)?.[1]
  if (schema?.safeParse(text).success) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
