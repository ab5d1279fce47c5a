import type { Report } from './finding.ts'

/** Checks the user of the system that this process runs as. */
export function checkUser(report: Report, uid = process.getuid?.()): void {
  if (uid === 0)
    report(
      'user.root',
      'note',
      'Kinora runs as root. Start it as a user of its own, so that a flaw in it does not open the whole machine (docs/operations/install.md).',
    )
  else report('user.own', 'good', 'Kinora does not run as root')
}
