import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { listFormats } from '@kinora/contract/videos/format-details.ts'
import { announceUpload } from '@kinora/contract/videos/uploads.ts'
import type { Video } from '@kinora/contract/videos/videos.ts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { pageLanguage } from '../../../lib/i18n/language.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { fileOf, textOf } from '../../../lib/forms/form-fields.ts'
import { settings } from '../../../lib/settings.ts'
import { useInitialFocus } from '../../../lib/forms/use-initial-focus.ts'
import { visibilityChoices } from '../../../lib/visibility-labels.ts'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field, TextArea } from '../../../ui/forms/field.tsx'
import { FileField } from '../../../ui/forms/file-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { thumbnailError } from './accepted-files.ts'
import { accept } from './accepted-types.ts'
import { findRefusal } from './file-refusal.ts'
import { uploadQuotaQuery } from './api.ts'
import { VideoFrameButton } from './video-frame-button.tsx'
import { OtherFormatHelp } from './other-format-help.tsx'
import { QuotaNote } from './quota-note.tsx'
import { checkUpload, type UploadErrors } from './rules.ts'
import styles from './upload-form.module.css'
import { titleOf } from './title-of.ts'
import { captureFrame } from './video-frame.ts'
import { sendUpload } from './transfer/send-upload.ts'
import { UploadProgressBar } from './upload-progress-bar.tsx'
import { useUpload } from './use-upload.ts'
import { uploadVisibilities, visibilityOf } from './visibilities.ts'

/** Position of the suggested frame, as a fraction of the duration. The first frame is often black. */
const FRAME_SHARE = 0.3

