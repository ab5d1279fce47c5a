import type { Finding } from '@kinora/contract/operations/health.ts'

/** Records a finding. `code` is the subject and what was found about it, such as `disk.low`. */
export type Report = (code: string, state: Finding['state'], message: string) => void

/** Collects findings. */
export function collectFindings(): { findings: Finding[]; report: Report } {
  const findings: Finding[] = []
  return {
    findings,
    report: (code, state, message) =>
      void findings.push({ subject: code.replace(/\..*/, ''), code, state, message }),
  }
}
