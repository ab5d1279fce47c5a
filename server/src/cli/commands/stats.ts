import { type CommandLine, withContext } from '../command.ts'
import { facts } from '../output.ts'

export function addStats({ program, command, answer }: CommandLine): void {
  command(program, 'stats', 'Count what the site holds').action(async () => {
    const { countAll } = await import('../queries.ts')
    const stats = await withContext(({ db, clock }) => countAll(db, clock.now()))
    answer({ text: facts(stats), value: stats })
  })
}
