import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ListedComment } from '@kinora/contract/administration.ts'
import {
  approveAnyComments,
  deleteAnyComments,
  holdAnyComments,
  restoreAnyComments,
} from '@kinora/contract/calls/administration.ts'
import { call } from '@kinora/contract/client.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { allCommentsQuery, deleteCommentsOf, restoreComments } from '../../features/administration/api.ts'
import { CommentsTable } from '../../features/administration/comments-table.tsx'
import { EntryList } from '../../features/administration/entry-list.tsx'
import { HeldComments } from '../../features/administration/held-comments.tsx'
import { NoticeBar } from '../../features/administration/notice-bar.tsx'
import { RemovalDialog } from '../../features/administration/removal-dialog.tsx'
import { useActions } from '../../features/administration/use-actions.ts'
import { useListView } from '../../features/administration/use-list-view.ts'
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
  const result = useQuery(allCommentsQuery(view))
  // Only what is on the page: a comment that a search has hidden is not deleted unseen.
  const ids = result.data?.entries.map(({ _id }) => _id).filter((id) => selected.has(id)) ?? []

  const total = result.data?.total ?? 0
  const isQueue = view.show === 'held'
  const isRemoved = view.show === 'removed'
  const { author = '' } = view

  function approve(comment: ListedComment) {
    const body = { ids: [comment._id] }
    act({
      run: () => call(approveAnyComments, { body }),
      done: t`Comment of @${{ author: comment.author }} approved.`,
      undo: () => call(holdAnyComments, { body }),
    })
  }

  function remove(removed: readonly string[], reason = '') {
    const body = { ids: [...removed] }
    setSelected(new Set())
    act({
      run: () => call(deleteAnyComments, { body: { ...body, reason } }),
      done: plural(removed.length, { one: `# comment deleted.`, other: `# comments deleted.` }),
      undo: () => call(restoreAnyComments, { body }),
    })
  }

  function removeAll() {
    let removed: string[] = []
    act({
      run: async () => {
        removed = await deleteCommentsOf(author)
      },
      done: t`All comments of @${author} removed.`,
      undo: () => restoreComments(removed),
    })
  }

  function restore(restored: readonly string[]) {
    const body = { ids: [...restored] }
    setSelected(new Set())
    act({
      run: () => call(restoreAnyComments, { body }),
      done: plural(restored.length, { one: `# comment restored.`, other: `# comments restored.` }),
      undo: () => call(deleteAnyComments, { body: { ...body, reason: '' } }),
    })
  }

  return (
    <>
      <EntryList
        title={t`Comments`}
        findLabel={t`Find by text, author or video`}
        filters={filters}
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
        bar={
          <>
            {author !== '' && (
              <p className={styles['author']}>
                <span>
                  <Trans>
                    Only comments of <Link to={paths.person(author)}>@{author}</Link>
                  </Trans>
                </span>
                <Button onClick={() => setView({ author: '' })}>{t`Show everybody’s`}</Button>
                {!isRemoved && !isQueue && view.text === '' && total > 0 && (
                  <Button variant="danger" onClick={() => setAsking('all')}>
                    {t`Remove all ${{ count: formatFullCount(total) }}…`}
                  </Button>
                )}
              </p>
            )}
            <NoticeBar
              notice={notice}
              hint={isQueue ? t`Keys: J next, K previous, A approve, R remove.` : undefined}
            >
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
            <HeldComments comments={comments} onApprove={approve} onRemove={({ _id }) => remove([_id])} />
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
          <p>{t`Nobody will see them any more. Moderators can restore them for 30 days.`}</p>
        </ConfirmDialog>
      )}
      {asking === 'reason' && (
        <RemovalDialog
          kind="comment"
          onClose={() => setAsking(undefined)}
          onRemove={(reason) => remove(ids, reason)}
        >
          {ids.length === 1
            ? (result.data?.entries.find(({ _id }) => _id === ids[0])?.content ?? '')
            : t`${ids.length} selected`}
        </RemovalDialog>
      )}
    </>
  )
}
