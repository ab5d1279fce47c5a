import { t } from '@lingui/core/macro'
import type { OwnCaptions } from '@kinora/contract/videos/captions.ts'
import { captionsMaxBytes } from '@kinora/contract/constants.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { languageOptions } from '../../../lib/metadata-choices.ts'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { fileOf, textOf } from '../../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { paths } from '../../../paths.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { QuerySection } from '../../../ui/query-section.tsx'
import { ownCaptionsQuery, useDeleteCaptions, useSaveCaptions } from './api.ts'
import { Part } from '../../../ui/part.tsx'
import styles from './captions-section.module.css'

/** The captions of an own video: a list to edit, download and delete, and a form that adds files. */
export function CaptionsSection({ videoId }: { videoId: string }) {
  const deleting = useDeleteCaptions(videoId)
  const saving = useSaveCaptions(videoId)
  return (
    <Part className={styles['captions']} title={t`Captions`} isDivided>
      <QuerySection
        query={useQuery(ownCaptionsQuery(videoId))}
        failure={t`Could not load the captions`}
        skeleton={null}
        empty={<p className={styles['note']}>{t`This video has no captions yet.`}</p>}
      >
        {(tracks) => (
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
      </QuerySection>
      {deleting.isError && <Alert>{failureMessage(deleting.error)}</Alert>}
      {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
      <AddCaptions videoId={videoId} />
    </Part>
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
  const saving = useSaveCaptions(videoId)
  const [isOther, setIsOther] = useState(false)
  const form = useEndpointForm({
    fields: ['captions', 'language', 'label'],
    check: (fields) => ({ captions: fileError(fileOf(fields, 'captions')) }),
    send: (fields) =>
      saving.mutateAsync({
        captionsId: null,
        form: {
          language: textOf(fields, 'language'),
          label: textOf(fields, 'label'),
          file: fileOf(fields, 'captions') ?? new File([], ''),
        },
      }),
    onSuccess: (_, element) => {
      element.reset()
      setIsOther(false)
    },
  })
  const language = form.field('language')
  return (
    <EndpointForm
      form={form}
      className={styles['add']}
      label={t`Add captions`}
      variant="quiet"
      submit={t`Add captions`}
    >
      <Field
        label={t`Captions file`}
        type="file"
        accept=".vtt,.srt,text/vtt"
        hint={t`WebVTT or SubRip (.srt), up to 2 MB.`}
        {...form.field('captions')}
      />
      <Select
        label={t`Captions language`}
        name={isOther ? undefined : 'language'}
        required
        error={isOther ? undefined : language.error}
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
      {isOther && <Field label={t`Language tag`} required hint={t`Such as ga or pt-BR.`} {...language} />}
      <Field label={t`Label`} hint={t`Optional: the language's name otherwise.`} {...form.field('label')} />
    </EndpointForm>
  )
}

function fileError(file: File | undefined): string | undefined {
  if (!file || file.size === 0) return t`Choose a file of captions`
  return file.size > captionsMaxBytes ? t`Captions have at most 2 MB` : undefined
}
