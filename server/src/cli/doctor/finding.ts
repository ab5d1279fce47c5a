/** What the doctor has found out about one thing. */
export interface Finding {
  about: string
  /** `bad`: must be fixed. `note`: informs, e.g. about a default. */
  state: 'good' | 'note' | 'bad'
  says: string
}

/** Takes a finding. */
export type Report = (about: string, state: Finding['state'], says: string) => void
