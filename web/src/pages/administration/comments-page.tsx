import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import {
  allCommentsQuery,
  deleteCommentsOf,
  restoreComments,
} from '../../features/operations/administration/api.ts'
import {
  approval,
  countDeleted,
  removal,
  restoration,
} from '../../features/operations/administration/comments/comment-actions.ts'
import { CommentsTable } from '../../features/operations/administration/comments/comments-table.tsx'
import { EntryList } from '../../features/operations/administration/entry-list.tsx'
import { HeldComments } from '../../features/operations/administration/comments/held-comments.tsx'
import { NoticeBar } from '../../features/operations/administration/notice-bar.tsx'
import { RemovalDialog } from '../../features/operations/administration/removal-dialog.tsx'
import { useActions } from '../../features/operations/administration/use-actions.ts'
import { useListView } from '../../features/operations/administration/use-list-view.ts'
import { formatFullCount } from '../../lib/format/counts.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import styles from './comments-page.module.css'

const filters = {
  '': msg`All`,
  held: msg`Waiting for approval`,
  removed: msg({ message: 'Removed', context: 'comments' }),
}

/** Comments of everybody, or of one person: search, select and delete; approve those that wait, restore removed ones. */
export function CommentsPage() {
  const [view, setView] = useListView()
  const { act, notice } = useActions()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState<'reason' | 'all'>()
  const heading = useRef<HTMLHeadingElement>(null)
  const result = useQuery(allCommentsQuery(view))
  // Until a view has loaded, the page shows the rows and the total of the one before.
  const { entries, total } = (!result.isPlaceholderData && result.data) || { entries: [], total: 0 }
  // Only what is on the page: a comment that a search has hidden is not deleted unseen.
  const ids = entries.map(({ _id }) => _id).filter((id) => selected.has(id))

  const isQueue = view.show === 'held'
  const isRemoved = view.show === 'removed'
  const { author = '' } = view

  function remove(removed: readonly string[], reason = '') {
    setSelected(new Set())
    act(removal(removed, reason))
  }

  function approveSelected() {
    const chosen = entries.filter(({ _id }) => selected.has(_id))
    setSelected(new Set())
    act(approval(chosen))
  }

  function removeAll() {
    const removed: string[] = []
    act({
      run: async () => {
        await deleteCommentsOf(author, (batch) => removed.push(...batch))
        // the focused button disappears with the comments
        heading.current?.focus()
      },
      done: t`All comments of @${author} removed.`,
      partlyDone: () => (removed.length > 0 ? countDeleted(removed.length) : undefined),
      undo: () => restoreComments(removed),
    })
  }

  function showAll() {
    // the focused button disappears with the choice
    heading.current?.focus()
    setView({ author: '' })
  }

  function restore(restored: readonly string[]) {
    setSelected(new Set())
    act(restoration(restored))
  }

  return (
    <>
      <EntryList
        title={t`Comments`}
        findLabel={t`Find by text, author or video`}
        filters={filters}
        emptyTitle={isQueue ? t`All decided` : undefined}
        emptyText={
          isQueue
            ? t`Comments that wait for approval appear here.`
            : isRemoved
              ? t`Comments that moderators removed can be restored here for 30 days.`
              : t`Comments that people write appear here.`
        }
        view={view}
        isFiltered={view.text !== '' || author !== ''}
        setView={setView}
        result={result}
        headingRef={heading}
        bar={
          <>
            {author !== '' && (
              <p className={styles['author']}>
                <span>
                  <Trans>
                    Only comments of <Link to={paths.person(author)}>@{author}</Link>
                  </Trans>
                </span>
                <Button onClick={showAll}>{t`Show all comments`}</Button>
                {!isRemoved && !isQueue && view.text === '' && total > 0 && (
                  <Button variant="danger" onClick={() => setAsking('all')}>
                    {t`Remove all ${{ count: formatFullCount(total) }}…`}
                  </Button>
                )}
              </p>
            )}
            {view.text !== '' && view.show === '' && author === '' && (
              <p className={styles['hint']}>{t`Only the newest 100,000 comments are searched.`}</p>
            )}
            <NoticeBar
              notice={notice}
              hint={isQueue ? t`Keys: J next, K previous, A approve, R remove.` : undefined}
            >
              {isQueue && ids.length > 0 && (
                <>
                  <span>{t`${ids.length} selected`}</span>
                  <Button onClick={approveSelected}>{t`Approve selected`}</Button>
                  <Button variant="danger" onClick={() => remove(ids)}>{t`Remove selected`}</Button>
                </>
              )}
              {!isQueue && ids.length > 0 && (
                <>
                  <span>{t`${ids.length} selected`}</span>
                  {isRemoved ? (
                    <Button onClick={() => restore(ids)}>{t`Restore`}</Button>
                  ) : (
                    <>
                      <Button variant="danger" onClick={() => remove(ids)}>{t`Delete`}</Button>
                      <Button onClick={() => setAsking('reason')}>{t`Delete with a reason…`}</Button>
                    </>
                  )}
                </>
              )}
            </NoticeBar>
          </>
        }
      >
        {(comments) =>
          isQueue ? (
            <HeldComments
              comments={comments}
              selected={selected}
              onSelect={setSelected}
              onApprove={(comment) => act(approval([comment]))}
              onRemove={({ _id }) => remove([_id])}
            />
          ) : (
            <CommentsTable comments={comments} selected={selected} onSelect={setSelected} />
          )
        }
      </EntryList>
      {asking === 'all' && (
        <ConfirmDialog
          title={t`Remove all comments of @${author}`}
          confirmLabel={t`Remove all`}
          onClose={() => setAsking(undefined)}
          onConfirm={removeAll}
        >
          <p>{t`They are hidden from everyone. Moderators can restore them for 30 days.`}</p>
        </ConfirmDialog>
      )}
      {asking === 'reason' && (
        <RemovalDialog
          kind="comment"
          onClose={() => setAsking(undefined)}
          onRemove={(reason) => remove(ids, reason)}
        >
          {ids.length === 1
            ? (entries.find(({ _id }) => _id === ids[0])?.content ?? '')
            : t`${ids.length} selected`}
        </RemovalDialog>
      )}
    </>
  )
}
