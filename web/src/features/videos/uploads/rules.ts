import { dateLocale, pageLanguage } from '../../../lib/i18n/language.ts'
import { plural, t } from '@lingui/core/macro'
import type { UploadQuota } from '@kinora/contract/videos/uploads.ts'
import { formatSizeLimit, type PublicSettings } from '@kinora/contract/settings.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { settings } from '../../../lib/settings.ts'
import { lengthError as textLengthError, textError } from '../../../lib/forms/text-error.ts'
import { thumbnailError, videoError } from './accepted-files.ts'
import { lengthError } from './video-length.ts'
import type { UploadDraft, UploadVisibility } from './transfer/upload-draft.ts'

/** The form as it was filled in; the files may be missing. */
export type UploadForm = {
  title: string
  description: string
  keepsMetadata: boolean
  visibility: UploadVisibility
  video: File | undefined
  thumbnail: File | undefined
}

export type UploadErrors = Partial<Record<keyof UploadForm, string>>

/** Validates the form: errors by field, or the draft to send. */
export async function checkUpload(
  form: UploadForm,
  quotaVideoMinutes?: number | null,
): Promise<{ draft: UploadDraft; errors?: undefined } | { draft?: undefined; errors: UploadErrors }> {
  const { video, thumbnail } = form
  const errors: UploadErrors = textErrors(form, { isDescriptionRequired: true })
  const wrongVideo = video
    ? ((await videoError(video)) ??
      sizeError(video, settings.uploadMaxBytes) ??
      (await lengthError(video, quotaVideoMinutes)))
    : t`Video is required`
  if (wrongVideo) errors.video = wrongVideo
  const wrongThumbnail = thumbnail
    ? (thumbnailError(thumbnail) ?? sizeError(thumbnail, settings.pictureMaxBytes))
    : t`Thumbnail is required`
  if (wrongThumbnail) errors.thumbnail = wrongThumbnail
  if (!video || !thumbnail || Object.keys(errors).length > 0) return { errors }
  return {
    draft: {
      title: form.title.trim(),
      description: form.description.trim(),
      keepsMetadata: form.keepsMetadata,
      visibility: form.visibility,
      video,
      thumbnail,
    },
  }
}

/** Checked before sending, which may take hours. */
export function sizeError(file: File, maxBytes: number): string | undefined {
  const limit = formatSizeLimit(maxBytes)
  return file.size > maxBytes ? t`The file is too large: at most ${limit}` : undefined
}

/** Validation errors of title and description. The upload dialog requires both, the studio only a title. */
export function textErrors(
  form: { title: string; description: string },
  { isDescriptionRequired }: { isDescriptionRequired: boolean },
): Pick<UploadErrors, 'title' | 'description'> {
  const title = textError(t`Title`, form.title, settings.titleMaxCharacters)
  const check = isDescriptionRequired ? textError : textLengthError
  const description = check(t`Description`, form.description, settings.descriptionMaxCharacters)
  return { ...(title && { title }), ...(description && { description }) }
}

type Total = Pick<PublicSettings, 'quotaBytes' | 'quotaVideos' | 'quotaHours'>
type Quota = Total & Pick<PublicSettings, 'quotaDailyBytes' | 'quotaVideoMinutes'>

const timeFormat = new Intl.DateTimeFormat(dateLocale, {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** The quota of an account as sentences; undefined without a limit. */
export function describeQuota(quota: Quota): string | undefined {
  const { quotaDailyBytes, quotaVideoMinutes } = quota
  const total = amountsOf(quota)
  return sentences(
    total && t`Each account may publish ${total} in total.`,
    quotaDailyBytes && t`Each account may upload ${formatBytes(quotaDailyBytes)} within 24 hours.`,
    quotaVideoMinutes && describeLength(quotaVideoMinutes),
  )
}

/** Quota and usage of the signed-in user, as sentences; undefined without a limit. */
export function describeOwnQuota(own: UploadQuota): string | undefined {
  const { usedBytes, usedVideos, usedHours, quotaDailyBytes, quotaVideoMinutes } = own
  const limits = amountsOf(own)
  const usedOf = (quota: number | null, used: number) => (quota === null ? null : used)
  const used = amountsOf({
    quotaBytes: usedOf(own.quotaBytes, usedBytes),
    quotaVideos: usedOf(own.quotaVideos, usedVideos),
    quotaHours: usedOf(own.quotaHours, Math.round(usedHours * 10) / 10),
  })
  return sentences(
    limits && used && t`You may publish ${limits} in total. You have published ${used}.`,
    quotaDailyBytes !== null && describeDay(quotaDailyBytes, own),
    quotaVideoMinutes !== null && describeLength(quotaVideoMinutes),
  )
}

function describeDay(quotaBytes: number, { usedDailyBytes, dailyBytesFreeAt }: UploadQuota): string {
  const left = formatBytes(Math.max(0, quotaBytes - usedDailyBytes))
  const more = dailyBytesFreeAt ? t`, more from ${timeFormat.format(new Date(dailyBytesFreeAt))}` : ''
  return t`You may upload ${formatBytes(quotaBytes)} within 24 hours: ${left} left${more}.`
}

const describeLength = (minutes: number) =>
  plural(minutes, {
    one: `A video may be up to # minute long.`,
    other: `A video may be up to # minutes long.`,
  })

const sentences = (...parts: (string | number | false | null | undefined)[]) =>
  parts.filter(Boolean).join(' ') || undefined

function amountsOf({ quotaBytes, quotaVideos, quotaHours }: Total): string | undefined {
  const limits = [
    ...(quotaVideos === null ? [] : [plural(quotaVideos, { one: '# video', other: '# videos' })]),
    ...(quotaHours === null ? [] : [plural(quotaHours, { one: '# hour', other: '# hours' })]),
    ...(quotaBytes === null ? [] : [formatBytes(quotaBytes)]),
  ]
  return limits.length === 0
    ? undefined
    : new Intl.ListFormat(pageLanguage, { type: 'conjunction' }).format(limits)
}
