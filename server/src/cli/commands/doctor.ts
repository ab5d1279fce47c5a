import type { CommandLine } from '../command.ts'

export function addDoctor({ program, command, respond }: CommandLine): void {
  command(program, 'doctor', 'Check this machine and this site, and report problems').action(async () => {
    const { examine } = await import('../doctor.ts')
    const findings = await examine()
    const isBad = findings.some(({ state }) => state === 'bad')
    const signs = { good: '✓', note: '·', bad: '✗' }
    const lines = findings.map(
      ({ subject, state, message }) => `${signs[state]} ${subject.padEnd(10)} ${message}`,
    )
    lines.push(isBad ? 'Fix what is marked ✗.' : 'No problems found.')
    respond({ text: lines.join('\n'), value: { ok: !isBad, findings }, isBad })
  })
}
