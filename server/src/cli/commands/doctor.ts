import type { CommandLine } from '../command.ts'

export function addDoctor({ program, command, answer }: CommandLine): void {
  command(program, 'doctor', 'Check this machine and this site, and report problems').action(async () => {
    const { examine } = await import('../doctor.ts')
    const findings = await examine()
    const isBad = findings.some(({ state }) => state === 'bad')
    const signs = { good: '✓', note: '·', bad: '✗' }
    const lines = findings.map(({ about, state, says }) => `${signs[state]} ${about.padEnd(10)} ${says}`)
    lines.push(isBad ? 'Fix what is marked ✗.' : 'No problems found.')
    answer({ text: lines.join('\n'), value: { ok: !isBad, findings }, isBad })
  })
}
