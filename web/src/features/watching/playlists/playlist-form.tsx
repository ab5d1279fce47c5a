import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  type Playlist,
  type PlaylistVisibility,
  createPlaylist,
  updatePlaylist,
} from '@kinora/contract/watching/playlists.ts'
import { useQueryClient } from '@tanstack/react-query'
import { textOf } from '../../../lib/forms/form-fields.ts'
import { textError } from '../../../lib/forms/text-error.ts'
import { settings } from '../../../lib/settings.ts'
import { useEndpointForm } from '../../../lib/forms/use-endpoint-form.ts'
import { useInitialFocus } from '../../../lib/forms/use-initial-focus.ts'
import { visibilityChoices } from '../../../lib/visibility-labels.ts'
import { EndpointForm } from '../../../ui/forms/endpoint-form.tsx'
import { Field, TextArea } from '../../../ui/forms/field.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { refreshPlaylists } from './api.ts'

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
  const form = useEndpointForm({
    fields: ['title'],
    check: (fields) => ({ title: textError(t`Title`, textOf(fields, 'title'), settings.titleMaxCharacters) }),
    send: async (fields) => {
      const body = {
        title: textOf(fields, 'title'),
        description: textOf(fields, 'description'),
        visibility: visibilities.find((name) => name === textOf(fields, 'visibility')) ?? 'private',
      }
      const saved = playlist
        ? await call(updatePlaylist, { params: { playlistId: playlist._id }, body })
        : await call(createPlaylist, { body })
      await refreshPlaylists(client)
      return saved
    },
    onSuccess: onSaved,
  })
  return (
    <EndpointForm
      ref={useInitialFocus()}
      form={form}
      submit={playlist ? t`Save` : t`Create`}
      onCancel={onCancel}
    >
      <Field label={t`Title`} defaultValue={playlist?.title} required {...form.field('title')} />
      <TextArea label={t`Description`} name="description" rows={3} defaultValue={playlist?.description} />
      <Select label={t`Visibility`} name="visibility" defaultValue={playlist?.visibility ?? 'private'}>
        {visibilities.map((name) => (
          <option key={name} value={name}>
            {i18n._(visibilityChoices[name])}
          </option>
        ))}
      </Select>
    </EndpointForm>
  )
}
