import type { ReactNode } from 'react'
import { MembersOnly } from '../../features/sessions/guards.tsx'
import { SessionList } from '../../features/sessions/session-list.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import styles from './account-page.module.css'

/** Security of the signed-in account. */
export function AccountPage() {
  return (
    <MembersOnly skeleton={<Skeleton />}>
      <PageTitle title="Account" />
      <div className={styles['page']}>
        <h1 className={styles['heading']}>Account</h1>
        <Section title="Devices" note="Browsers that are signed in. Nothing is stored about where they are.">
          <SessionList />
        </Section>
      </div>
    </MembersOnly>
  )
}

function Section({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <section className={styles['section']} aria-label={title}>
      <h2>{title}</h2>
      <p className={styles['note']}>{note}</p>
      {children}
    </section>
  )
}
