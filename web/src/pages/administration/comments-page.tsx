import { deleteAnyComments, restoreAnyComments } from '@kinora/contract/calls.ts'
import { call } from '@kinora/contract/client.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allCommentsQuery } from '../../features/administration/api.ts'
import { CommentsTable } from '../../features/administration/comments-table.tsx'
import { EntryList } from '../../features/administration/entry-list.tsx'
import { NoticeBar } from '../../features/administration/notice-bar.tsx'
import { useActions } from '../../features/administration/use-actions.ts'
import { useListView } from '../../features/administration/use-list-view.ts'
import { countOf } from '../../lib/format/counts.ts'
import { Button } from '../../ui/button.tsx'

/** Comments of everybody: search, select and delete. */
export function CommentsPage() {
  const [view, setView] = useListView()
  const { act, notice } = useActions()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const result = useQuery(allCommentsQuery(view))
  // Only what is on the page: a comment that a search has hidden is not deleted unseen.
  const ids = result.data?.entries.map(({ _id }) => _id).filter((id) => selected.has(id)) ?? []

  function remove() {
    setSelected(new Set())
    act({
      run: () => call(deleteAnyComments, { body: { ids } }),
      done: `${countOf(ids.length, 'comment')} deleted.`,
      undo: () => call(restoreAnyComments, { body: { ids } }),
    })
  }

  return (
    <EntryList
      title="Comments"
      findLabel="Find by text, author or video"
      emptyText="Comments that people write appear here."
      view={view}
      setView={setView}
      result={result}
      bar={
        <NoticeBar notice={notice}>
          {ids.length > 0 && (
            <>
              <span>{ids.length} selected</span>
              <Button variant="danger" onClick={remove}>
                Delete
              </Button>
            </>
          )}
        </NoticeBar>
      }
    >
      {(comments) => <CommentsTable comments={comments} selected={selected} onSelect={setSelected} />}
    </EntryList>
  )
}
