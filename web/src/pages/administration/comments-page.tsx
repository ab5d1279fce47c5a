import { msg, plural, t } from '@lingui/core/macro'
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
import { allCommentsQuery } from '../../features/administration/api.ts'
import { CommentsTable } from '../../features/administration/comments-table.tsx'
import { EntryList } from '../../features/administration/entry-list.tsx'
import { HeldComments } from '../../features/administration/held-comments.tsx'
import { NoticeBar } from '../../features/administration/notice-bar.tsx'
import { RemovalDialog } from '../../features/administration/removal-dialog.tsx'
import { useActions } from '../../features/administration/use-actions.ts'
import { useListView } from '../../features/administration/use-list-view.ts'
import { Button } from '../../ui/button.tsx'

const filters = { '': msg`All`, held: msg`Waiting for approval` }

/** Comments of everybody: search, select and delete; approve those that wait. */
export function CommentsPage() {
  const [view, setView] = useListView()
  const { act, notice } = useActions()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isAskingReason, setAskingReason] = useState(false)
  const result = useQuery(allCommentsQuery(view))
  // Only what is on the page: a comment that a search has hidden is not deleted unseen.
  const ids = result.data?.entries.map(({ _id }) => _id).filter((id) => selected.has(id)) ?? []

  const isQueue = view.show === 'held'

  function approve({ _id, author }: ListedComment) {
    const body = { ids: [_id] }
    act({
      run: () => call(approveAnyComments, { body }),
      done: t`Comment of @${author} approved.`,
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

  return (
    <>
      <EntryList
        title={t`Comments`}
        findLabel={t`Find by text, author or video`}
        filters={filters}
        emptyText={
          isQueue
            ? t`Comments that wait for approval appear here.`
            : t`Comments that people write appear here.`
        }
        view={view}
        isFiltered={view.text !== ''}
        setView={setView}
        result={result}
        bar={
          <NoticeBar
            notice={notice}
            hint={isQueue ? t`Keys: J next, K previous, A approve, R remove.` : undefined}
          >
            {!isQueue && ids.length > 0 && (
              <>
                <span>{t`${ids.length} selected`}</span>
                <Button variant="danger" onClick={() => remove(ids)}>{t`Delete`}</Button>
                <Button onClick={() => setAskingReason(true)}>{t`Delete with a reason…`}</Button>
              </>
            )}
          </NoticeBar>
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
      {isAskingReason && (
        <RemovalDialog
          kind="comment"
          onClose={() => setAskingReason(false)}
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