/** Upload form with its progress. Unmounting it aborts a running upload. */
export function UploadForm({ onDone, onCancel }: { onDone: (video: Video) => void; onCancel: () => void }) {
  const { data: { quotaVideoMinutes } = settings } = useQuery(uploadQuotaQuery())
  const { state, start, forgetFailure } = useUpload(onDone)
  const [errors, setErrors] = useState<UploadErrors>({})
  const [isOtherFormat, setOtherFormat] = useState(false)
  const [video, setVideo] = useState<File>()
  const formElement = useInitialFocus()
  const cancelButton = useRef<HTMLButtonElement>(null)
  const uploadButton = useRef<HTMLButtonElement>(null)
  const isChecking = useRef(false)
  const isAnnounced = useRef(false)
  /** The latest file: reading an earlier one may finish later. */
  const picked = useRef<File>(undefined)
  const suggestedTitle = useRef('')
  const isSuggesting = useRef(false)
  /** Whether the thumbnail is chosen, and not a suggestion. */
  const hasOwnThumbnail = useRef(false)
  const isUploading = state.phase === 'uploading'

  // Disabled controls lose the focus: it moves to Cancel, and back after a failure.
  useEffect(() => {
    if (state.phase === 'uploading') cancelButton.current?.focus()
    if (state.phase === 'failed') uploadButton.current?.focus()
  }, [state.phase])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // A second press may arrive before the first one is rendered.
    if (isUploading || isChecking.current) return
    isChecking.current = true
    const form = event.currentTarget
    const checked = await checkUpload(readForm(form), quotaVideoMinutes)
    isChecking.current = false
    setErrors(checked.errors ?? {})
    const { draft } = checked
    if (draft) await start((options) => sendUpload(draft, options), draft.video.size + draft.thumbnail.size)
    else focusFirstInvalid(form, checked.errors)
  }

  async function pickVideo(file: File | undefined, isByHand: boolean) {
    forgetFailure()
    setVideo(file)
    picked.current = file
    if (file && isByHand) void suggest(file)
    // A warning only: the server decides.
    const refusal = file && (await findRefusal(file, { maxMinutes: quotaVideoMinutes }))
    if (picked.current !== file) return
    setErrors((shown) => withError(shown, 'video', refusal?.message))
    setOtherFormat(refusal?.isOtherFormat ?? false)
  }

  function pickThumbnail(file: File | undefined) {
    forgetFailure()
    hasOwnThumbnail.current = file !== undefined && !isSuggesting.current
    setErrors((shown) => withError(shown, 'thumbnail', file && thumbnailError(file)))
  }

  /**
   * Fills an empty title and thumbnail from a file that a person chose. A form that a program fills stays as it fills
   * it: all four fields are required.
   */
  async function suggest(file: File) {
    const title = formElement.current?.elements.namedItem('title')
    if (title instanceof HTMLInputElement && ['', suggestedTitle.current].includes(title.value)) {
      title.value = suggestedTitle.current = titleOf(file.name, settings.titleMaxCharacters)
      setErrors((shown) => withError(shown, 'title', undefined))
    }
    if (hasOwnThumbnail.current) return
    // The button below offers other frames, and a picture where the browser cannot decode the video.
    const frame = await captureFrame(file, FRAME_SHARE).catch(() => undefined)
    if (!frame || hasOwnThumbnail.current || picked.current !== file) return
    isSuggesting.current = true
    setThumbnail(frame)
    isSuggesting.current = false
  }

  /** Announces the upload, so that the server prepares its inspection. */
  async function announceOnce(form: HTMLFormElement) {
    if (isAnnounced.current) return
    const { draft } = await checkUpload(readForm(form))
    if (!draft || isAnnounced.current) return
    isAnnounced.current = true
    // Only a hint to the server: without it the upload is inspected a little later.
    await call(announceUpload, {}).catch(() => undefined)
  }

  /** Sets the file of the input, so that it passes the same checks as a picked one. */
  function setThumbnail(thumbnail: File) {
    const field = formElement.current?.elements.namedItem('thumbnail')
    if (!(field instanceof HTMLInputElement)) return
    const files = new DataTransfer()
    files.items.add(thumbnail)
    field.files = files.files
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }

  return (
    <form
      ref={formElement}
      className={styles['form']}
      onChange={(event) => void announceOnce(event.currentTarget)}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      {state.phase === 'failed' && <Alert>{state.message}</Alert>}
      <p className={styles['several']}>{t`Several files at once? Use Create, or drop them anywhere.`}</p>
      <div className={styles['columns']}>
        <div>
          <Field
            label={t`Title`}
            name="title"
            required
            disabled={isUploading}
            error={errors.title}
            onChange={() => setErrors((shown) => withError(shown, 'title', undefined))}
          />
          <TextArea
            label={t`Description`}
            name="description"
            rows={8}
            required
            disabled={isUploading}
            error={errors.description}
            onChange={() => setErrors((shown) => withError(shown, 'description', undefined))}
          />
        </div>
        <div>
          <FileField
            label={t`Video`}
            name="video"
            shape="file"
            prompt={t`Choose a video`}
            promptToDrop={t`, or drop it here`}
            hint={`${listFormats(settings.acceptedContainers, 'disjunction', pageLanguage)}.`}
            accept={accept.video}
            required
            disabled={isUploading}
            error={errors.video}
            onPick={(file, isByHand) => void pickVideo(file, isByHand)}
          />
          {isOtherFormat && <OtherFormatHelp />}
          <FileField
            label={t`Thumbnail`}
            name="thumbnail"
            shape="thumbnail"
            prompt={t`Choose a picture`}
            promptToDrop={t`, or drop it here`}
            hint={t`JPEG or PNG, 16:9 looks best.`}
            accept={accept.thumbnail}
            required
            disabled={isUploading}
            error={errors.thumbnail}
            onPick={pickThumbnail}
          />
          {video && !errors.video && (
            <VideoFrameButton
              key={`${video.name} ${video.size} ${video.lastModified}`}
              className={styles['frame']}
              video={video}
              disabled={isUploading}
              onCapture={setThumbnail}
            />
          )}
          <label className={styles['keep']}>
            <input type="checkbox" name="keepMetadata" disabled={isUploading} />
            <span>{t`Keep location and device details`}</span>
          </label>
          <Select label={t`Who can watch it`} name="visibility" disabled={isUploading}>
            {uploadVisibilities.map((name) => (
              <option key={name} value={name}>
                {i18n._(visibilityChoices[name])}
              </option>
            ))}
          </Select>
          <QuotaNote />
        </div>
      </div>
      <footer className={styles['footer']}>
        {isUploading && <UploadProgressBar progress={state.progress} isInterrupted={state.isInterrupted} />}
        <div className={styles['actions']}>
          <Button ref={cancelButton} onClick={onCancel}>{t`Cancel`}</Button>
          <Button ref={uploadButton} type="submit" variant="solid" disabled={isUploading}>
            {isUploading ? t`Uploading..` : t`Upload`}
          </Button>
        </div>
      </footer>
    </form>
  )
}

function readForm(form: HTMLFormElement) {
  const fields = new FormData(form)
  return {
    title: textOf(fields, 'title'),
    description: textOf(fields, 'description'),
    keepsMetadata: fields.has('keepMetadata'),
    visibility: visibilityOf(textOf(fields, 'visibility')),
    video: fileOf(fields, 'video'),
    thumbnail: fileOf(fields, 'thumbnail'),
  }
}

function withError(
  errors: UploadErrors,
  field: keyof UploadErrors,
  message: string | undefined,
): UploadErrors {
  if (errors[field] === message) return errors
  const { [field]: _previous, ...others } = errors
  return message ? { ...others, [field]: message } : others
}
