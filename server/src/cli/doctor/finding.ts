/** What the doctor has found out about one thing. */
export interface Finding {
  about: string
  /** `bad` is to be mended; `note` is worth knowing. */
  state: 'good' | 'note' | 'bad'
  says: string
}

/** Takes a finding. */
export type Report = (about: string, state: Finding['state'], says: string) => void
