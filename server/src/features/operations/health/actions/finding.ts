import type { Finding } from '@kinora/contract/operations/health.ts'

/** Records a finding. */
export type Report = (subject: string, state: Finding['state'], message: string) => void

/** Collects findings. */
export function collectFindings(): { findings: Finding[]; report: Report } {
  const findings: Finding[] = []
  return {
    findings,
    report: (subject, state, message) => void findings.push({ subject, state, message }),
  }
}
