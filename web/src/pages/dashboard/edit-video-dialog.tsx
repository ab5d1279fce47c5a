import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import { type Video, updateVideo } from '@kinora/contract/videos/videos.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { ownVideoQuery } from '../../features/videos/studio/dashboard/api.ts'
import { textErrors } from '../../features/videos/uploads/rules.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { useEndpointForm } from '../../lib/forms/use-endpoint-form.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { useInitialFocus } from '../../lib/forms/use-initial-focus.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EndpointForm } from '../../ui/forms/endpoint-form.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { useDashboardModal } from './use-dashboard-modal.ts'
import { videoKeys } from '../../lib/query-keys.ts'
import { dashboardKeys } from '../../lib/studio-keys.ts'

/** Edits title and description of an own video. For any other video, the dashboard shows an error. */
export function EditVideoDialog() {
  const { authData } = useAuth()
  return authData && <EditVideoOf owner={authData} />
}

function EditVideoOf({ owner }: { owner: User }) {
  const { videoId = '' } = useParams()
  const { data: video, error } = useQuery(ownVideoQuery(useQueryClient(), owner, videoId))
  if (video) return <EditVideo video={video} />
  if (video === undefined && !error) return null
  return <NoSuchVideo failure={error ? failureMessage(error) : t`You can only change your own videos.`} />
}

function NoSuchVideo({ failure }: { failure: string }) {
  const close = useDashboardModal()
  useEffect(() => {
    close(failure)
  })
  return null
}

function EditVideo({ video }: { video: Video }) {
  const close = useDashboardModal()
  return (
    <Dialog title={t`Video details`} onClose={() => close()} width={640} closesOnOutsideClick={false}>
      <PageTitle title={t`Video details`} />
      <EditVideoForm video={video} onClose={() => close()} />
    </Dialog>
  )
}

function EditVideoForm({ video, onClose }: { video: Video; onClose: () => void }) {
  const client = useQueryClient()
  // this call keeps the description when it gets none
  const isDescriptionRequired = video.description !== ''
  const textsOf = (fields: FormData) => ({
    title: textOf(fields, 'title'),
    description: textOf(fields, 'description'),
  })
  const form = useEndpointForm({
    fields: ['title', 'description'],
    check: (fields) => textErrors(textsOf(fields), { isDescriptionRequired }),
    send: async (fields) => {
      await call(updateVideo, { params: { id: video._id }, body: textsOf(fields) })
      client.removeQueries({ queryKey: videoKeys.lists, type: 'inactive' })
      void client.resetQueries({ queryKey: dashboardKeys.allOlderVideos })
      await client.invalidateQueries({ queryKey: dashboardKeys.dashboard })
    },
    onSuccess: onClose,
  })
  return (
    <EndpointForm ref={useInitialFocus()} form={form} onCancel={onClose}>
      <Field label={t`Title`} defaultValue={video.title} required {...form.field('title')} />
      <TextArea
        label={t`Description`}
        rows={8}
        defaultValue={video.description}
        required={isDescriptionRequired}
        {...form.field('description')}
      />
    </EndpointForm>
  )
}
