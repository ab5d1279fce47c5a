import { ApiError } from '@kinora/contract/client.ts'
import type { DetailedOwnVideo } from '@kinora/contract/studio.ts'
import { type FormEvent, useState } from 'react'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { focusFirstInvalid } from '../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { useUnsavedChanges } from '../../lib/forms/use-unsaved-changes.ts'
import { Button } from '../../ui/button.tsx'
import { Alert, Status } from '../../ui/feedback/alert.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { FileField } from '../../ui/forms/file-field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { useChangeVideo, type VideoChanges } from './api.ts'
import styles from './details-form.module.css'
import { UnsavedChangesDialog } from './unsaved-changes-dialog.tsx'
import { MetadataFields, readMetadata } from './metadata-fields.tsx'
import { visibilities, visibilityNamed, visibilityNames } from './visibilities.ts'

type Errors = Partial<Record<'title' | 'description' | 'publishAt' | 'viewers' | 'tags', string>>

/** Texts, visibility and thumbnail of an own video. `checkTexts` returns the errors of title and description. */
export function DetailsForm({
  video,
  checkTexts,
}: {
  video: DetailedOwnVideo
  checkTexts: (texts: { title: string; description: string }) => Errors
}) {
  const saving = useChangeVideo(video._id)
  const [visibility, setVisibility] = useState(video.visibility)
  const [thumbnail, setThumbnail] = useState<File>()
  const [errors, setErrors] = useState<Errors>({})
  /** Counts changes, so that one made while an earlier one is being saved stays unsaved. */
  const [changes, setChanges] = useState(0)
  const [savedChanges, setSavedChanges] = useState(0)
  const isDirty = changes > savedChanges
  const blocker = useUnsavedChanges(isDirty)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (saving.isPending) return
    const form = event.currentTarget
    const fields = new FormData(form)
    const texts = { title: textOf(fields, 'title'), description: textOf(fields, 'description') }
    const time = textOf(fields, 'publishAt')
    const found: Errors = {
      ...checkTexts(texts),
      ...(visibility === 'scheduled' && time === '' ? { publishAt: 'Choose a time in the future' } : {}),
    }
    setErrors(found)
    if (Object.keys(found).length > 0) return focusFirstInvalid(form, found)
    const isVisibilityKept = visibility === video.visibility && visibility !== 'scheduled'
    const body: VideoChanges = {
      ...texts,
      ...readMetadata(fields),
      ...(isVisibilityKept ? {} : { visibility }),
      ...(visibility === 'scheduled' ? { publishAt: new Date(time).toISOString() } : {}),
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
          setThumbnail(undefined)
        },
        onError: (error) => setErrors(errorsOf(error)),
      },
    )
  }

  return (
    <form
      className={styles['form']}
      onChange={() => setChanges(changes + 1)}
      onSubmit={submit}
      noValidate
      aria-label="Video"
    >
      <UnsavedChangesDialog blocker={blocker} />
      <div className={styles['texts']}>
        <Field label="Title" name="title" defaultValue={video.title} required error={errors.title} />
        <TextArea
          label="Description"
          name="description"
          rows={10}
          defaultValue={video.description}
          required
          error={errors.description}
        />
        <MetadataFields video={video} tagsError={errors.tags} />
      </div>
      <div>
        <Select
          label="Visibility"
          name="visibility"
          value={visibility}
          hint={visibilities[visibility].hint}
          onChange={({ currentTarget }) => setVisibility(visibilityNamed(currentTarget.value) ?? visibility)}
        >
          {visibilityNames.map((name) => (
            <option key={name} value={name}>
              {visibilities[name].label}
            </option>
          ))}
        </Select>
        {visibility === 'scheduled' && (
          <Field
            label="Public from"
            name="publishAt"
            type="datetime-local"
            step={1}
            defaultValue={video.publishAt === null ? '' : localTime(new Date(video.publishAt))}
            required
            error={errors.publishAt}
          />
        )}
        {(visibility === 'private' || visibility === 'scheduled') && (
          <Field
            label="People who may watch it"
            name="viewers"
            defaultValue={video.viewers.map(({ username }) => username).join(', ')}
            hint="Usernames, separated by commas."
            error={errors.viewers}
          />
        )}
        <FileField
          label="Thumbnail"
          name="thumbnail"
          shape="thumbnail"
          accept="image/jpeg,image/png"
          prompt="Choose a picture"
          promptToDrop=", or drop it here"
          currentSrc={video.thumbnail}
          onPick={setThumbnail}
        />
      </div>
      <div className={styles['end']}>
        <Button type="submit" variant="solid" disabled={saving.isPending}>
          Save
        </Button>
        {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
        {isDirty ? <span>Unsaved changes</span> : saving.isSuccess && <Status>Saved</Status>}
      </div>
    </form>
  )
}

function errorsOf(error: unknown): Errors {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.errors.map(({ path, message }) => [path.split('.')[0], message]))
}

/** A time as an input of the type `datetime-local` has it. */
function localTime(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19)
}
