import { t } from '@lingui/core/macro'
import type { OwnCaptions } from '@kinora/contract/videos/captions.ts'
import { captionsMaxBytes } from '@kinora/contract/constants.ts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { languageOptions } from '../../../lib/video-metadata.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { paths } from '../../../paths.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { ownCaptionsQuery, useDeleteCaptions, useSaveCaptions } from './api.ts'
import styles from './captions-section.module.css'

/** The captions of an own video: a list to edit, download and delete, and a form that adds files. */
export function CaptionsSection({ videoId }: { videoId: string }) {
  const { data: tracks, isError, refetch } = useQuery(ownCaptionsQuery(videoId))
  const deleting = useDeleteCaptions(videoId)
  const saving = useSaveCaptions(videoId)
  return (
    <section className={styles['captions']} aria-labelledby="captions">
      <h2 id="captions">{t`Captions`}</h2>
      {isError && <LoadFailure title={t`Could not load the captions`} onRetry={() => void refetch()} />}
      {tracks?.length === 0 && <p className={styles['note']}>{t`This video has no captions yet.`}</p>}
      {tracks && tracks.length > 0 && (
        <ul>
          {tracks.map((track) => (
            <Track
              key={track.url}
              videoId={videoId}
              track={track}
              onDefault={(captionsId) => saving.mutate({ captionsId, form: { isDefault: true } })}
              onDelete={(captionsId) => deleting.mutate(captionsId)}
            />
          ))}
        </ul>
      )}
      {deleting.isError && <Alert>{failureMessage(deleting.error)}</Alert>}
      {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
      <AddCaptions videoId={videoId} />
    </section>
  )
}

function Track({
  videoId,
  track,
  onDefault,
  onDelete,
}: {
  videoId: string
  track: OwnCaptions
  onDefault: (captionsId: string) => void
  onDelete: (captionsId: string) => void
}) {
  const { _id: id, label, language, url, isDefault, fileTrack } = track
  const notes = [
    language ?? t`Unknown language`,
    ...(isDefault ? ['default'] : []),
    ...(fileTrack === null
      ? []
      : [id === null ? t`found in the file` : t`edited copy of a track of the file`]),
  ]
  return (
    <li>
      <div className={styles['names']}>
        <b>
          <bdi>{label}</bdi>
        </b>
        <span className={styles['note']}>{notes.join(' · ')}</span>
      </div>
      <div className={styles['actions']}>
        <Link
          className={buttonClass('quiet')}
          to={paths.studioCaptions(videoId, id ?? `file-${fileTrack}`)}
          aria-label={t`Edit ${label}`}
        >{t`Edit`}</Link>
        <a
          className={buttonClass('bare')}
          href={url}
          download={`${label}.vtt`}
          aria-label={t`Download ${label}`}
        >{t`Download`}</a>
        {id !== null && !isDefault && (
          <Button
            variant="bare"
            aria-label={t`Make default: ${label}`}
            onClick={() => onDefault(id)}
          >{t`Make default`}</Button>
        )}
        {id !== null && (
          <Button
            variant="bare"
            aria-label={t`Delete ${label}`}
            onClick={() => onDelete(id)}
          >{t`Delete`}</Button>
        )}
      </div>
    </li>
  )
}

function AddCaptions({ videoId }: { videoId: string }) {
  const adding = useSaveCaptions(videoId)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isOther, setIsOther] = useState(false)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const file = fields.get('captions')
    if (!(file instanceof File) || file.size === 0)
      return setErrors({ captions: t`Choose a file of captions` })
    if (file.size > captionsMaxBytes) return setErrors({ captions: t`Captions have at most 2 MB` })
    setErrors({})
    adding.mutate(
      {
        captionsId: null,
        form: { language: textOf(fields, 'language'), label: textOf(fields, 'label'), file },
      },
      {
        onSuccess: () => {
          form.reset()
          setIsOther(false)
        },
        onError: (error) => setErrors(fieldErrors(error)),
      },
    )
  }

  return (
    <form className={styles['add']} onSubmit={submit} noValidate aria-label={t`Add captions`}>
      <Field
        label={t`Captions file`}
        name="captions"
        type="file"
        accept=".vtt,.srt,text/vtt"
        hint={t`WebVTT or SubRip (.srt), up to 2 MB.`}
        error={errors['captions']}
      />
      <Select
        label={t`Captions language`}
        name={isOther ? undefined : 'language'}
        required
        error={isOther ? undefined : errors['language']}
        onChange={({ currentTarget: { value } }) => setIsOther(value === 'other')}
      >
        <option value="">{t`Choose a language`}</option>
        {languageOptions(null).map(({ tag, label }) => (
          <option key={tag} value={tag}>
            {label}
          </option>
        ))}
        <option value="other">{t`Another one…`}</option>
      </Select>
      {isOther && (
        <Field
          label={t`Language tag`}
          name="language"
          required
          hint={t`Such as ga or pt-BR.`}
          error={errors['language']}
        />
      )}
      <Field
        label={t`Label`}
        name="label"
        hint={t`Optional: the language's name otherwise.`}
        error={errors['label']}
      />
      <div>
        <Button type="submit" disabled={adding.isPending}>{t`Add captions`}</Button>
        {adding.isError && Object.keys(errors).length === 0 && <Alert>{failureMessage(adding.error)}</Alert>}
      </div>
    </form>
  )
}
