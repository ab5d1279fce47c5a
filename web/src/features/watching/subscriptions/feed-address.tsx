import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '@kinora/contract/client.ts'
import { createFeedAddress, deleteFeedAddress } from '@kinora/contract/watching/feeds.ts'
import { useRef, useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { Button } from '../../../ui/button.tsx'
import { feedAddressQuery } from './api.ts'
import styles from './feed-address.module.css'

/** The secret address at which a feed reader finds the caller's feed: created, copied, replaced and removed here. */
export function FeedAddress() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className={styles['details']} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={styles['summary']}>{t`RSS`}</summary>
      {isOpen && <Address />}
    </details>
  )
}

function Address() {
  const root = useRef<HTMLDivElement>(null)
  const queryClient = useQueryClient()
  const [outcome, setOutcome] = useState('')
  const { data, isError } = useQuery(feedAddressQuery)
  const address = data?.path ? location.origin + data.path : undefined

  const create = useMutation({
    mutationFn: () => call(createFeedAddress, {}),
    onSuccess: (created) => {
      queryClient.setQueryData(feedAddressQuery.queryKey, created)
      setOutcome(
        address === undefined ? t`Address created` : t`Address replaced. The former one no longer works.`,
      )
    },
    onError: () => setOutcome(t`The address could not be created. Try again.`),
  })
  const remove = useMutation({
    mutationFn: () => call(deleteFeedAddress, {}),
    onSuccess: () => {
      queryClient.setQueryData(feedAddressQuery.queryKey, { path: null })
      setOutcome(t`Address removed`)
    },
    onError: () => setOutcome(t`The address could not be removed. Try again.`),
  })

  async function copy(text: string) {
    if (!root.current) return
    const isCopied = await copyText(text, root.current)
    setOutcome(isCopied ? t`Link copied` : t`Could not copy. Select the address and copy it manually.`)
  }

  return (
    <div ref={root} className={styles['address']}>
      <p>
        <Trans>
          Follow your feed in a feed reader or podcast app. Anybody who has the address can read the list.
        </Trans>
      </p>
      {address !== undefined && <p className={styles['url']}>{address}</p>}
      {data && (
        <div className={styles['buttons']}>
          {address === undefined ? (
            <Button variant="solid" onClick={() => create.mutate()}>{t`Create address`}</Button>
          ) : (
            <>
              <Button variant="solid" onClick={() => void copy(address)}>{t`Copy address`}</Button>
              <Button onClick={() => create.mutate()}>{t`Replace address`}</Button>
              <Button onClick={() => remove.mutate()}>{t`Remove address`}</Button>
            </>
          )}
        </div>
      )}
      <p role="status" className={styles['outcome']}>
        {isError ? t`The address could not be loaded. Close and open this part to try again.` : outcome}
      </p>
    </div>
  )
}
