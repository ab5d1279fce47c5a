import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { LoadFailure } from '../../../ui/feedback/load-failure.tsx'
import { useSaveVideoEmbeds, videoEmbedsQuery } from './api.ts'
import { EmbedPolicyForm } from './embed-policy-form.tsx'
import styles from './embeds-section.module.css'

/** Chooses the sites that may embed an own video. */
export function EmbedsSection({ videoId }: { videoId: string }) {
  const { data: embeds, isError, refetch } = useQuery(videoEmbedsQuery(videoId))
  const saving = useSaveVideoEmbeds(videoId)
  return (
    <section className={styles['embeds']} aria-labelledby="embeds">
      <h2 id="embeds">{t`Embedding`}</h2>
      <p className={styles['note']}>
        {t`Other sites show the player in their pages. Browsers learn which of them may. The files of a public video can still be loaded by everybody.`}
      </p>
      {isError && <LoadFailure title={t`Could not load the sites`} onRetry={() => void refetch()} />}
      {embeds && <EmbedPolicyForm policy={embeds.own} channel={embeds.channel} onSave={saving.mutateAsync} />}
    </section>
  )
}
