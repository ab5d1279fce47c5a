import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import {
  createLiveShow,
  deleteLiveShow,
  type LiveShow,
  type LiveTemplate,
} from '@kinora/contract/live/live-streams.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { visibilityChoices } from '../../../lib/visibility-labels.ts'
import { Button } from '../../../ui/button.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'
import { showsQuery, useSaveTemplate } from './api.ts'

/** Templates of shows: each becomes the next stream with one click. */
export function Shows({ template, onUse }: { template: LiveTemplate | null; onUse: () => void }) {
  const client = useQueryClient()
  const save = useSaveTemplate()
  const use = useMutation({
    mutationFn: ({ title, description, visibility, keepsRecording }: LiveShow) =>
      save({ title, description, visibility, keepsRecording }),
    onSuccess: onUse,
  })
  const keep = useMutation({
    mutationFn: (body: LiveTemplate) => call(createLiveShow, { body }),
    onSuccess: () => client.invalidateQueries(showsQuery),
  })
  const remove = useRowAction({
    run: ({ id }: LiveShow) => call(deleteLiveShow, { params: { id } }),
    done: ({ title }) => t`${title} was removed.`,
    queryKey: showsQuery.queryKey,
  })
  const failure = use.error ?? keep.error
  return (
    <RevocableList
      label={t`Shows`}
      query={useQuery(showsQuery)}
      failure={t`Could not load your shows`}
      action={remove}
      rowOf={(show) => ({
        key: show.id,
        title: show.title,
        note: i18n._(visibilityChoices[show.visibility]),
        controls: (
          <Button
            disabled={use.isPending}
            aria-label={t`Use ${show.title} for the next stream`}
            onClick={() => use.mutate(show)}
          >{t`Use`}</Button>
        ),
        revoke: { label: t`Remove`, name: t`Remove ${show.title}` },
      })}
    >
      {failure && <Alert>{failureMessage(failure)}</Alert>}
      {template && (
        <Button disabled={keep.isPending} onClick={() => keep.mutate(template)}>
          {t`Save the next stream as a show`}
        </Button>
      )}
    </RevocableList>
  )
}
