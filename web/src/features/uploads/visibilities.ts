import type { UploadVisibility } from './transfer/upload-draft.ts'

/** The visibilities of an upload with their labels; a schedule is set in the studio. */
export const uploadVisibilities: [UploadVisibility, string][] = [
  ['public', 'Public: everybody'],
  ['unlisted', 'Unlisted: everybody with the link'],
  ['members', 'Members only: people who are signed in'],
  ['private', 'Private: only you'],
]

/** The visibility of a form value. */
export const visibilityOf = (value: string): UploadVisibility =>
  uploadVisibilities.find(([name]) => name === value)?.[0] ?? 'public'
