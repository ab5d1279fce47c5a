/** Result of one check. */
export interface Finding {
  subject: string
  /** `bad`: must be fixed. `note`: informs, e.g. about a default. */
  state: 'good' | 'note' | 'bad'
  message: string
}

/** Records a finding. */
export type Report = (subject: string, state: Finding['state'], message: string) => void
