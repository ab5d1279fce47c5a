import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { call } from '@kinora/contract/client.ts'
import { deleteAnyClips } from '@kinora/contract/operations/moderation.ts'
import { deleteClip, type DetailedClip } from '@kinora/contract/watching/clips.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useContext, useState } from 'react'
import { failureMessage } from '../../../lib/forms/failure-message.ts'
import { clipKeys } from '../../../lib/rare-keys.ts'
import { ReportContext } from '../../../lib/report-context.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { RowMenu } from '../../../ui/row-menu.tsx'
import { RenameDialog } from './rename-dialog.tsx'

/** Changes, removes and reports a clip, for those who may. */
export function ClipActions({
  clip,
  role,
  onRemoved,
  renderReasonDialog,
}: {
  clip: DetailedClip
  /** Of the viewer; moderators remove every clip. */
  role: 'member' | 'moderator' | 'administrator' | undefined
  onRemoved: () => void
  /** Asks moderators for the reason of a removal. */
  renderReasonDialog: (dialog: { onRemove: (reason: string) => void; onClose: () => void }) => ReactNode
}) {
  const client = useQueryClient()
  const report = useContext(ReportContext)
  const [dialog, setDialog] = useState<'rename' | 'remove'>()
  const close = () => setDialog(undefined)
  const removing = useMutation({
    mutationFn: async (reason?: string) => {
      if (reason === undefined) await call(deleteClip, { params: { clipId: clip._id } })
      else await call(deleteAnyClips, { body: { ids: [clip._id], reason } })
    },
    onSuccess: () => {
      onRemoved()
      client.removeQueries({ queryKey: clipKeys.all })
    },
  })
  const mayRemove = clip.mayRemove || (role !== undefined && hasRole(role, 'moderator'))
  return (
    <>
      {removing.isError && <Alert>{failureMessage(removing.error)}</Alert>}
      <RowMenu
        of={clip.title}
        actions={[
          ...(clip.isOwn ? [{ label: t`Rename…`, onSelect: () => setDialog('rename') }] : []),
          ...(report && !clip.isOwn
            ? [{ label: t`Report`, onSelect: () => report({ kind: 'clip', subjectId: clip._id }) }]
            : []),
          ...(mayRemove
            ? [{ label: t`Remove…`, isDangerous: true, onSelect: () => setDialog('remove') }]
            : []),
        ]}
      />
      {dialog === 'rename' && <RenameDialog clip={clip} onClose={close} />}
      {dialog === 'remove' &&
        !clip.mayRemove &&
        renderReasonDialog({ onRemove: removing.mutate, onClose: close })}
      {dialog === 'remove' && clip.mayRemove && (
        <ConfirmDialog
          title={t`Remove this clip?`}
          confirmLabel={t`Remove`}
          onConfirm={() => removing.mutate(undefined)}
          onClose={close}
        >
          <p>{t`Its address and players on other sites stop working. The video stays as it is.`}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
