import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  type Playlist,
  type PlaylistVisibility,
  createPlaylist,
  updatePlaylist,
} from '@kinora/contract/watching/playlists.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { focusFirstInvalid } from '../../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { settings } from '../../../lib/settings.ts'
import { useInitialFocus } from '../../../lib/forms/use-initial-focus.ts'
import { visibilityChoices } from '../../../lib/visibility-labels.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogActions } from '../../../ui/dialog.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { Field, TextArea } from '../../../ui/forms/field.tsx'
import { refreshPlaylists } from './api.ts'
import styles from './playlist-form.module.css'

const visibilities = ['private', 'unlisted', 'public'] as const satisfies PlaylistVisibility[]

/** Creates a playlist, or changes title, description and visibility of `playlist`. */
export function PlaylistForm({
  playlist,
  onCancel,
  onSaved,
}: {
  playlist?: Playlist
  onCancel: () => void
  onSaved: (playlist: Playlist) => void
}) {
  const client = useQueryClient()
  const element = useInitialFocus()
  const visibilityId = useId()
  const [errors, setErrors] = useState<{ title?: string }>({})
  const saving = useMutation({
    mutationFn: (body: { title: string; description: string; visibility: PlaylistVisibility }) =>
      playlist
        ? call(updatePlaylist, { params: { playlistId: playlist._id }, body })
        : call(createPlaylist, { body }),
    onSuccess: () => refreshPlaylists(client),
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (saving.isPending) return
    const fields = new FormData(event.currentTarget)
    const title = textOf(fields, 'title')
    const error = textError(t`Title`, title, settings.titleMaxCharacters)
    setErrors(error ? { title: error } : {})
    if (error) return focusFirstInvalid(event.currentTarget, { title: error })
    const visibility = visibilities.find((name) => name === textOf(fields, 'visibility'))
    saving.mutate(
      { title, description: textOf(fields, 'description'), visibility: visibility ?? 'private' },
      { onSuccess: onSaved },
    )
  }

  return (
    <form ref={element} onSubmit={submit} noValidate>
      {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
      <Field label={t`Title`} name="title" defaultValue={playlist?.title} required error={errors.title} />
      <TextArea label={t`Description`} name="description" rows={3} defaultValue={playlist?.description} />
      <div className={styles['field']}>
        <label htmlFor={visibilityId}>{t`Visibility`}</label>
        <select id={visibilityId} name="visibility" defaultValue={playlist?.visibility ?? 'private'}>
          {visibilities.map((name) => (
            <option key={name} value={name}>
              {i18n._(visibilityChoices[name])}
            </option>
          ))}
        </select>
      </div>
      <DialogActions>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button type="submit" variant="solid" disabled={saving.isPending}>
          {playlist ? t`Save` : t`Create`}
        </Button>
      </DialogActions>
    </form>
  )
}
