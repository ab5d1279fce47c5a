import { t } from '@lingui/core/macro'
import { call } from '@kinora/contract/client.ts'
import { acceptHandover, deleteHandover, type Handover } from '@kinora/contract/videos/handovers.ts'
import { useQuery } from '@tanstack/react-query'
import { plural } from '@lingui/core/macro'
import { pageLanguage } from '../../../lib/i18n/language.ts'
import { formatBytes } from '../../../lib/format/bytes.ts'
import { useRowAction } from '../../../lib/use-row-action.ts'
import { Button } from '../../../ui/button.tsx'
import { RevocableList } from '../../../ui/revocable-list.tsx'
import { RowActionResult } from '../../../ui/row-action-result.tsx'
import { handoversQuery } from './api.ts'
import { OfferForm } from './offer-form.tsx'
import styles from './people.module.css'

const callOf = ({ _id: handoverId }: Handover) => ({ params: { handoverId } })

/** Offers of videos, made and received, and a form that offers all videos. */
export function HandoverSection({ userId }: { userId: string }) {
  const { queryKey } = handoversQuery
  const query = useQuery(handoversQuery)
  const accepting = useRowAction<Handover>({
    run: (row) => call(acceptHandover, callOf(row)),
    confirm: (row) => ({
      title: t`Take over ${titleOf(row)}?`,
      text: [namesOf(row), t`You answer for what you publish. It counts for your quota.`]
        .filter(Boolean)
        .join('. '),
      label: t`Take over`,
      variant: 'solid',
    }),
    done: (row) => t`On your channel now: ${titleOf(row)}.`,
    queryKey,
  })
  const ending = useRowAction<Handover>({
    run: (row) => call(deleteHandover, callOf(row)),
    done: (row) => t`The offer has ended: ${titleOf(row)}.`,
    queryKey,
  })
  return (
    <section className={styles['part']} aria-labelledby="handovers">
      <h2 id="handovers">{t`Giving videos to another account`}</h2>
      {(query.data?.length !== 0 || ending.done || accepting.done) && (
        <RevocableList
          label={t`Offers`}
          query={query}
          failure={t`Could not load the offers`}
          action={ending}
          rowOf={(row) => {
            const isMine = row.giver._id === userId
            const title = row.video?.title ?? t`All videos of ${row.giver.fullname}`
            const size = `${plural(row.videos, { one: '# video', other: '# videos' })} · ${formatBytes(row.sizeBytes)}`
            return {
              key: row._id,
              title,
              badge: isMine ? t`Offered` : t`For you`,
              note: (
                <>
                  {isMine
                    ? t`To @${row.receiver.username} · ${size}`
                    : t`From @${row.giver.username} · ${size}`}
                  <span className={styles['names']} dir="auto">
                    {namesOf(row)}
                  </span>
                </>
              ),
              controls: isMine ? undefined : (
                <Button
                  variant="solid"
                  aria-label={t`Take over: ${title}`}
                  disabled={accepting.isPending}
                  onClick={() => accepting.start(row)}
                >{t`Take over`}</Button>
              ),
              revoke: isMine
                ? { label: t`Withdraw`, name: t`Withdraw the offer: ${title}` }
                : { label: t`Decline`, name: t`Decline the offer: ${title}` },
            }
          }}
        >
          <RowActionResult action={accepting} />
        </RevocableList>
      )}
      <OfferForm videoId={null} />
    </section>
  )
}

/** Titles of the newest videos of an offer of all, and how many there are besides. */
function namesOf({ video, videos, titles }: Handover): string {
  if (video) return ''
  const others = videos - titles.length
  const rest = others > 0 ? [plural(others, { one: '# more', other: '# more' })] : []
  return new Intl.ListFormat(pageLanguage).format([...titles, ...rest])
}

const titleOf = ({ video, giver }: Handover) => video?.title ?? t`all videos of ${giver.fullname}`
