import { useState } from 'react'
import { useLocation } from 'react-router'
import { formatBytes } from '../lib/format/bytes.ts'
import { formatMoment } from '../lib/format/moment.ts'
import { formatPercent } from '../lib/format/percent.ts'
import { formatPublishedDay } from '../lib/format/published-day.ts'
import { textOf } from '../lib/forms/form-fields.ts'
import { useEndpointForm } from '../lib/forms/use-endpoint-form.ts'
import { useRowAction } from '../lib/use-row-action.ts'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Alert, Status } from '../ui/feedback/alert.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { ProgressBar } from '../ui/feedback/progress-bar.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { CheckGroup } from '../ui/forms/check-group.tsx'
import { EndpointForm } from '../ui/forms/endpoint-form.tsx'
import { Field, TextArea } from '../ui/forms/field.tsx'
import { Select } from '../ui/forms/select.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import { QuerySection } from '../ui/query-section.tsx'
import { RevocableList } from '../ui/revocable-list.tsx'
import { SectionNav } from '../ui/section-nav.tsx'

interface Boat {
  id: string
  name: string
  crew: number
  builtAt: string
  note: string
}

const boats: Boat[] = [
  { id: 'a', name: 'Alder', crew: 4, builtAt: '2026-03-04T10:00:00Z', note: 'Needs a new rudder' },
  { id: 'b', name: 'بطة الوادي', crew: 12, builtAt: '2024-11-20T10:00:00Z', note: '' },
  {
    id: 'c',
    name: 'A name that is a good deal longer than the others',
    crew: 1_208,
    builtAt: '2019-07-01T10:00:00Z',
    note: 'Lent to the club on the other side of the lake until the end of the season',
  },
]

/** Every part of the kit in the current theme, for development. Its texts are not translated. */
export function KitPage() {
  const { pathname } = useLocation()
  return (
    <>
      <h1>Kit</h1>
      <SectionNav
        label="Kit"
        sections={[
          { label: 'Lists', to: '/kit/lists', count: 3 },
          {
            label: 'Forms',
            to: '/kit/forms',
            parts: [
              { label: 'Fields', to: '/kit/forms' },
              { label: 'Feedback', to: '/kit/forms/feedback' },
            ],
          },
        ]}
      />
      {pathname.includes('/feedback') ? <Feedback /> : pathname.includes('/forms') ? <Forms /> : <Lists />}
    </>
  )
}

function Lists() {
  const [selected, onSelect] = useState<ReadonlySet<string>>(new Set(['a']))
  const [chosen, setChosen] = useState('')
  const pages = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: true }
  const revoke = useRowAction({
    run: (_boat: Boat) => Promise.resolve(),
    confirm: ({ name }) => ({ title: `Sink ${name}?`, text: 'Nobody can row it any more.', label: 'Sink' }),
    done: ({ name }) => `${name} is sunk.`,
    queryKey: ['kit'],
  })
  return (
    <>
      <h2>Table</h2>
      <DataTable
        label="Boats"
        rows={boats}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        selection={{ selected, onSelect }}
        columns={[
          { heading: 'Boat', kind: 'name', render: ({ name }) => <bdi>{name}</bdi> },
          { heading: 'Note', kind: 'wide', render: ({ note }) => note },
          { heading: 'Crew', kind: 'number', render: ({ crew }) => crew },
          {
            heading: 'Built',
            kind: 'day',
            render: ({ builtAt }) => (
              <time dateTime={builtAt}>{formatPublishedDay(builtAt, Date.now())}</time>
            ),
          },
        ]}
        actions={({ name }) => [
          { label: 'Rename', onSelect: () => setChosen(`Rename ${name}`) },
          { label: 'Logbook', to: '/kit/forms' },
          { label: 'Sink', onSelect: () => setChosen(`Sink ${name}`), isDangerous: true },
        ]}
      />
      <Status>{chosen}</Status>
      <h2>Revocable things</h2>
      <RevocableList
        label="Boats"
        query={{ data: boats, isError: false, refetch: () => undefined }}
        failure="Could not load the boats"
        action={revoke}
        rowOf={({ id: key, name, crew, builtAt }) => ({
          key,
          title: name,
          badge: crew > 1000 && 'Crowded',
          isAlarming: true,
          note: `Built ${formatMoment(builtAt)}`,
          revoke: { label: 'Sink', name: `Sink ${name}` },
        })}
      >
        <Button>Build a boat</Button>
      </RevocableList>
      <h2>Query: loading, failed, empty; further pages</h2>
      <QuerySection
        query={{ data: undefined, isError: false, refetch: () => undefined }}
        failure=""
        skeleton={<Skeleton width="100%" height={48} />}
      >
        {() => null}
      </QuerySection>
      <QuerySection
        query={{ data: undefined, isError: true, refetch: () => undefined }}
        failure="Could not load the boats"
      >
        {() => null}
      </QuerySection>
      <PagedList
        query={{
          ...pages,
          isPending: false,
          isError: false,
          refetch: () => undefined,
          fetchNextPage: () => Promise.resolve(),
        }}
        items={[]}
        failure="Could not load the boats"
        skeleton={null}
        empty={<EmptyState title="No boats yet" text="Boats that you build appear here." />}
      >
        {() => null}
      </PagedList>
    </>
  )
}

function Forms() {
  const form = useEndpointForm({
    fields: ['name'],
    check: (fields) => ({ name: textOf(fields, 'name') === '' ? 'A boat has a name' : undefined }),
    send: () => Promise.resolve(null),
  })
  return (
    <EndpointForm form={form}>
      <Field label="Name" hint="Painted on both sides." {...form.field('name')} />
      <TextArea label="Note" name="note" rows={3} />
      <Select label="Kind" name="kind">
        <option>Rowing boat</option>
        <option>Boat with a name too long for its field</option>
      </Select>
      <CheckGroup legend="Has">
        <label>
          <input type="checkbox" name="has" /> a rudder
        </label>
      </CheckGroup>
    </EndpointForm>
  )
}

function Feedback() {
  return (
    <>
      <Alert>The boat is under water.</Alert>
      <Status>The boat floats.</Status>
      <p>
        {formatPercent(0.256)} · {formatBytes(2_100)} · {formatMoment('2026-11-28T05:39:00Z')}
      </p>
      <ProgressBar label="Progress" value={0.4} />
      <p>
        <Button variant="solid">Solid</Button> <Button>Quiet</Button> <Button variant="bare">Bare</Button>{' '}
        <Button variant="danger">Danger</Button> <Button disabled>Disabled</Button>
      </p>
    </>
  )
}
