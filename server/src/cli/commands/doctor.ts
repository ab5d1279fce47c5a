import type { CommandLine } from '../command.ts'

export function addDoctor({ program, command, answer }: CommandLine): void {
  command(program, 'doctor', 'Say in plain words what is wrong with this machine or this site').action(
    async () => {
      const { examine } = await import('../doctor.ts')
      const findings = await examine()
      const isBad = findings.some(({ state }) => state === 'bad')
      const signs = { good: '✓', note: '·', bad: '✗' }
      const lines = findings.map(({ about, state, says }) => `${signs[state]} ${about.padEnd(10)} ${says}`)
      lines.push(isBad ? 'What is marked ✗ is to be mended.' : 'All is well.')
      answer({ text: lines.join('\n'), value: { ok: !isBad, findings }, isBad })
    },
  )
}
