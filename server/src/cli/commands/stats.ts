import { type CommandLine, withContext } from '../command.ts'
import { facts } from '../output.ts'

export function addStats({ program, command, respond }: CommandLine): void {
  command(program, 'stats', 'Count what the site holds').action(async () => {
    const { countContent } = await import('../../features/operations/administration/queries.ts')
    const stats = await withContext(({ db, clock }) => countContent(db, clock.now()))
    respond({ text: facts(stats), value: stats })
  })
}
