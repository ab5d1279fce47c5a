import type { ReportKind } from '@kinora/contract/constants.ts'
import { createContext } from 'react'

/** A video, comment, channel or clip that can be reported. */
export interface Reportable {
  kind: ReportKind
  subjectId: string
}

/** Offers to report something to the moderators; null for visitors, who cannot. */
export const ReportContext = createContext<((subject: Reportable) => void) | null>(null)
