import { t } from '@lingui/core/macro'
import type { VideoCut } from '@kinora/contract/videos/cuts.ts'
import { Button } from '../../../ui/button.tsx'
import { FormActions } from '../../../ui/forms/form-actions.tsx'
import { Part } from '../../../ui/part.tsx'
import { formatTenths } from './format-time.ts'

/** The cut that viewers see now, with the button that ends it. */
export function PublishedCut({
  cut: { durationSeconds, sourceDurationSeconds },
  isBusy,
  onUndo,
}: {
  cut: VideoCut
  isBusy: boolean
  onUndo: () => void
}) {
  const [seen, whole] = [formatTenths(durationSeconds), formatTenths(sourceDurationSeconds)]
  return (
    <Part
      title={t`Published cut`}
      note={t`Viewers see ${seen} of ${whole}. The file is unchanged, so you can undo this at any time.`}
      isDivided
    >
      <FormActions saved={false}>
        <Button disabled={isBusy} onClick={onUndo}>{t`Undo the cut`}</Button>
      </FormActions>
    </Part>
  )
}
