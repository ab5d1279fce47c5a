import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type FormEvent, useEffect, useState } from 'react'
import { failureMessage } from '../../../../lib/forms/failure-message.ts'
import { textOf } from '../../../../lib/forms/form-fields.ts'
import { visibilityChoices } from '../../../../lib/visibility-labels.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../../ui/dialog.tsx'
import { Alert } from '../../../../ui/feedback/alert.tsx'
import { Field, TextArea } from '../../../../ui/forms/field.tsx'
import { Select } from '../../../../ui/forms/select.tsx'
import { textErrors } from '../rules.ts'
import { uploadVisibilities, visibilityOf } from '../visibilities.ts'
import { captureFrame } from '../video-frame.ts'
import { FrameImage } from './frame-image.tsx'
import type { UploadEntry } from './upload-entries.ts'
import { saveTexts } from './upload-queue.ts'
import styles from './upload-details.module.css'

/** Positions of the suggested frames, as fractions of the duration. */
const SUGGESTIONS = [0.15, 0.5, 0.8]
const SLIDER_STEPS = 200

/** Texts, visibility and thumbnail of an entry of the tray, editable while it is being sent. */
export function UploadDetails({ entry, onClose }: { entry: UploadEntry; onClose: () => void }) {
  const [thumbnail, setThumbnail] = useState(entry.thumbnail)
  const [errors, setErrors] = useState<ReturnType<typeof textErrors>>({})
  const [failure, setFailure] = useState<string>()
  const [isSaving, setIsSaving] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const title = textOf(fields, 'title').trim()
    const description = textOf(fields, 'description').trim()
    const found = textErrors({ title, description }, { isDescriptionRequired: false })
    setErrors(found)
    if (Object.keys(found).length > 0 || isSaving) return
    setIsSaving(true)
    try {
      const visibility = visibilityOf(textOf(fields, 'visibility'))
      await saveTexts(entry.key, { title, description, visibility, thumbnail })
      onClose()
    } catch (reason) {
      setFailure(failureMessage(reason))
      setIsSaving(false)
    }
  }

  return (
    <Dialog title={t`Customize`} onClose={onClose} width={640} closesOnOutsideClick={false}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        {failure && <Alert>{failure}</Alert>}
        <Field label={t`Title`} name="title" defaultValue={entry.title} required error={errors.title} />
        <TextArea
          label={t`Description`}
          name="description"
          rows={4}
          defaultValue={entry.description}
          hint={t`Optional.`}
          error={errors.description}
        />
        <Select label={t`Visibility`} name="visibility" defaultValue={entry.visibility}>
          {uploadVisibilities.map((name) => (
            <option key={name} value={name}>
              {i18n._(visibilityChoices[name])}
            </option>
          ))}
        </Select>
        {entry.file && <FrameChoice file={entry.file} chosen={thumbnail} onChoose={setThumbnail} />}
        <DialogActions>
          <Button onClick={onClose}>{t`Cancel`}</Button>
          <Button type="submit" variant="solid" disabled={isSaving}>{t`Save`}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Three suggested frames, and a slider for any other. */
function FrameChoice({
  file,
  chosen,
  onChoose,
}: {
  file: File
  chosen: File | undefined
  onChoose: (frame: File) => void
}) {
  const [frames, setFrames] = useState<File[]>([])
  const [position, setPosition] = useState(SLIDER_STEPS / 2)
  const [isUnreadable, setIsUnreadable] = useState(false)

  useEffect(() => {
    let isCurrent = true
    const load = async () => {
      for (const share of SUGGESTIONS) {
        const frame = await captureFrame(file, share)
        if (isCurrent) setFrames((shown) => [...shown, frame])
      }
    }
    load().catch(() => isCurrent && setIsUnreadable(true))
    return () => {
      isCurrent = false
      setFrames([])
    }
  }, [file])

  if (isUnreadable) return <p className={styles['note']}>{t`The site chooses a frame of this file.`}</p>
  const shown = chosen && !frames.includes(chosen) ? [...frames, chosen] : frames
  return (
    <fieldset className={styles['frames']}>
      <legend>{t`Frame for the card`}</legend>
      <div className={styles['choices']}>
        {shown.map((frame, index) => (
          <button
            key={index}
            type="button"
            aria-pressed={frame === chosen}
            aria-label={index < frames.length ? t`Suggested frame ${index + 1}` : t`Current frame`}
            onClick={() => onChoose(frame)}
          >
            <FrameImage frame={frame} />
          </button>
        ))}
      </div>
      <label className={styles['slider']}>
        {t`Any frame`}
        <input
          type="range"
          min={0}
          max={SLIDER_STEPS}
          value={position}
          onChange={({ currentTarget }) => setPosition(Number(currentTarget.value))}
          onPointerUp={() => void capture()}
          onKeyUp={() => void capture()}
        />
      </label>
    </fieldset>
  )

  async function capture() {
    // The last frame is often incomplete.
    const share = Math.min(position / SLIDER_STEPS, 0.995)
    await captureFrame(file, share).then(onChoose, () => setIsUnreadable(true))
  }
}
