import type { DetailedOwnVideo } from '@kinora/contract/videos/studio.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { loadDraft, saveDraft } from '../../../lib/forms/drafts.ts'
import { localTime } from '../../../lib/forms/local-time.ts'

const checkboxes = [
  'commentsAllowed',
  'commentsHeld',
  'downloadsAllowed',
  'isSensitive',
  'isPremiere',
] as const
const names = [
  'title',
  'description',
  'tags',
  'category',
  'language',
  'licence',
  'visibility',
  'publishAt',
  'viewers',
  'sensitiveReason',
  ...checkboxes,
] as const

/** The fields of the form as texts; a checked box is "on". */
export type DetailsValues = Record<(typeof names)[number], string>

/** The fields as they are saved. */
export function savedValues(video: DetailedOwnVideo): DetailsValues {
  const checked = (isChecked: boolean) => (isChecked ? 'on' : '')
  return {
    title: video.title,
    // as a text area has it
    description: video.description.replaceAll('\r\n', '\n'),
    tags: video.tags.join(', '),
    category: video.category ?? '',
    language: video.language ?? '',
    licence: video.licence ?? '',
    visibility: video.heldVisibility ?? video.visibility,
    publishAt: video.publishAt === null ? '' : localTime(new Date(video.publishAt)),
    viewers: video.viewers.map(({ username }) => username).join(', '),
    commentsAllowed: checked(video.commentsAllowed),
    commentsHeld: checked(video.commentsHeld),
    downloadsAllowed: checked(video.downloadsAllowed),
    isPremiere: checked(video.publishAt !== null && video.publishAt === video.premiereAt),
    isSensitive: checked(video.sensitive !== undefined),
    sensitiveReason: video.sensitive?.reason ?? '',
  }
}

/** The fields of a form that differ from what is saved. Fields that the form does not show are unchanged. */
export function changedValues(saved: DetailsValues, fields: FormData): Partial<DetailsValues> {
  const isCheckbox = (name: string) => checkboxes.some((each) => each === name)
  const changed = names.filter(
    (name) => (fields.has(name) || isCheckbox(name)) && textOf(fields, name) !== saved[name],
  )
  return Object.fromEntries(changed.map((name) => [name, textOf(fields, name)]))
}

const keyOf = (videoId: string) => `video.${videoId}`

/** Changes that this browser keeps until they are saved or discarded, and that are not saved meanwhile. */
export function loadDetailsDraft(videoId: string, saved: DetailsValues): Partial<DetailsValues> {
  const draft = parse(loadDraft(keyOf(videoId), 'browser'))
  const changed = names.filter((name) => typeof draft[name] === 'string' && draft[name] !== saved[name])
  return Object.fromEntries(changed.map((name) => [name, draft[name]]))
}

/** Keeps changes; none forget the draft. */
export function saveDetailsDraft(videoId: string, changed: Partial<DetailsValues>): void {
  saveDraft(keyOf(videoId), Object.keys(changed).length === 0 ? '' : JSON.stringify(changed), 'browser')
}

function parse(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    // No draft, or one that was not stored completely.
    return {}
  }
}
