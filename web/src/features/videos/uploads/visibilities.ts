import type { UploadVisibility } from './transfer/upload-draft.ts'

/** The visibilities of an upload, the default first; a schedule is set in the studio. */
export const uploadVisibilities = [
  'public',
  'unlisted',
  'members',
  'private',
] as const satisfies UploadVisibility[]

/** The visibility of a form value. */
export const visibilityOf = (value: string): UploadVisibility =>
  uploadVisibilities.find((name) => name === value) ?? 'public'
