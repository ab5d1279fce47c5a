import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { chaptersOf } from '@kinora/contract/videos/chapters.ts'
import type { DetailedOwnVideo } from '@kinora/contract/videos/studio.ts'
import { type FormEvent, useRef, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { timeZone, tomorrowEvening } from '../../../lib/forms/local-time.ts'
import { useUnsavedChanges } from '../../../lib/forms/use-unsaved-changes.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert, Status } from '../../../ui/feedback/alert.tsx'
import { Check } from '../../../ui/forms/check.tsx'
import { FormActions } from '../../../ui/forms/form-actions.tsx'
import { Field, TextArea } from '../../../ui/forms/field.tsx'
import { FileField } from '../../../ui/forms/file-field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { ChaptersDialog } from './chapters-dialog.tsx'
import { ChaptersField } from './chapters-field.tsx'
import { useChangeVideo, type VideoChanges } from './api.ts'
import styles from './details-form.module.css'
import { UnsavedChangesDialog } from '../../../ui/forms/unsaved-changes-dialog.tsx'
import {
  changedValues,
  type DetailsValues,
  loadDetailsDraft,
  saveDetailsDraft,
  savedValues,
} from './details-draft.ts'
import { MetadataFields, readMetadata } from './metadata-fields.tsx'
import { SensitiveField } from './sensitive-field.tsx'
import { visibilities, visibilityNamed, visibilityNames } from './visibilities.ts'

type Errors = Partial<
  Record<'title' | 'description' | 'publishAt' | 'viewers' | 'tags' | 'sensitiveReason', string>
>

/** Returns the errors of title and description. */
type CheckTexts = (texts: { title: string; description: string }) => Errors

/** Texts, visibility and thumbnail of an own video. Unsaved texts and choices are kept in this browser. */
export function DetailsForm({ video, checkTexts }: { video: DetailedOwnVideo; checkTexts: CheckTexts }) {
  /** Counts discarded drafts; the form begins again after each. */
  const [discarded, setDiscarded] = useState(0)
  function discard() {
    saveDetailsDraft(video._id, {})
    setDiscarded(discarded + 1)
  }
  return <Form key={discarded} video={video} checkTexts={checkTexts} onDiscard={discard} />
}

function Form({
  video,
  checkTexts,
  onDiscard,
}: {
  video: DetailedOwnVideo
  checkTexts: CheckTexts
  onDiscard: () => void
}) {
  const saving = useChangeVideo(video._id)
  /** Values of the fields when they were loaded or saved. */
  const [saved, setSaved] = useState(() => savedValues(video))
  const [draft] = useState(() => loadDetailsDraft(video._id, saved))
  const [values] = useState({ ...saved, ...draft })
  const [description, setDescription] = useState(values.description)
  const [isEditingChapters, setIsEditingChapters] = useState(false)
  const described = chaptersOf(description, video.duration)
  const chapters = described.length > 0 ? described : video.chaptersOfFile
  /** Choice of the owner, also while the video waits for approval. */
  const chosen = video.heldVisibility ?? video.visibility
  const [visibility, setVisibility] = useState(visibilityNamed(values.visibility) ?? chosen)
  const [thumbnail, setThumbnail] = useState<File>()
  const [errors, setErrors] = useState<Errors>({})
  /** Counts changes, so that one made while an earlier one is being saved stays unsaved. */
  const [changes, setChanges] = useState(Object.keys(draft).length > 0 ? 1 : 0)
  const [savedChanges, setSavedChanges] = useState(0)
  const isDirty = changes > savedChanges
  const isRestored = isDirty && savedChanges === 0 && Object.keys(draft).length > 0
  const blocker = useUnsavedChanges(isDirty)

  const form = useRef<HTMLFormElement>(null)

  function change(changed: Partial<DetailsValues> = {}) {
    setChanges(changes + 1)
    const fields = new FormData(form.current ?? undefined)
    saveDetailsDraft(video._id, { ...changedValues(saved, fields), ...changed })
  }

  function changeChapters(text: string) {
    setIsEditingChapters(false)
    setDescription(text)
    if (text !== description) change({ description: text })
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (saving.isPending) return
    const fields = new FormData(event.currentTarget)
    const texts = { title: textOf(fields, 'title'), description: textOf(fields, 'description') }
    const time = textOf(fields, 'publishAt')
    const found: Errors = {
      ...checkTexts(texts),
      ...(visibility === 'scheduled' && time === '' ? { publishAt: t`Choose a time in the future` } : {}),
      ...(fields.has('isSensitive') && textOf(fields, 'sensitiveReason') === ''
        ? { sensitiveReason: t`Say in a few words what is sensitive in it` }
        : {}),
    }
    setErrors(found)
    if (Object.keys(found).length > 0) return focusFirstInvalid(event.currentTarget, found)
    const isPremiere = fields.has('isPremiere')
    const isVisibilityKept =
      visibility === chosen &&
      (visibility !== 'scheduled' || (time === saved.publishAt && isPremiere === (saved.isPremiere === 'on')))
    const body: VideoChanges = {
      ...texts,
      ...readMetadata(fields),
      ...(video.sensitive?.byModerator
        ? {}
        : { sensitiveReason: fields.has('isSensitive') ? textOf(fields, 'sensitiveReason') : null }),
      ...(isVisibilityKept ? {} : { visibility }),
      ...(visibility === 'scheduled' && !isVisibilityKept
        ? { publishAt: new Date(time).toISOString(), isPremiere }
        : {}),
      ...(fields.has('viewers')
        ? {
            viewers: textOf(fields, 'viewers')
              .split(/[\s,@]+/)
              .filter(Boolean),
          }
        : {}),
    }
    saving.mutate(
      { changes: body, thumbnail },
      {
        onSuccess: () => {
          setSavedChanges(changes)
          const nowSaved = { ...saved, ...changedValues(saved, fields) }
          setSaved(nowSaved)
          if (form.current) saveDetailsDraft(video._id, changedValues(nowSaved, new FormData(form.current)))
          setThumbnail(undefined)
        },
        onError: (error) => setErrors(fieldErrors(error)),
      },
    )
  }

  return (
    <>
      <form
        ref={form}
        className={styles['form']}
        onChange={() => change()}
        onSubmit={submit}
        noValidate
        aria-label={t`Video`}
      >
        <UnsavedChangesDialog blocker={blocker} onDiscard={() => saveDetailsDraft(video._id, {})} />
        {isRestored && (
          <div className={styles['restored']}>
            <Status>{t`Your unsaved changes were restored.`}</Status>
            <Button onClick={onDiscard}>{t`Discard them`}</Button>
          </div>
        )}
        <div>
          <Field label={t`Title`} name="title" defaultValue={values.title} required error={errors.title} />
          <TextArea
            label={t`Description`}
            name="description"
            rows={10}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            error={errors.description}
          />
          <ChaptersField
            chapters={chapters}
            isOfFile={described.length === 0 && chapters.length > 0}
            onEdit={() => setIsEditingChapters(true)}
          />
          <MetadataFields values={values} tagsError={errors.tags} />
        </div>
        <div>
          <Select
            label={t`Visibility`}
            name="visibility"
            value={visibility}
            hint={i18n._(visibilities[visibility].hint)}
            onChange={({ currentTarget }) =>
              setVisibility(visibilityNamed(currentTarget.value) ?? visibility)
            }
          >
            {visibilityNames.map((name) => (
              <option key={name} value={name}>
                {i18n._(visibilities[name].label)}
              </option>
            ))}
          </Select>
          {visibility === 'scheduled' && (
            <Field
              label={t`Public from`}
              name="publishAt"
              type="datetime-local"
              step={60}
              defaultValue={values.publishAt || tomorrowEvening()}
              required
              hint={t`Time zone: ${timeZone()}`}
              error={errors.publishAt}
            />
          )}
          {visibility === 'scheduled' && (
            <Check
              label={t`Premiere: everybody watches it together at that time`}
              name="isPremiere"
              defaultChecked={values.isPremiere === 'on'}
              hint={t`Until then its page shows the title, the thumbnail and a countdown to everybody, and a chat.`}
            />
          )}
          {(visibility === 'private' || visibility === 'scheduled') && (
            <Field
              label={t`People who may watch it`}
              name="viewers"
              defaultValue={values.viewers}
              hint={t`Usernames, separated by commas.`}
              error={errors.viewers}
            />
          )}
          <SensitiveField video={video} values={values} error={errors.sensitiveReason} />
          <FileField
            label={t`Thumbnail`}
            name="thumbnail"
            shape="thumbnail"
            accept="image/jpeg,image/png"
            prompt={t`Choose a picture`}
            promptToDrop={t`, or drop it here`}
            currentSrc={video.thumbnail}
            onPick={setThumbnail}
          />
        </div>
        <div className={styles['end']}>
          {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
          <FormActions saved={!isDirty && saving.isSuccess && t`Saved`}>
            <Button type="submit" variant="solid" disabled={saving.isPending}>{t`Save`}</Button>
            {isDirty && <span>{t`Unsaved changes`}</span>}
          </FormActions>
        </div>
      </form>
      {isEditingChapters && (
        <ChaptersDialog
          videoId={video._id}
          chapters={chapters}
          description={description}
          durationSeconds={video.duration}
          onClose={() => setIsEditingChapters(false)}
          onChange={changeChapters}
        />
      )}
    </>
  )
}
