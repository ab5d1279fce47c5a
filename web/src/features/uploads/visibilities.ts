import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { UploadVisibility } from './transfer/upload-draft.ts'

/** The visibilities of an upload with their labels; a schedule is set in the studio. */
export const uploadVisibilities: [UploadVisibility, MessageDescriptor][] = [
  ['public', msg`Public: everybody`],
  ['unlisted', msg`Unlisted: everybody with the link`],
  ['members', msg`Members only: people who are signed in`],
  ['private', msg`Private: only you`],
]

/** The visibility of a form value. */
export const visibilityOf = (value: string): UploadVisibility =>
  uploadVisibilities.find(([name]) => name === value)?.[0] ?? 'public'
