import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import type { User } from '@kinora/contract/accounts/users.ts'
import { type Video, updateVideo } from '@kinora/contract/videos/videos.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { ownVideoQuery } from '../../features/videos/studio/dashboard/api.ts'
import { textErrors } from '../../features/videos/uploads/rules.ts'
import { failureMessage } from '../../lib/forms/failure-message.ts'
import { focusFirstInvalid } from '../../lib/forms/focus-first-invalid.ts'
import { textOf } from '../../lib/forms/form-fields.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { useInitialFocus } from '../../lib/forms/use-initial-focus.ts'
import { Alert } from '../../ui/feedback/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { useDashboardModal } from './use-dashboard-modal.ts'
import { dashboardKeys, videoKeys } from '../../lib/query-keys.ts'

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
  const element = useInitialFocus()
  // this call keeps the description when it gets none
  const isDescriptionRequired = video.description !== ''
  const [errors, setErrors] = useState<{ title?: string; description?: string }>({})
  const saving = useMutation({
    mutationFn: (body: { title: string; description: string }) =>
      call(updateVideo, { params: { id: video._id }, body }),
    onSuccess: () => {
      client.removeQueries({ queryKey: videoKeys.lists, type: 'inactive' })
      void client.resetQueries({ queryKey: dashboardKeys.allOlderVideos })
      return client.invalidateQueries({ queryKey: dashboardKeys.dashboard })
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (saving.isPending) return
    const fields = new FormData(event.currentTarget)
    const form = { title: textOf(fields, 'title'), description: textOf(fields, 'description') }
    const found = textErrors(form, { isDescriptionRequired })
    setErrors(found)
    if (Object.keys(found).length === 0) saving.mutate(form, { onSuccess: onClose })
    else focusFirstInvalid(event.currentTarget, found)
  }

  return (
    <form ref={element} onSubmit={submit} noValidate>
      {saving.isError && <Alert>{failureMessage(saving.error)}</Alert>}
      <Field label={t`Title`} name="title" defaultValue={video.title} required error={errors.title} />
      <TextArea
        label={t`Description`}
        name="description"
        rows={8}
        defaultValue={video.description}
        required={isDescriptionRequired}
        error={errors.description}
      />
      <DialogActions>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" variant="solid" disabled={saving.isPending}>{t`Save`}</Button>
      </DialogActions>
    </form>
  )
}
